"""Which recorded findings stand in the deciding stage's first request, and what they have cost."""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from ullage.arrivals.child_findings import finding_arrivals
from ullage.arrivals.lines import texts_in
from ullage.arrivals.read import read
from ullage.history.hand_block import Carried, bodies_in
from ullage.history.workers import Work, Worker, together


@dataclass(frozen=True, slots=True, kw_only=True)
class FindingYield:
    """What the work of a worker, of a stage or of all came to.

    `recorded` counts every record, `found` different findings, `carried` those that were put into
    the block, `arrived` those that were recorded and stand in the deciding stage's request. `state`
    and `cause` are None for more than one worker.
    """

    worker: str | None
    stage: str | None
    state: str | None
    cause: str | None
    recorded: int
    found: int
    carried: int
    arrived: int
    work: Work

    @property
    def finding_yield(self) -> float | None:
        """Findings that arrived ÷ computations; None where no computation is known, never 0."""
        computations = self.work.computations
        return self.arrived / computations if computations else None

    @property
    def computations_per_finding(self) -> float | None:
        """Computations for each finding that arrived; None where none is known, or none arrived."""
        computations = self.work.computations
        return computations / self.arrived if self.arrived and computations else None

    @property
    def calls_per_finding(self) -> float | None:
        """Calls of tools for each finding that arrived; None where none is known, or none did."""
        return self.work.calls / self.arrived if self.arrived and self.work.calls else None

    def to_dict(self) -> dict[str, object]:
        """Return the members of `total`, `workers[]` and `stages[]` in `ullage.handoff/1`."""
        return {
            "worker": self.worker,
            "stage": self.stage,
            "state": self.state,
            "cause": self.cause,
            "recorded": self.recorded,
            "found": self.found,
            "carried": self.carried,
            "arrived": self.arrived,
            "computations": self.work.computations,
            "calls": self.work.calls,
            "refetches": self.work.refetches,
            "finding_yield": self.finding_yield,
            "computations_per_finding": self.computations_per_finding,
            "calls_per_finding": self.calls_per_finding,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class HandoffArrival:
    """What the first request of a stage was given of all that was recorded before it.

    `request` is the number of the request in the ledger, or its place among the bodies that were
    given, from 0; None where there is none. `exact` counts the findings that stand there letter for
    letter. The texts are as the ledger keeps them: without secrets.
    """

    stage: str
    request: int | None
    exact: int
    partial: tuple[str, ...]
    missing: tuple[str, ...]
    not_carried: tuple[str, ...]
    total: FindingYield
    workers: tuple[FindingYield, ...]
    stages: tuple[FindingYield, ...]

    @property
    def whole(self) -> bool:
        """Whether every finding that was recorded arrived."""
        return self.request is not None and not self.partial and not self.missing

    @property
    def finding_yield(self) -> float | None:
        """Findings that arrived ÷ computations; None where no computation is known."""
        return self.total.finding_yield

    def to_dict(self) -> dict[str, object]:
        """Return the members of `ullage.handoff/1`, in their order."""
        return {
            "stage": self.stage,
            "request": self.request,
            "whole": self.whole,
            "exact": self.exact,
            "partial": list(self.partial),
            "missing": list(self.missing),
            "not_carried": list(self.not_carried),
            "total": self.total.to_dict(),
            "workers": [one.to_dict() for one in self.workers],
            "stages": [one.to_dict() for one in self.stages],
        }


def arrival_of(
    stage: str,
    request: int | None,
    texts: Sequence[str],
    findings: Sequence[Carried],
    keys: Collection[str],
    workers: Sequence[Worker],
    nobody: Work | None = None,
) -> HandoffArrival:
    """Say which findings stand in the texts of a request; `keys` are those that were carried.

    A finding stands there as its block has it, or else in the words that another hand-over has made
    of it. `nobody` is work that no worker of the run has done.
    """
    exact, partial, missing = sought(findings, texts, keys)
    lost = {one.number for one in (*partial, *missing)}
    there = {one.number for one in findings} - lost
    made = [figures(one, findings, there, keys) for one in workers]
    stages = dict.fromkeys(one.stage for one in workers)
    parts = [one.work for one in workers] + ([] if nobody is None else [nobody])
    return HandoffArrival(
        stage=stage,
        request=request,
        exact=len(exact),
        partial=tuple(one.text for one in partial),
        missing=tuple(one.text for one in missing),
        not_carried=tuple(one.text for one in findings if not is_carried(one, keys)),
        total=of_group(None, workers, findings, there, keys, together(parts)),
        workers=tuple(made),
        stages=tuple(
            of_group(
                name,
                group := [one for one in workers if one.stage == name],
                findings,
                there,
                keys,
                together(one.work for one in group),
            )
            for name in stages
        ),
    )


def sought(
    findings: Sequence[Carried], texts: Sequence[str], keys: Collection[str]
) -> tuple[list[Carried], list[Carried], list[Carried]]:
    """Return the findings that stand in texts as written, those in part, and those not at all.

    Other words count for what was carried, or for all where nothing was: what a block has left out
    must not be found in findings that read much like it.
    """
    exact, rest = split(findings, texts)
    if rest:
        inside, rest = split(rest, [text for whole in texts for text in texts_in(read(whole))])
        exact += inside
    reworded = [one for one in rest if is_carried(one, keys) or not keys]
    absent = [one for one in rest if keys and not is_carried(one, keys)]
    if not reworded:
        return exact, [], absent
    # All are given, though only the rest is asked for: what identifies a finding is what no other
    # finding has.
    told = finding_arrivals([one.text for one in findings], "\n".join(texts))
    in_part, gone = set(told.partial), set(told.missing)
    partial = [one for one in reworded if one.text in in_part]
    missing = [one for one in reworded if one.text in gone]
    return exact, partial, sorted([*missing, *absent], key=lambda one: one.number)


def split(findings: Sequence[Carried], texts: Sequence[str]) -> tuple[list[Carried], list[Carried]]:
    """Return the findings that stand in texts as written, and the others."""
    bodies = {body for text in texts for body in bodies_in(text)}
    exact = [one for one in findings if one.body in bodies]
    return exact, [one for one in findings if one.body not in bodies]


def is_carried(finding: Carried, keys: Collection[str]) -> bool:
    """Whether a finding was put into the block."""
    return any(key in keys for key in finding.keys)


def figures(
    worker: Worker, findings: Sequence[Carried], there: Collection[int], keys: Collection[str]
) -> FindingYield:
    """Return what the work of one worker came to."""
    alone = of_group(worker.stage, [worker], findings, there, keys, worker.work)
    return replace(alone, worker=worker.name, state=worker.state, cause=worker.cause)


def of_group(
    stage: str | None,
    workers: Sequence[Worker],
    findings: Sequence[Carried],
    there: Collection[int],
    keys: Collection[str],
    work: Work,
) -> FindingYield:
    """Return what the work of several workers came to; a finding of two of them counts once.

    `there` holds the numbers of the findings that arrived.
    """
    marks = {one.mark for one in workers}
    theirs = [one for one in findings if not marks.isdisjoint(one.marks)]
    return FindingYield(
        worker=None,
        stage=stage,
        state=None,
        cause=None,
        recorded=sum(one.recorded for one in workers),
        found=len(theirs),
        carried=sum(is_carried(one, keys) for one in theirs),
        arrived=sum(one.number in there for one in theirs),
        work=work,
    )


def parsed(body: bytes | str | Mapping[str, object]) -> Mapping[str, object]:
    """Return a request body as an object. Raises ValueError or TypeError."""
    if isinstance(body, Mapping):
        return body
    try:
        found = json.loads(body)
    except ValueError as error:
        raise ValueError(f"a request body is JSON, and this one is not: {error}") from error
    if not isinstance(found, dict):
        raise TypeError(f"a request body is a JSON object, got {type(found).__name__}")
    return found
