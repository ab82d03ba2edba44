"""Reading what is too large for one request: in chunks of whole records, which are merged."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Required, TypedDict, Unpack

from ullage.counting.count import count, counter, encoding_for
from ullage.cutter.budget import Budget, chars, tokens
from ullage.cutter.decode import as_text
from ullage.cutter.values import Format
from ullage.history.chunk_asking import Ask, AskAsync, Asking, Steps, run, run_async
from ullage.history.chunk_journal import Journal
from ullage.history.chunk_plan import Oversize, Room
from ullage.history.chunk_steps import Joined, Plan, read_chunks, read_whole
from ullage.history.chunk_words import MERGE, frame_of, merge_text
from ullage.history.chunked import Base, Chunked
from ullage.history.in_pieces import split_large
from ullage.history.sheet import sheet_of

SHARE = 0.40
MOST_RESERVE = 4096
LEAST_ROOM = 16


class Reading(TypedDict, total=False):
    """How data is read.

    `instruction`: what to do with the records; it follows them. `budget`: the tokens of the window
    (a number), or `chars(n)` or `tokens(n, model=…)`. `reserve`: what of it is left for the reply
    (default: a quarter, 4096 at most). `share`: what the data may take of the rest. `by`: a key
    whose equal values stay in one chunk. `size`: records in a chunk at most. `merge`: an
    instruction for merging, or a function of the partial results. `model`: whose tokens are
    counted. `retries` of a request. `workers`: requests at a time. `journal`: a file of answers to
    go on from. `oversize`: `cut` or `refuse` a record that is larger than a chunk. `format` of the
    data. `key`: the field that names a record.
    """

    instruction: Required[str]
    budget: Required[int | Budget]
    reserve: int
    share: float
    by: str
    size: int
    merge: str | Joined
    model: str
    retries: int
    workers: int
    journal: Path | str
    oversize: Oversize
    format: Format
    key: str


def read_in_chunks(data: object, ask: Ask, **reading: Unpack[Reading]) -> Chunked:
    """Read `data` in one request if it is small beside the budget, else in chunks that are merged.

    `data` is text, bytes or a value that JSON can hold; `ask(messages)` sends messages to a model
    and returns its text (raise where the reply was stopped early: that is retried). The options are
    those of `Reading`. Over `share` of the budget after the reserve, each whole record goes into
    exactly one request, and another one merges the partial results, in levels where they do not
    fit together. What could not be read is named in the result and above its text.

    Raises ValueError for wrong arguments, HistoryError for a record that must not be cut, and
    whatever interrupts it; with a `journal` the next call goes on from there.
    """
    steps, asking = prepared(data, reading)
    return run(steps, ask, asking)


async def read_in_chunks_async(
    data: object, ask: AskAsync | Ask, **reading: Unpack[Reading]
) -> Chunked:
    """Read data as `read_in_chunks` does, with an async function."""
    steps, asking = prepared(data, reading)
    return await run_async(steps, ask, asking)


def prepared(data: object, reading: Reading) -> tuple[Steps[Chunked], Asking]:
    """Check what is asked for, and return the reading that is to be gone through."""
    journal = Journal(Path(reading["journal"])) if "journal" in reading else None
    asking = Asking(
        retries=at_least("retries", reading.get("retries", 1), 0),
        workers=at_least("workers", reading.get("workers", 1), 1),
        journal=journal,
    )
    plan = plan_of(as_text(data), reading)
    steps = read_chunks(plan) if plan.base.over else read_whole(plan)
    return (steps if journal is None else noted(steps, journal)), asking


def noted(steps: Steps[Chunked], journal: Journal) -> Steps[Chunked]:
    """Put what could not be read of the journal among the notes of the result."""
    done = yield from steps
    return replace(done, notes=(*journal.notes, *done.notes))


def plan_of(data: str, reading: Reading) -> Plan:
    """Return what is to be done, decided before the first request."""
    budget = budget_of(reading)
    measure = measure_of(budget)
    reserve = at_least("reserve", reading.get("reserve", min(MOST_RESERVE, budget.limit // 4)), 0)
    share = reading.get("share", SHARE)
    if not 0 < share <= 1:
        raise ValueError(f"share={share!r}: a share of the usable budget is over 0 and at most 1")
    usable = budget.limit - reserve
    base = Base(
        unit="characters" if budget.unit == "chars" else "tokens",
        budget=budget.limit,
        reserve=reserve,
        usable=usable,
        share=share,
        most=int(share * usable),
        data=measure(data),
    )
    instruction = reading["instruction"]
    limit = min(base.most, usable - measure(frame_of(instruction)))
    if limit < LEAST_ROOM:
        raise ValueError(
            f"budget={budget.limit}: with reserve {reserve} and this instruction there is no room "
            f"for records ({limit} {base.unit}): raise the budget"
        )
    merge = reading.get("merge", MERGE)
    frame = measure(merge_text([], [], instruction, merge).content) if isinstance(merge, str) else 0
    if frame > usable // 2:
        raise ValueError(
            f"budget={budget.limit}: what is said in a merge request takes {frame} of {usable} "
            f"{base.unit}, which leaves no room for what is merged: raise the budget"
        )
    sheet, notes = sheet_of(data, reading.get("format")), list[str]()
    oversize = oversize_of(reading)
    if base.over and oversize == "cut":
        sheet, notes = split_large(sheet, measure, limit)
    return Plan(
        data=data,
        sheet=sheet,
        base=base,
        room=Room(
            limit=limit,
            measure=measure,
            budget=partial(same_unit, budget),
            size=at_least("size", reading["size"], 1) if "size" in reading else None,
            oversize=oversize,
        ),
        instruction=instruction,
        by=reading.get("by"),
        key=reading.get("key"),
        merge=merge,
        merge_room=usable,
        notes=tuple(notes),
        budget=partial(same_unit, budget),
    )


def budget_of(reading: Reading) -> Budget:
    """Return the budget; a number is tokens of the model."""
    given = reading["budget"]
    return given if isinstance(given, Budget) else tokens(given, model=reading.get("model"))


def oversize_of(reading: Reading) -> Oversize:
    """Return what becomes of a record that is too large."""
    found = reading.get("oversize", "cut")
    if found not in ("cut", "refuse"):
        raise ValueError(f"oversize={found!r}: choose 'cut' or 'refuse'")
    return found


def same_unit(budget: Budget, limit: int) -> Budget:
    """Return another limit in the unit of a budget."""
    return chars(limit) if budget.unit == "chars" else tokens(limit, model=budget.model)


def measure_of(budget: Budget) -> Callable[[str], int]:
    """Return how a text is measured: never too small, also where tokens can only be estimated."""
    if budget.unit == "chars":
        return len
    if encoding_for(budget.model) is not None:
        return counter(budget.model)
    return lambda text: count(text, model=budget.model).high


def at_least(name: str, value: int, least: int) -> int:
    """Return a whole number. Raises ValueError where it is too small."""
    if value < least:
        raise ValueError(f"{name}={value!r}: {least} or more")
    return value
