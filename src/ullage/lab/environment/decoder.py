"""Whether a culprit can be told from delivered text alone by anything else than its name.

A quiet culprit is one of some containers that are alike. A decoder gives each of them a score from
the texts; it is better off than an agent, for it is told who the candidates are. If over a cohort
one of the decoders picks the culprit more often than chance, the texts carry what they should not,
and no quiet case of the cohort counts. Chance is one candidate of each case.
"""

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from ullage.lab.environment.second_path import Identity, spellings

Verdict = Literal["at chance", "leaks", "too few cases"]
ALPHA = 0.05
"""Over all decoders together: each one's share is this by their number (Bonferroni)."""
NEAR = 2
WORD = re.compile(r"[\w.-]*[\w-]")
DIGITS = re.compile(r"(?<![\w.])\d+(?![\w.])")


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One run: the texts that were delivered, who might be the culprit, and which one is."""

    texts: tuple[str, ...]
    candidates: tuple[Identity, ...]
    culprit: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Decoded:
    """What one decoder made of a cohort.

    `hits` is the number of culprits picked, a tie of n counting 1/n; `chance` what guessing gives;
    `p` the probability that guessing gives as many or more.
    """

    decoder: str
    hits: float
    chance: float
    cases: int
    p: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Decoding:
    """What all decoders made of a cohort; `leaks` are those beyond chance."""

    verdict: Verdict
    decoded: tuple[Decoded, ...]
    leaks: tuple[Decoded, ...]


def decode(cases: Sequence[Case]) -> Decoding:
    """Return whether any decoder picks the culprits of a cohort beyond chance.

    "too few cases" where not even picking all of them would show it. Raises ValueError for a
    cohort without cases, and for a case without two candidates.
    """
    if not cases:
        raise ValueError("a cohort without cases cannot be at chance; run some quiet recordings")
    for one in cases:
        if len(one.candidates) < 2 or not 0 <= one.culprit < len(one.candidates):
            raise ValueError(
                f"culprit {one.culprit} of {len(one.candidates)} candidates: a case needs two or "
                "more, and its culprit among them"
            )
    told = [[features(one, candidate) for candidate in one.candidates] for one in cases]
    scores = {
        name: [[sign * row[feature] for row in rows] for rows in told]
        for name, (feature, sign) in simple(told).items()
    }
    scores["learned"] = [learned(cases, told, at) for at in range(len(cases))]
    scores["neighbour"] = [neighbour(cases, at) for at in range(len(cases))]
    decoded = tuple(judged(name, cases, rows) for name, rows in scores.items())
    border = ALPHA / len(decoded)
    leaks = tuple(one for one in decoded if one.p <= border)
    chances = [1 / len(one.candidates) for one in cases]
    verdict: Verdict = "leaks" if leaks else "at chance"
    if not leaks and at_least(chances, len(cases)) > border:
        verdict = "too few cases"
    return Decoding(verdict=verdict, decoded=decoded, leaks=leaks)


def features(case: Case, candidate: Identity) -> dict[str, float]:
    """Return what can be asked of a candidate and the texts of its case."""
    text = "\n".join(case.texts)
    words = WORD.findall(text)
    lowered = [word.lower() for word in words]
    tokens = set(candidate.tokens)
    halves = {half for half in candidate.container.lower().split("-") if len(half) > 2}
    numbers = [int(one) for one in DIGITS.findall(text)]
    order = sorted(case.candidates, key=lambda one: one.ns)
    return {
        "mentioned": sum(word in tokens for word in words),
        "half mentioned": sum(any(half in word for half in halves) for word in lowered),
        "spelled": sum(one in text for token in tokens for one in spellings(token)),
        "numbers nearby": sum(
            abs(number - pid) <= NEAR for number in numbers for pid in candidate.pids[:1]
        ),
        "name": rank(case, candidate, lambda one: one.container),
        "namespace": order.index(candidate),
        "pid": rank(case, candidate, lambda one: min(one.pids, default=0)),
        "last pid": rank(case, candidate, lambda one: max(one.pids, default=0)),
        "processes": len(candidate.pids),
        "place": float(case.candidates.index(candidate)),
        "first mention": next((at for at, word in enumerate(words) if word in tokens), len(words)),
    }


def rank(case: Case, candidate: Identity, key: Callable[[Identity], str | int]) -> float:
    """Return how many candidates come before this one by a key."""
    return sum(key(one) < key(candidate) for one in case.candidates)  # type: ignore[operator]  # one key, one type


def simple(told: Sequence[Sequence[dict[str, float]]]) -> dict[str, tuple[str, int]]:
    """Return the decoders that ask for the most and for the least of one feature."""
    return {
        f"{word} {feature}": (feature, sign)
        for feature in told[0][0]
        for word, sign in (("most", 1), ("least", -1))
    }


def learned(
    cases: Sequence[Case], told: Sequence[Sequence[dict[str, float]]], at: int
) -> list[float]:
    """Return scores by what tells culprits from their peers in all other cases.

    Each feature's weight is the mean of the culprit's distance from its peers there, in units of
    the spread of those distances.
    """
    weights: dict[str, float] = {}
    for feature in told[at][0]:
        apart = [
            rows[case.culprit][feature] - math.fsum(row[feature] for row in rows) / len(rows)
            for number, (case, rows) in enumerate(zip(cases, told, strict=True))
            if number != at
        ]
        mean = math.fsum(apart) / len(apart) if apart else 0.0
        spread = math.sqrt(math.fsum((one - mean) ** 2 for one in apart) / max(1, len(apart)))
        weights[feature] = mean / (spread + 1.0)
    return [
        round(math.fsum(weights[feature] * value for feature, value in row.items()), 9)
        for row in told[at]
    ]


def neighbour(cases: Sequence[Case], at: int) -> list[float]:
    """Return scores by the case whose texts are most alike in size: its culprit's place again.

    That finds what the sizes of texts give away. Places are those by namespace.
    """
    mine = sizes(cases[at])
    best = min(
        (number for number in range(len(cases)) if number != at),
        key=lambda number: (math.dist(mine, matched(sizes(cases[number]), len(mine))), number),
        default=None,
    )
    if best is None:
        return [0.0] * len(cases[at].candidates)
    wanted = place(cases[best], cases[best].culprit)
    return [float(place(cases[at], one) == wanted) for one in range(len(cases[at].candidates))]


def sizes(case: Case) -> list[float]:
    """Return the lengths of a case's texts."""
    return [float(len(text)) for text in case.texts]


