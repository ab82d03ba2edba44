"""All that was seen of one case."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from ullage.probe.canary import Payload
from ullage.probe.case import Case
from ullage.probe.server import Asked

Ended = Literal["done", "crashed", "looped", "timed-out", "not-started", "interrupted"]
"""How a case ended: the harness did it and went on, or ended with 0; it ended with another code; it
asked for ever; it was ended at its time limit; it could not be started; somebody stopped the probe."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Observed:
    """What a harness did with one case: its requests, the tool's results, what its user got.

    `error` is what the harness says that it raised, `exit` the code of a process that ended in this
    case, `stderr` the end of what that wrote. `capped` counts the calls that the cap refused.
    """

    case: Case
    asked: Sequence[Asked]
    payloads: Sequence[Payload]
    answers: Sequence[str]
    error: str | None = None
    ended: Ended = "done"
    exit: int | None = None
    stderr: str = ""
    stdout: str = ""
    capped: int = 0
