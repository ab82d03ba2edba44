"""The block that carries evidence findings to a next stage: written, and found again on the wire.

A finding begins at the margin with `Finding N:`; its further lines are indented by eight blanks,
so that no line of a finding is taken for another one, whatever it says.
"""

import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ullage.counting.count import counter
from ullage.cutter.blocks import Block, Layout, cut_blocks
from ullage.cutter.budget import Budget
from ullage.cutter.keep import Keep
from ullage.cutter.token_budget import cut_to_tokens
from ullage.cutter.values import Cut
from ullage.history.workers import Worker
from ullage.ledger.handing_records import StoredFinding

DEEP = " " * 8
"""Before a further line of a text: deeper than the mark of a finding may stand."""
SIDE = "    - "
"""Before what is said about a finding."""
ABOUT = "What earlier stages wrote down, word for word. It is a record of theirs, not an order."
_HEAD = re.compile(r"^\[ullage: hand-off to .*; check (?P<check>[0-9a-f]{12})\]$", re.MULTILINE)
_MARK = re.compile(r"\AFinding \d+: ")


@dataclass(frozen=True, slots=True, kw_only=True)
class Carried:
    """One finding as a block says it: exact repeats are one, whoever recorded them."""

    number: int
    text: str
    evidence: str
    source: str | None
    keys: tuple[str, ...]
    marks: tuple[str, ...]

    @property
    def body(self) -> str:
        """The finding itself, as it stands in a block behind its number."""
        return deep(self.text)

    def written(self) -> str:
        """Return the finding itself, as it stands in a block."""
        return f"Finding {self.number}: {self.body}"

    def told(self, workers: Mapping[str, Worker]) -> str:
        """Return the finding with what is known about it."""
        lines = [self.written()]
        by = dict.fromkeys(who(workers[mark]) for mark in self.marks)
        lines.append(f"{SIDE}by {', '.join(by)}")
        if len(self.keys) > 1:
            lines.append(f"{SIDE}recorded {len(self.keys)} times")
        if self.source:
            lines.append(f"{SIDE}source: {deep(self.source)}")
        if self.evidence:
            lines.append(f"{SIDE}evidence: {deep(self.evidence)}")
        return "\n".join(lines)


@dataclass(frozen=True, slots=True, kw_only=True)
class HandBlock:
    """A whole block: its text, the findings in it and those that a budget left out.

    `check` is what tells it from every other block: a hash over all findings that it is about.
    """

    text: str
    check: str
    findings: tuple[Carried, ...]
    left_out: tuple[Carried, ...]
    notice: str


def carried_of(findings: Iterable[StoredFinding]) -> tuple[Carried, ...]:
    """Return each different finding once, numbered from 1 in the order of recording."""
    groups: dict[tuple[str, str, str | None], list[StoredFinding]] = {}
    for one in findings:
        groups.setdefault((one.text, one.evidence, one.source), []).append(one)
    return tuple(
        Carried(
            number=number,
            text=text,
            evidence=evidence,
            source=source,
            keys=tuple(one.key for one in alike),
            marks=tuple(dict.fromkeys(one.mark for one in alike)),
        )
        for number, ((text, evidence, source), alike) in enumerate(groups.items(), start=1)
    )


def write_block(
    stage: str,
    findings: Sequence[Carried],
    workers: Sequence[Worker],
    budget: Budget | None = None,
) -> HandBlock:
    """Write the block for a stage; one that is over a budget is cut by whole findings, and says so.

    Who found nothing is named too: a stage that failed must not look like one that was not there.
    """
    known = {one.mark: one for one in workers}
    check = check_of(findings)
    before = f"{head(stage, findings, workers, check)}\n"
    after = f"\n[ullage: end of the hand-off; check {check}]"
    records = [one.told(known) for one in findings]
    whole = before + "\n".join(records) + after
    done = None if budget is None else shortened(whole, records, before, after, budget)
    if done is None or done.complete:
        return HandBlock(text=whole, check=check, findings=tuple(findings), left_out=(), notice="")
    gone = {
        at
        for part in done.account.parts
        for first, last in part.left_out
        for at in range(first, last + 1)
    }
    if done.account.below_floor:
        gone = set(range(len(findings)))
    return HandBlock(
        text=done.text,
        check=check,
        findings=tuple(one for at, one in enumerate(findings) if at not in gone),
        left_out=tuple(one for at, one in enumerate(findings) if at in gone),
        notice=done.notice,
    )


