"""What became of the workers of a run: how each ended, and how much it did for its findings."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from ullage.ledger.handing_records import StoredFinding, StoredWorker
from ullage.ledger.records import StoredResult

State = Literal["complete", "failed", "killed", "pre-empted", "cut", "running"]
"""How a worker ended. `killed`: its process is gone and set no end mark. `cut`: a limit stopped it.

All but `complete` leave findings that may not be all there were to find.
"""

STATES: Mapping[str, State] = {
    "ended": "complete",
    "failed": "failed",
    "pre-empted": "pre-empted",
    "cut": "cut",
}
"""The state that the last end mark of a worker says."""

KILLED = "its process is gone, and it set no end mark"
RUNNING = "it had set no end mark when this was put together"


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """How much was done: runs of computations, calls of tools, and calls that were made before.

    A refetch is a call of a tool with arguments that it had been called with already in the run.
    """

    computations: int = 0
    calls: int = 0
    refetches: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Worker:
    """One worker of a run: `mark` tells it from others of its name; `cause` is None if complete."""

    name: str
    mark: str
    stage: str
    state: State
    cause: str | None
    recorded: int
    work: Work

    @property
    def complete(self) -> bool:
        """Whether it came to its end."""
        return self.state == "complete"


def workers_of(
    events: Iterable[StoredWorker],
    findings: Iterable[StoredFinding],
    results: Iterable[StoredResult],
    is_alive: Callable[[str], bool],
) -> tuple[Worker, ...]:
    """Return the workers of a run, in the order in which they began.

    `is_alive` says of a mark whether its process is still there. A tool's recorded result belongs
    to the worker that has the name of its agent, where there is one.
    """
    names: dict[str, tuple[str, str]] = {}
    last: dict[str, StoredWorker] = {}
    recorded: Counter[str] = Counter()
    found = list(events)
    for event in found:
        if event.event == "carried":
            continue
        names.setdefault(event.mark, (event.worker, event.stage))
        if event.event in STATES:
            last[event.mark] = event
    for one in findings:
        names.setdefault(one.mark, (one.worker, one.stage))
        recorded[one.mark] += 1
    work = work_of(found, results, {name: mark for mark, (name, _) in names.items()})
    made = []
    for mark, (name, stage) in names.items():
        state, cause = ending(last.get(mark), alive=mark not in last and is_alive(mark))
        made.append(
            Worker(
                name=name,
                mark=mark,
                stage=stage,
                state=state,
                cause=cause,
                recorded=recorded[mark],
                work=work.get(mark, Work()),
            )
        )
    return tuple(made)


def ending(last: StoredWorker | None, *, alive: bool) -> tuple[State, str | None]:
    """Return how a worker ended, and why it did not come to its end."""
    if last is None:
        return ("running", RUNNING) if alive else ("killed", KILLED)
    why = last.detail.get("why")
    state = STATES[last.event]
    return state, None if state == "complete" else str(why or "no reason was given")


NOBODY = ""
"""The mark of what no worker of a run has done: calls of agents that have no worker's name."""


def work_of(
    events: Iterable[StoredWorker], results: Iterable[StoredResult], marks: Mapping[str, str]
) -> dict[str, Work]:
    """Count what was done, by the mark of the worker; `marks` are those of names of workers."""
    computations: Counter[str] = Counter()
    calls: Counter[str] = Counter()
    refetches: Counter[str] = Counter()
    seen: set[tuple[str, str]] = set()

    def call(mark: str, what: tuple[str, str]) -> None:
        calls[mark] += 1
        refetches[mark] += what in seen
        seen.add(what)

    for event in events:
        if event.event == "computation":
            computations[event.mark] += 1
        elif event.event == "call":
            call(event.mark, (str(event.detail.get("name")), str(event.detail.get("arguments"))))
    for result in results:
        if result.kind == "tool":
            call(marks.get(result.agent or "", NOBODY), (result.tool, result.arguments))
    return {
        mark: Work(computations=computations[mark], calls=calls[mark], refetches=refetches[mark])
        for mark in {*computations, *calls}
    }


def together(parts: Iterable[Work]) -> Work:
    """Add up."""
    found = list(parts)
    return Work(
        computations=sum(one.computations for one in found),
        calls=sum(one.calls for one in found),
        refetches=sum(one.refetches for one in found),
    )
