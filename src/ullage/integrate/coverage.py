"""Whether the model of a user's own pipeline sees all records, whatever their number."""

import asyncio
import hashlib
import inspect
import itertools
import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import get_args

from ullage.arrivals.told import tells_missing
from ullage.checks.covered import Cell, Coverage, LookedIn
from ullage.cutter.decode import as_text
from ullage.integrate.arrived import text_of
from ullage.integrate.recorded_run import RecordedRun

Record = dict[str, object]
Pipeline = Callable[[list[Record], list[str], list[str]], object]
"""Gets the records, what the user said in each earlier turn, and further tool results."""

DIGITS = 12
ID = re.compile(rf"(?<!\w)R[0-9A-F]{{{DIGITS}}}(?!\w)")
FILLER = "left at the door, "
KINDS = 4


def order(identity: str, number: int) -> Record:
    """Make one record as `check_coverage` does: an order of some 120 to 180 characters."""
    return {
        "id": identity,
        "customer": f"customer {number % 37}",
        "status": "open" if number % 3 else "closed",
        "total": f"{number % 90 + 10}.50 EUR",
    }


def check_coverage(
    pipeline: Pipeline,
    *,
    records: Sequence[int] = (50, 200, 500),
    turns: Sequence[int] = (0, 5, 12),
    tool_calls: Sequence[int] = (0, 3),
    repeats: int = 3,
    make: Callable[[str, int], Record] = order,
    run: RecordedRun | None = None,
    look_in: LookedIn | None = None,
) -> Coverage:
    """Call a pipeline for every cell of a grid, and count the records that its model saw.

    `pipeline(records, earlier_turns, tool_calls)` puts `records`, a list of objects, in front of
    its model, after or before as many turns as `earlier_turns` has texts (what the user said) and
    as many tool calls as `tool_calls` has texts (what they returned). Every record has an id that
    nobody can guess; `make(id, number)` makes one of another shape, which holds that id as a value.

    The ids are looked for in the last request to the model that `run` recorded in the case; where
    none was, in what the pipeline returned. `look_in` says it: "last request", "any request" (data
    sent in pieces, one call each) or "returned". A record counts as seen when its id is there.
    Raises ValueError where there is nothing to look in, and for a grid without cells.
    """
    check_grid(records, turns, tool_calls, repeats)
    if look_in is not None and look_in not in get_args(LookedIn):
        raise ValueError(f"look_in is {look_in!r}: use {', '.join(map(repr, get_args(LookedIn)))}")
    wire = Wire(run)
    cells = itertools.product(records, turns, tool_calls)
    return Coverage(
        cells=tuple(
            cell_of(
                [
                    tried(pipeline, Case.of(size, number, repeat, make), wire, look_in)
                    for repeat in range(repeats)
                ]
            )
            for number, size in enumerate(cells)
        )
    )


def check_grid(
    records: Sequence[int], turns: Sequence[int], tool_calls: Sequence[int], repeats: int
) -> None:
    """Refuse a grid that asks nothing."""
    if not records or min(records) < 1 or repeats < 1:
        raise ValueError("records and repeats are 1 or more each, and there is at least one size")
    if not turns or not tool_calls or min(*turns, *tool_calls, 0) < 0:
        raise ValueError("turns and tool_calls are 0 or more each, and there is at least one")


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """What one call of a pipeline gets."""

    records: list[Record]
    ids: frozenset[str]
    turns: list[str]
    tool_calls: list[str]

    @classmethod
    def of(
        cls,
        size: tuple[int, int, int],
        number: int,
        repeat: int,
        make: Callable[[str, int], Record],
    ) -> "Case":
        """Make a case: ids of its own, texts of one length in all repeats of a cell.

        Cells differ in the length of a record, so that a limit of characters looks different from
        a limit of records.
        """
        wanted, turns, calls = size
        seed = f"{size} {repeat}"
        ids = [identity(f"{seed} {index}") for index in range(wanted)]
        note = {} if make is not order else {"note": FILLER * (1 + number % KINDS)}
        return cls(
            records=[{**make(one, index), **note} for index, one in enumerate(ids)],
            ids=frozenset(ids),
            # Of this case alone: equal beginnings would look like one conversation, rewritten.
            turns=[
                f"Earlier question {n + 1}: is shipment {identity(f'{seed} turn {n}')} on its way?"
                for n in range(turns)
            ],
            tool_calls=[
                json.dumps({"shipment": identity(f"{seed} call {n}"), "state": "on its way"})
                for n in range(calls)
            ],
        )


