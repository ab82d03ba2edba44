"""Pages made from sessions that are written by hand."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from ullage.checks.exhibits import PER_CHECK, Exhibits, chosen
from ullage.checks.scan import Scan, scan
from ullage.checks.walk import walk
from ullage.cli.pages import without_secrets
from ullage.report.page.page import Pictures, page
from ullage.sources.files import Reading
from ullage.transcript.finding import Source
from ullage.transcript.message import Message, ToolCall
from ullage.transcript.served import Usage
from ullage.transcript.transcript import Compaction, Entry, Produced, Transcript

ROWS = json.dumps(
    [{"id": f"order-{number:04d}", "amount": number * 7, "note": "n" * 20} for number in range(200)]
)
SLICED = ROWS.removesuffix(ROWS[6000:])

WITHOUT_SECRETS = partial(without_secrets, b"k" * 32)


@dataclass(frozen=True, kw_only=True)
class Given:
    """One result: what was produced (None: not known), and what the model was given."""

    produced: str | None
    delivered: str
    tool: str = "list_orders"


def transcript(
    name: str,
    results: Sequence[Given],
    *,
    window: int | None = 128_000,
    tokens: int = 1000,
    compactions: Sequence[Compaction] = (),
) -> Transcript:
    """A session that calls a tool for each result; every turn has as many tokens more."""
    entries = [Entry(message=Message(role="user", text=f"List the orders of {name}."))]
    for number, one in enumerate(results):
        call = ToolCall(call_id=f"{name}-{number}", name=one.tool, arguments=f'{{"n": {number}}}')
        usage = Usage(input=tokens * (number + 1), output=10)
        entries.append(
            Entry(message=Message(role="assistant", text="", calls=(call,)), usage=usage)
        )
        made = None if one.produced is None else Produced(text=one.produced)
        given = Message(role="tool", text=one.delivered, answers=call.call_id, name=one.tool)
        line = Source(path=f"{name}.jsonl", line=3 * number + 3)
        entries.append(Entry(message=given, produced=made, source=line))
    entries.append(Entry(message=Message(role="assistant", text="All is well.")))
    return Transcript(
        session=name,
        form="test",
        entries=entries,
        window=window,
        compactions=compactions,
        source=Source(path=f"{name}.jsonl"),
    )


def reading(transcripts: Sequence[Transcript]) -> Reading:
    return Reading(path="sessions.jsonl", form="test", records=iter(transcripts))


def same(text: str) -> str:
    """Take nothing out."""
    return text


def scanned(transcripts: Sequence[Transcript]) -> tuple[Scan, Pictures]:
    pictures = Pictures()
    return scan([reading(transcripts)], pictures.watchers), pictures


def page_of(
    transcripts: Sequence[Transcript],
    *,
    per_check: int = PER_CHECK,
    clean: Callable[[str], str] = WITHOUT_SECRETS,
    passed_over: Sequence[str] = (),
    title: str = "What was lost",
) -> str:
    """The page of sessions, made as `ullage report` makes it."""
    done, pictures = scanned(transcripts)
    done = replace(done, read=replace(done.read, passed_over=passed_over))
    exhibits = Exhibits(wanted=chosen(done.findings, per_check), clean=clean, per_check=per_check)
    walk(reading(transcripts), exhibits.take)
    return page(done, pictures, exhibits, title=title, made="Made by a test.")


def usual() -> list[Transcript]:
    """Sessions with losses of several kinds, whole results, and a compaction."""
    whole = Given(produced=ROWS, delivered=ROWS)
    sliced = Given(produced=ROWS, delivered=SLICED)
    empty = Given(produced=ROWS, delivered="", tool="search")
    unknown = Given(produced=None, delivered="nothing is known of this", tool="look")
    gone = Compaction(at=4, act="trim", after=(0,), recorded=True)
    return [
        *(transcript(f"monday-{number}", [sliced, whole, empty]) for number in range(12)),
        transcript("tuesday", [sliced, unknown, whole], tokens=30_000),
        transcript("long", [whole] * 6, compactions=[gone], window=None),
    ]


def written(folder: Path, text: str) -> Path:
    path = folder / "page.html"
    path.write_text(text, encoding="utf-8")
    return path
