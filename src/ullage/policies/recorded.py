"""One recorded result, from whatever source."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """A result as a source has it.

    `text` is what the tool produced where `known`, else what the model was given: what was lost
    before is not in it. `place` says where it stands (`run.ledger`, `a.jsonl:17`), `number` is its
    place in the order of its source.
    """

    session: str
    tool: str
    text: str
    known: bool
    place: str
    number: int
    call_id: str | None = None
