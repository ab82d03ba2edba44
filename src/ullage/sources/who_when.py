"""Who&When: histories of several agents, with the agent and the step at fault, as a person saw it.

https://github.com/mingyin1/Agents_Failure_Attribution. The roles are those of one participant's
view, or names. Who runs programs and pages for the others is known by name: the terminals of
CaptainAgent and Magentic-One, and the surfers of the latter. What they say is a tool's result;
everybody else is a model.
"""

from collections.abc import Iterator, Sequence
from pathlib import PurePath

from ullage.errors import LoadError
from ullage.sources.form import Form
from ullage.sources.opened import Opened, is_object
from ullage.sources.places import Places, items, member
from ullage.sources.record import Record
from ullage.transcript.finding import Source
from ullage.transcript.message import Message
from ullage.transcript.transcript import Entry, Transcript
from ullage.wire.contents import text_of
from ullage.wire.members import Object, listed, objects, text

HISTORY = "history"
PEOPLE = ("human",)
TOOLS = ("computerterminal", "websurfer", "filesurfer")
LABELS = frozenset(("mistake_agent", "mistake_step"))


def fits(opened: Opened) -> bool:
    """Whether a document is a history with a labelled mistake."""
    document = opened.document
    return is_object(document) and document.keys() >= LABELS and bool(objects(document[HISTORY]))


def records(opened: Opened) -> Iterator[Record]:
    """Yield the one session of a file."""
    document = opened.document
    if not is_object(document) or not objects(document.get(HISTORY)):
        raise LoadError(f"{opened.name}: no history of messages")
    places = Places(opened.data)
    root = places.root()
    spans = items(member(root, HISTORY))
    lines = [places.line(one) for one in spans]
    history = listed(document[HISTORY])
    entries = [
        entry(one, at, Source(path=opened.name, line=line_of(lines, at, places)))
        for at, one in enumerate(history)
    ]
    yield Transcript(
        session=session_name(opened),
        form="who-when",
        entries=entries,
        source=Source(path=opened.name, line=places.line(root)),
        outcome=correct(document),
        mistake=step(document.get("mistake_step"), len(entries)),
    )


def line_of(lines: Sequence[int | None], at: int, places: Places) -> int | None:
    """Return the line of a message; the only one where a file has one."""
    if not places.lines:
        return 1
    return lines[at] if at < len(lines) else None


def session_name(opened: Opened) -> str:
    """Return a file's name with its folder's: the questions are those of two sets of runs."""
    path = PurePath(opened.name)
    return f"{path.parent.name}/{path.stem}" if path.parent.name else path.stem


def entry(raw: object, at: int, source: Source) -> Entry:
    """Return a step of a history; each is one entry, so that its number stays."""
    held: Object = raw if is_object(raw) else {}
    who = text(held, "name") or text(held, "role") or ""
    said = text_of(held.get("content"))
    if who.replace("_", "").replace(" ", "").lower() in TOOLS:
        return Entry(message=Message(role="tool", text=said, name=who), source=source)
    # The first one is the task, whoever is said to have written it.
    role = "user" if at == 0 or who in PEOPLE else "assistant"
    return Entry(
        message=Message(role="user" if role == "user" else "assistant", text=said, name=who),
        source=source,
    )


def step(value: object, steps: int) -> int | None:
    """Return the labelled step, given as a number or in digits; None where there is no such."""
    digits = str(value).strip()
    number = int(digits) if digits.isdecimal() and len(digits) < len(str(1 << 63)) else steps
    return number if number < steps else None


def correct(document: Object) -> float | None:
    """Return whether the answer was right, as 1 or 0."""
    found = document.get("is_correct", document.get("is_corrected"))
    return float(found) if isinstance(found, bool) else None


WHO_WHEN = Form(
    name="who-when",
    what="histories of Who&When: several agents, and who was at fault at which step",
    fits=fits,
    records=records,
)
