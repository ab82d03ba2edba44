"""The forms of files that are read: a table of functions, and which of them a file fits.

A later form is one more row. Those of agents come before those of bodies, which know less.
"""

from collections.abc import Iterator, Sequence

from ullage.errors import LoadError
from ullage.ledger.schema import APPLICATION_ID
from ullage.sources import event_lines
from ullage.sources.atif import ATIF
from ullage.sources.chat import CHAT
from ullage.sources.claude_code import CLAUDE_CODE
from ullage.sources.codex import CODEX
from ullage.sources.exchanges import BODY, LINES, STREAM
from ullage.sources.form import Form
from ullage.sources.gemini_cli import GEMINI_CLI
from ullage.sources.hermes import HERMES
from ullage.sources.inspect_log import INSPECT
from ullage.sources.langsmith import LANGSMITH
from ullage.sources.mini_swe_agent import MINI_SWE_AGENT
from ullage.sources.opencode import OPENCODE
from ullage.sources.opened import Opened
from ullage.sources.openhands import OPENHANDS
from ullage.sources.openhands_sdk import OPENHANDS_SDK
from ullage.sources.openinference import OPENINFERENCE
from ullage.sources.otel_spans import OTEL
from ullage.sources.pi import PI
from ullage.sources.qwen_code import QWEN_CODE
from ullage.sources.record import Record
from ullage.sources.swe_agent import SWE_AGENT
from ullage.sources.toolbench import TOOLBENCH
from ullage.sources.vcr import VCR
from ullage.sources.who_when import WHO_WHEN

SQLITE = b"SQLite format 3\0"
MARK_AT = 68  # where a database says whose it is
HEAD = 100
"""So many bytes tell a ledger."""


def is_ledger(opened: Opened) -> bool:
    """Whether the first bytes of a file are those of a ledger, not of another database."""
    mark = opened.data[MARK_AT : MARK_AT + 4]
    return opened.data.startswith(SQLITE) and int.from_bytes(mark, "big") == APPLICATION_ID


def no_records(opened: Opened) -> Iterator[Record]:
    """Refuse to read a ledger as a file of records."""
    yield from ()
    raise LoadError(f"{opened.name}: a ledger is read from its path, not from a pipe")


LEDGER = Form(
    name="ledger",
    what="a ledger of Ullage",
    fits=is_ledger,
    records=no_records,
)

FORMS: Sequence[Form] = (
    LEDGER,
    # Databases, archives and transcripts of agents.
    OPENCODE,
    HERMES,
    SWE_AGENT,
    MINI_SWE_AGENT,
    OPENHANDS,
    OPENHANDS_SDK,
    PI,
    event_lines.FORM,
    CLAUDE_CODE,
    CODEX,
    GEMINI_CLI,
    QWEN_CODE,
    INSPECT,
    ATIF,
    TOOLBENCH,
    WHO_WHEN,
    VCR,
    OTEL,
    OPENINFERENCE,
    LANGSMITH,
    CHAT,
    # Bodies of providers, and any other JSON.
    STREAM,
    BODY,
    LINES,
)

FORM_NAMES: tuple[str, ...] = tuple(one.name for one in FORMS)


def named(name: str) -> Form:
    """Return the form of this name. Raises ValueError where there is none."""
    found = next((one for one in FORMS if one.name == name), None)
    if found is None:
        raise ValueError(f"no source is called {name!r}: choose {', '.join(FORM_NAMES)}")
    return found


def form_of(opened: Opened, name: str | None = None) -> Form:
    """Return the form of a file: the one named, else the first that fits."""
    if name is not None:
        return named(name)
    found = next((one for one in FORMS if one.fits(opened)), None)
    if found is None:
        raise LoadError(
            f"{opened.name}: neither JSON, nor JSON lines, nor a stream of events, nor a ledger, "
            "nor a transcript that is known; if it is one of these, name it with --from FORM "
            "(ullage scan --help lists the forms)"
        )
    return found