def matched(found: list[float], length: int) -> list[float]:
    """Return lengths for so many texts: 0 where there are fewer."""
    return [*found, *[0.0] * length][:length]


def place(case: Case, candidate: int) -> int:
    """Return how many candidates of a case have a smaller namespace number."""
    return sum(one.ns < case.candidates[candidate].ns for one in case.candidates)


def judged(name: str, cases: Sequence[Case], scores: Sequence[Sequence[float]]) -> Decoded:
    """Return how often a decoder picked the culprit, and how likely guessing does as well."""
    hits = 0.0
    for case, row in zip(cases, scores, strict=True):
        top = max(row)
        if row[case.culprit] == top:
            hits += 1 / sum(one == top for one in row)
    chances = [1 / len(one.candidates) for one in cases]
    return Decoded(
        decoder=name,
        hits=round(hits, 9),
        chance=round(math.fsum(chances), 9),
        cases=len(cases),
        p=at_least(chances, math.ceil(round(hits, 9))),
    )


def at_least(chances: Sequence[float], hits: int) -> float:
    """Return the probability of so many hits or more, each with its own chance (exact)."""
    spread = [1.0]
    for chance in chances:
        spread = [
            (spread[at] if at < len(spread) else 0.0) * (1 - chance)
            + (spread[at - 1] * chance if at else 0.0)
            for at in range(len(spread) + 1)
        ]
    return min(1.0, math.fsum(spread[hits:]))
