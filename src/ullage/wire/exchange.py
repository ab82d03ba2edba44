"""One request and its reply, as far as they are known, whoever wrote them down."""

from dataclasses import dataclass, field
from typing import Literal

from ullage.transcript.finding import Source
from ullage.transcript.words import Cohort
from ullage.wire.members import NOTHING, Object
from ullage.wire.readers import Kind
from ullage.wire.reply import Reply
from ullage.wire.request import Request

Script = Literal["latin", "cjk"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """How much was sent, where nothing else is known of it: characters of one kind of script."""

    chars: int
    script: Script


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """One request and its reply; what is None was not written down, or could not be read.

    `number` is its place in its file or ledger, `name` the id that its file gives it. `kind` is
    None where its path is not read. `body` is the request as it was parsed. `failure` says in
    words why there is no answer.
    """

    number: int
    source: Source = field(default_factory=Source)
    session: str | None = None
    name: str | None = None
    method: str = "POST"
    path: str | None = None
    kind: Kind | None = "turn"
    request: Request | None = None
    body: Object = field(default_factory=lambda: NOTHING)
    reply: Reply | None = None
    size: Size | None = None
    failure: str | None = None
    cohort: Cohort | None = None
