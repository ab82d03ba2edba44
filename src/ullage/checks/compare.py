"""Sessions before a change and after it: what arrived, what it cost, and what else changed."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from ullage.checks.profile import Figures, Profile
from ullage.stats.interval import Interval
from ullage.stats.ratio import Share, ratio, ratio_difference

LEAST_PAIRS = 2
OFTEN = 0.5
"""So many of the sessions of a side call a tool."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """One figure before and after; None where it is not known, `difference` where too few are.

    `n` are the sessions on each side that have it, or the pairs of equal tasks.
    """

    name: str
    before: float | None
    after: float | None
    n_before: int
    n_after: int
    paired: bool
    difference: Interval | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Changed:
    """Something that the two sets were run with, and that is not the same."""

    what: str
    before: Sequence[str]
    after: Sequence[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """All figures, and all that changed besides."""

    figures: Sequence[Compared]
    changed: Sequence[Changed]
    sessions_before: int
    sessions_after: int
    pairs: int

    @property
    def sentence(self) -> str:
        """What may be concluded."""
        if self.changed:
            names = ", ".join(one.what for one in self.changed)
            return f"Not attributable to the cut: {names} changed as well."
        if not self.pairs:
            return (
                "Nothing else that a transcript shows has changed, but the tasks are not the same: "
                "a difference may be theirs."
            )
        return "Nothing else that a transcript shows has changed."


def share_of(part: Callable[[Figures], float], of: Callable[[Figures], float]) -> "Measure":
    """Return a figure that is a part of a whole."""
    return lambda one: Share(part=part(one), of=of(one)) if of(one) else None


def mean_of(value: Callable[[Figures], float | None]) -> "Measure":
    """Return a figure that each session has, or has not."""

    def measure(one: Figures) -> Share | None:
        found = value(one)
        return None if found is None else Share(part=found, of=1)

    return measure


Measure = Callable[[Figures], Share | None]
MEASURES: Mapping[str, Measure] = {
    "arrival": share_of(lambda one: one.delivered, lambda one: one.produced),
    "results cut": share_of(lambda one: one.cut, lambda one: one.results),
    "broken, of the cut": share_of(lambda one: one.broken, lambda one: one.cut),
    "calls a session": mean_of(lambda one: float(one.calls)),
    "tokens a session": mean_of(lambda one: None if one.tokens is None else float(one.tokens)),
    "outcome": mean_of(lambda one: one.outcome),
}


def compare(before: Profile, after: Profile) -> Comparison:
    """Compare two sets of sessions, by pairs of equal tasks where all of them can be paired."""
    pairs = pairs_of(before.sessions, after.sessions)
    old = [one for one, _ in pairs] or before.sessions
    new = [one for _, one in pairs] or after.sessions
    return Comparison(
        figures=[
            compared(name, measure, old, new, paired=bool(pairs))
            for name, measure in MEASURES.items()
        ],
        changed=list(changes(before, after)),
        sessions_before=len(before.sessions),
        sessions_after=len(after.sessions),
        pairs=len(pairs),
    )


def pairs_of(before: Sequence[Figures], after: Sequence[Figures]) -> list[tuple[Figures, Figures]]:
    """Return the sessions whose task is the same, where all of both sides can be paired."""
    counts = [Counter(one.task for one in side) for side in (before, after)]
    if counts[0] != counts[1] or None in counts[0] or max(counts[0].values(), default=0) > 1:
        return []
    by_task = {one.task: one for one in after}
    return [(one, by_task[one.task]) for one in before]


def compared(
    name: str,
    measure: Measure,
    before: Sequence[Figures],
    after: Sequence[Figures],
    *,
    paired: bool,
) -> Compared:
    """Compare one figure; a pair counts where both sides have it."""
    old, new = [measure(one) for one in before], [measure(one) for one in after]
    if paired:
        both = [(one, other) for one, other in zip(old, new, strict=True) if one and other]
        first, second = [one for one, _ in both], [one for _, one in both]
    else:
        first, second = [one for one in old if one], [one for one in new if one]
    enough = min(len(first), len(second)) >= LEAST_PAIRS
    return Compared(
        name=name,
        before=ratio(first),
        after=ratio(second),
        n_before=len(first),
        n_after=len(second),
        paired=paired,
        difference=ratio_difference(first, second, paired=paired) if enough else None,
    )


def changes(before: Profile, after: Profile) -> Iterator[Changed]:
    """Give what the two sets were run with that is not the same."""
    named = {
        "models": (before.models, after.models),
        "agents": (before.agents, after.agents),
        "tools": (before.tools, after.tools),
        "system prompts (dates, times and ids aside)": (before.prompts, after.prompts),
        "windows": (before.windows, after.windows),
        "settings": (before.settings, after.settings),
    }
    for what, (old, new) in named.items():
        if what == "tools" and not (old and new):
            continue  # where one side does not say which were offered, those called are compared
        if set(old) != set(new):
            yield Changed(
                what=what,
                before=sorted(set(old) - set(new)),
                after=sorted(set(new) - set(old)),
            )
    yield from called(before, after)


def called(before: Profile, after: Profile) -> Iterator[Changed]:
    """Give the tools that one side calls again and again and the other one never does.

    Where it is not known which were offered, a tool that few sessions need is called or not.
    """
    sides = [{*one.called, *one.tools} for one in (before, after)]
    often = [
        {tool for tool, times in one.called.items() if times >= OFTEN * len(one.sessions)}
        for one in (before, after)
    ]
    gone, new = often[0] - sides[1], often[1] - sides[0]
    if gone or new:
        yield Changed(what="tools that are called", before=sorted(gone), after=sorted(new))