def identity(seed: str) -> str:
    """Return an id that nobody can guess, and no text holds by chance."""
    return f"R{hashlib.blake2b(seed.encode()).hexdigest()[:DIGITS].upper()}"


class Wire:
    """What a run records, as far as it was not read yet."""

    def __init__(self, run: RecordedRun | None) -> None:
        self._run, self._read = run, 0
        self.new_texts()

    def new_texts(self) -> list[str]:
        """Return what each request to the model said since this was asked last."""
        texts = []
        for one in () if self._run is None else self._run.exchanges_after(self._read):
            self._read = one.number
            if one.kind == "turn" and one.request is not None and one.request.messages:
                texts.append("\n".join(message.text for message in one.request.messages))
        return texts


@dataclass(frozen=True, slots=True, kw_only=True)
class Tried:
    """One case, and what was seen in it."""

    case: Case
    seen: int
    told: bool
    looked_in: LookedIn
    lost_later: bool


def tried(pipeline: Pipeline, case: Case, wire: Wire, look_in: LookedIn | None) -> Tried:
    """Call the pipeline with one case, and look what its model was given."""
    returned = called(pipeline, case)
    sent = wire.new_texts()
    where = look_in or ("last request" if sent else "returned")
    given = text_in(where, sent, returned)
    seen = case.ids & set(ID.findall(given))
    earlier = {one for text in sent for one in ID.findall(text)} & case.ids
    return Tried(
        case=case,
        seen=len(seen),
        told=len(seen) == len(case.ids) or tells_missing(given, len(case.ids), len(seen)),
        looked_in=where,
        lost_later=bool(earlier - seen),
    )


def called(pipeline: Pipeline, case: Case) -> object:
    """Call a pipeline, async or not, with copies: it may change what it gets."""
    try:
        returned = pipeline([dict(one) for one in case.records], [*case.turns], [*case.tool_calls])
        return asyncio.run(returned) if inspect.iscoroutine(returned) else returned
    except Exception as error:
        error.add_note(
            f"in the case of {len(case.records)} records, {len(case.turns)} earlier turns and "
            f"{len(case.tool_calls)} further tool calls"
        )
        raise


def text_in(where: LookedIn, sent: Sequence[str], returned: object) -> str:
    """Return the text in which the ids are looked for."""
    if where == "returned":
        if returned is None:
            raise ValueError(
                "the pipeline returned nothing and sent no request that was recorded: return what "
                "the model was given, or give its client the base URL of the run"
            )
        return text_of(returned, "check_coverage: what the pipeline returned")
    if not sent:
        raise ValueError(
            f"look_in={where!r}, but the pipeline sent no request that was recorded: give its "
            "client the base URL of the run"
        )
    return sent[-1] if where == "last request" else "\n".join(sent)


def cell_of(repeats: Sequence[Tried]) -> Cell:
    """Return one cell of its repeats."""
    case = repeats[0].case
    data = len(as_text(case.records))
    return Cell(
        records=len(case.records),
        turns=len(case.turns),
        tool_calls=len(case.tool_calls),
        seen=tuple(one.seen for one in repeats),
        told=all(one.told for one in repeats),
        looked_in=repeats[0].looked_in,
        data_chars=data,
        chars=data + sum(len(text) for text in (*case.turns, *case.tool_calls)),
        lost_later=any(one.lost_later for one in repeats),
    )
