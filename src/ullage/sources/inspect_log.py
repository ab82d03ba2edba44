"""Logs of Inspect, `.json` and `.eval`: a session for each sample.

https://inspect.aisi.org.uk/eval-logs.html. The messages of a sample are its whole conversation,
its events tell what was cut and compacted. Long texts stand apart, as attachments. Inspect cuts
results before it writes them down; of what was produced it tells the size.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath

from ullage.errors import LoadError
from ullage.sources.archive import MAGIC, Archive
from ullage.sources.compacted import Found, woven
from ullage.sources.form import Form
from ullage.sources.messages import Entries
from ullage.sources.opened import NO_DOCUMENT, Opened, is_object, parsed
from ullage.sources.places import Places, Span, items, member
from ullage.sources.record import Damaged, Plain, Record
from ullage.transcript.finding import Source
from ullage.transcript.served import Label, Usage
from ullage.transcript.transcript import Act, Entry, Produced, Transcript
from ullage.wire.members import NOTHING, Object, inside, listed, number, objects, text

HEADERS = ("header.json", "_journal/start.json")
SAMPLE = re.compile(r"samples/.*\.json")
ATTACHED = "attachment://"
ACTS: Mapping[str, Act] = {"summary": "summarise", "edit": "elide", "trim": "trim"}
LABELS: Mapping[str, Label] = {
    "max_tokens": "cut-by-limit",
    "model_length": "cut-by-limit",
    "content_filter": "cut-by-server",
}
GRADES: Mapping[str, float] = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}


def fits(opened: Opened) -> bool:
    """Whether a file is such a log."""
    if opened.data.startswith(MAGIC):
        # The names of members stand in the file as they are.
        return any(one.encode() in opened.data for one in HEADERS)
    document = opened.document
    return is_object(document) and is_header(document)


def is_header(document: Object) -> bool:
    """Whether an object begins as a log does."""
    return "status" in document and bool(text(inside(document, "eval"), "task"))


def records(opened: Opened) -> Iterator[Record]:
    """Yield the samples of a log, one at a time."""
    if opened.data.startswith(MAGIC):
        yield from of_archive(opened)
        return
    document = opened.document
    if not is_object(document) or not inside(document, "eval"):
        raise LoadError(f"{opened.name}: no log of Inspect")
    places = Places(opened.data)
    spans = items(member(places.root(), "samples"))
    samples = objects(document.get("samples"))
    if not samples:
        yield Plain(line=1)
    for at, sample in enumerate(samples):
        span = spans[at] if at < len(spans) else None
        yield Sample(document, sample, opened.name, places, span).transcript()


def of_archive(opened: Opened) -> Iterator[Record]:
    """Yield the samples of an archive; one that cannot be read is told of."""
    archive = Archive(opened.data, opened.name)
    name = next((one for one in HEADERS if one in archive.members), None)
    header = parsed(archive.read(name)) if name else NO_DOCUMENT
    if not is_object(header) or not inside(header, "eval"):
        raise LoadError(f"{opened.name}: no log of Inspect: it has no header")
    samples = [one for one in archive.members if SAMPLE.fullmatch(one)]
    if not samples:
        yield Plain()
    for one in sorted(samples, key=by_number):
        try:
            held = parsed(archive.read(one))
        except LoadError as error:
            yield Damaged(line=1, why=str(error), chars=0, saved=0)
            continue
        if is_object(held):
            yield Sample(header, held, opened.name, Places(b""), None).transcript()
        else:
            yield Damaged(line=1, why=f"{one} is not JSON", chars=0, saved=0)


def by_number(name: str) -> list[tuple[int, str]]:
    """Return what puts names with numbers into the order of these."""
    return [(int(one) if one.isdecimal() else 0, one) for one in re.split(r"([0-9]{1,9})", name)]


@dataclass(frozen=True, slots=True)
class Sample:
    """One sample of a log. `span` is its place in a file of lines."""

    header: Object
    raw: Object
    path: str
    places: Places
    span: Span | None

    def transcript(self) -> Transcript:
        """Return its conversation."""
        about = inside(self.header, "eval")
        read = self.messages(listed(self.raw.get("messages")), self.lines())
        told = Told(self, read.found)
        entries, compactions = woven(told.entries(), list(told.compactions()))
        version = text(inside(about, "packages"), "inspect_ai")
        line = self.places.line(self.span) if self.places.data else None
        return Transcript(
            session=self.name(),
            form="inspect",
            entries=entries,
            compactions=compactions,
            source=Source(path=self.path, line=line),
            agent="inspect_ai",
            version=version,
            model=text(about, "model"),
            tools=told.tools(),
            outcome=outcome(inside(self.raw, "scores")),
            unread=dict(read.unread),
        )

    def name(self) -> str:
        """Return the file's name with the sample's, and its epoch if it was not the first."""
        epoch = number(self.raw, "epoch") or 1
        name = f"{PurePath(self.path).name}#{self.raw.get('id')}"
        return name if epoch == 1 else f"{name}, epoch {epoch}"

    def lines(self) -> Sequence[int | None]:
        """Return the lines of the messages, as far as there are any."""
        if self.places.data and not self.places.lines:
            return [1] * len(listed(self.raw.get("messages")))
        return [self.places.line(one) for one in items(member(self.span, "messages"))]

    def messages(self, raw: Sequence[object], lines: Sequence[int | None] = ()) -> Entries:
        """Read messages, with the texts that stand apart put back."""
        found = Entries()
        for at, one in enumerate(raw):
            line = lines[at] if at < len(lines) else None
            found.add(self.whole(one), Source(path=self.path, line=line))
        return found

    def whole(self, value: object) -> object:
        """Put the attachments of a message back."""
        if isinstance(value, str) and value.startswith(ATTACHED):
            held = text(inside(self.raw, "attachments"), value.removeprefix(ATTACHED))
            return value if held is None else held
        if isinstance(value, list):
            return [self.whole(one) for one in value]
        if is_object(value):
            return {name: self.whole(one) for name, one in value.items()}
        return value

    def events(self, *kinds: str) -> Iterator[Object]:
        """Give the events of some kinds."""
        for one in objects(self.raw.get("events")):
            if text(one, "event") in kinds:
                yield one

    def given(self, event: Object) -> Sequence[object]:
        """Return the messages that the model was given, which may stand in a common pool."""
        pool, refs = listed(self.raw.get("message_pool")), listed(event.get("input_refs"))
        pooled: list[object] = []
        for one in refs:
            match one:
                case [int(first), int(end)]:
                    pooled += pool[max(0, first) : end]
        return pooled or listed(event.get("input"))


class Told:
    """What the events of a sample tell of its messages."""

    def __init__(self, sample: Sample, found: Sequence[Entry]) -> None:
        """Take the messages of a sample in their order."""
        self.sample, self.found = sample, found
        self.by_id = {one.key: at for at, one in enumerate(found) if one.key is not None}
        self.by_call = {
            one.message.answers: at for at, one in enumerate(found) if one.message.answers
        }
        self.sizes: dict[str, int] = {}
        self.replies: dict[str, Object] = {}
        for event in sample.events("tool", "model"):
            match event:
                case {"event": "tool", "id": str(call), "truncated": [int(size), int()]}:
                    self.sizes[call] = size
            for choice in objects(inside(event, "output").get("choices")):
                key = text(inside(choice, "message"), "id")
                if key is not None:
                    self.replies[key] = event

    def entries(self) -> list[Entry]:
        """Return the messages with what was produced, and how replies ended."""
        return [self.entry(one) for one in self.found]

    def entry(self, one: Entry) -> Entry:
        """Return one message with what its event tells."""
        size = self.sizes.get(one.message.answers or "")
        if size is not None and one.message.role == "tool":
            return replace(one, produced=Produced(size=size, source=one.source))
        event = self.replies.get(one.key or "")
        if event is None or one.message.role != "assistant":
            return one
        output = inside(event, "output")
        choice = next(iter(objects(output.get("choices"))), NOTHING)
        word = text(choice, "stop_reason")
        return replace(
            one,
            usage=usage_of(inside(output, "usage")),
            finish_reason=word,
            label=LABELS.get(word or ""),
            model=text(output, "model") or one.model,
        )

    def tools(self) -> tuple[str, ...]:
        """Return the names of the tools that the first request offered."""
        first = next(iter(self.sample.events("model")), NOTHING)
        return tuple(filter(None, (text(one, "name") for one in objects(first.get("tools")))))

    def compactions(self) -> Iterator[Found]:
        """Give the compactions with what the next request held."""
        seen = 0
        waiting: list[Object] = []
        for event in self.sample.events("compaction", "model", "tool"):
            if text(event, "event") == "compaction":
                waiting.append(event)
                continue
            if text(event, "event") == "tool":
                seen = max(seen, self.by_call.get(text(event, "id") or "", -1) + 1)
                continue
            given = self.sample.given(event)
            known = [self.by_id[key] for key in map(key_of, given) if key in self.by_id]
            if known and waiting:
                for one in waiting[:-1]:  # one right after the other: only the last one counts
                    yield self.compaction(one, seen, None)
                yield self.compaction(waiting[-1], seen, given)
                waiting = []
            # A request that holds none of them is another agent's, or the summariser's.
            seen = max([seen, *(one + 1 for one in known), *self.written(event)])
        for one in waiting:
            yield self.compaction(one, len(self.found), None)

    def written(self, event: Object) -> Iterator[int]:
        """Give the place behind the message that a model wrote."""
        for choice in objects(inside(event, "output").get("choices")):
            at = self.by_id.get(key_of(inside(choice, "message")))
            if at is not None:
                yield at + 1

    def compaction(self, event: Object, seen: int, given: Sequence[object] | None) -> Found:
        """Return a compaction; `given` are the messages of the request that follows it."""
        found = Found(
            at=seen,
            act=ACTS.get(text(event, "type") or ""),
            trigger=text(event, "source"),
            before=number(event, "tokens_before"),
            after=number(event, "tokens_after"),
            source=Source(path=self.sample.path),
        )
        if given is None:
            return found
        found.kept = []
        for one in self.sample.messages(given).found:
            at = self.by_id.get(one.key or "")
            old = None if at is None else self.found[at]
            if at is None or old is None:
                found.kept.append(one)
                found.summary.append(one)
            elif old.message.text == one.message.text:
                found.kept.append(at)
            else:  # a placeholder under the same name
                found.kept.append(one)
                found.cleared.append(at)
        marked = [at for at in found.kept if isinstance(at, int) and at in self.summaries()]
        found.summaries += marked
        known = [at for at in found.kept if isinstance(at, int)] + found.cleared
        found.at = min(marked, default=max([seen - 1, *known]) + 1)
        return found

    def summaries(self) -> set[int]:
        """Return the messages that are marked as summaries."""
        raw = objects(self.sample.raw.get("messages"))
        keys = {key_of(one) for one in raw if inside(one, "metadata").get("summary")}
        return {self.by_id[key] for key in keys if key in self.by_id}


def key_of(message: object) -> str:
    """Return the id of a message, an empty one for what has none."""
    return (text(message, "id") if is_object(message) else None) or ""


def usage_of(raw: Object) -> Usage | None:
    """Return the tokens of a reply; the total holds those of the cache, `input_tokens` may not."""
    if not raw:
        return None
    total, output = number(raw, "total_tokens"), number(raw, "output_tokens")
    read = number(raw, "input_tokens")
    return Usage(
        input=read if total is None or output is None else max(total - output, read or 0),
        output=output,
        reasoning=number(raw, "reasoning_tokens"),
        cached=number(raw, "input_tokens_cache_read"),
        cache_written=number(raw, "input_tokens_cache_write"),
    )


def outcome(scores: Object) -> float | None:
    """Return the first score: a number, or a grade as one."""
    value = next((one.get("value") for one in scores.values() if is_object(one)), None)
    if isinstance(value, str):
        return GRADES.get(value)
    return float(value) if isinstance(value, int | float) else None


INSPECT = Form(
    name="inspect",
    what="logs of Inspect, .json and .eval",
    fits=fits,
    records=records,
)