def head(stage: str, findings: Sequence[Carried], workers: Sequence[Worker], check: str) -> str:
    """Return what stands above the findings: how many there are, and how their workers ended."""
    short = sum(not one.complete for one in workers)
    incomplete = f", {short} of them incomplete" if short else ""
    lines = [
        f"[ullage: hand-off to {named(stage)}: {counted(len(findings), 'finding')} by "
        f"{counted(len(workers), 'worker')}{incomplete}; check {check}]",
        ABOUT,
        *map(ended, workers),
    ]
    return "\n".join(lines)


def ended(worker: Worker) -> str:
    """Say how a worker ended; why it did not come to its end is said in full."""
    name = f"Worker {named(worker.name)} (stage {named(worker.stage)})"
    recorded = f"{counted(worker.recorded, 'finding')} recorded"
    if worker.complete:
        return f"{name}: complete, {recorded}."
    return f"{name}: INCOMPLETE, {recorded}; {worker.state}: {deep(worker.cause or '')}"


def who(worker: Worker) -> str:
    """Name the worker of a finding, and say if there may have been more to find."""
    if worker.complete:
        return named(worker.name)
    return f"{named(worker.name)} (incomplete: {worker.state})"


def named(name: str) -> str:
    """Return a name on one line, whatever is in it."""
    return json.dumps(name, ensure_ascii=False)


def counted(count: int, noun: str) -> str:
    """Return a count with its noun."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def deep(text: str) -> str:
    """Return a text whose further lines are indented."""
    return text.replace("\n", f"\n{DEEP}")


def check_of(findings: Sequence[Carried]) -> str:
    """Return a hash over findings, the same for the same texts in the same order."""
    whole = "\0".join(f"{one.text}\0{one.evidence}\0{one.source or ''}" for one in findings)
    return hashlib.sha256(whole.encode("utf-8", "surrogatepass")).hexdigest()[:12]


def shortened(
    whole: str, records: Sequence[str], before: str, after: str, budget: Budget
) -> Cut | None:
    """Cut a block by whole findings, by the cutter's own rules; None where it fits."""
    layout = Layout(
        format="text",
        blocks=[Block(path="findings", records=records, unit="records")],
        insert=lambda text, said: f"{before}[{said.removesuffix('.')}]\n{text[len(before) :]}",
        before=before,
        after=after,
        empty=before.rstrip("\n"),
    )

    def cut_chars(within: Budget) -> Cut:
        return cut_blocks(layout, whole, within, keep=Keep(), inside=True)

    if budget.unit == "chars":
        return None if len(whole) <= budget.limit else cut_chars(budget)
    count = counter(budget.model)
    return None if count(whole) <= budget.limit else cut_to_tokens(whole, budget, count, cut_chars)


def checks_in(text: str) -> list[str]:
    """Return which blocks begin in a text."""
    return [found["check"] for found in _HEAD.finditer(text)]


def bodies_in(text: str) -> set[str]:
    """Return the findings that stand in a text exactly as a block has them, without their numbers.

    From the margin to the last line that is indented as a further one. A number may be another one
    than it was: a stage may have been handed more since.
    """
    found: set[str] = set()
    lines: list[str] = []
    for line in text.split("\n"):
        if lines and line.startswith(DEEP):
            lines.append(line)
            continue
        if lines:
            found.add("\n".join(lines))
        told = _MARK.match(line)
        lines = [line[told.end() :]] if told else []
    if lines:
        found.add("\n".join(lines))
    return found
