"""The first five days of the week: what policies deliver of a payload, a corpus and culprits."""

import json
import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.replay.culprits import Case, Loudness, cases
from benchmarks.replay.paper import paper
from benchmarks.replay.recording import line_of
from benchmarks.replay.two_lists import two_lists

from ullage import Replayed, arrival, replay
from ullage.arrivals.arrival import Arrival
from ullage.arrivals.landed import landed, made
from ullage.arrivals.second_path import Given, Lost, second_paths
from ullage.arrivals.telling import telling
from ullage.policies.policy import parse_policy

BUDGET = 6_000
POLICIES = (f"prefix:{BUDGET}", f"records:{BUDGET}")
LOUDNESS: tuple[Loudness, ...] = ("loud", "quiet", "other-part")
SHARD = 50
"""Some 50 results are a shard, so that a run that is stopped loses little."""
ABSENT = 0
"""The state of a record of which nothing arrived, as `ullage.arrivals.landed` writes it."""

Progress = Callable[[int, int], object]


@dataclass(frozen=True, slots=True, kw_only=True)
class Simulated:
    """Days 1 and 2: one payload under one policy."""

    policy: str
    produced: int
    delivered: int
    arrival: Arrival


@dataclass(frozen=True, slots=True, kw_only=True)
class Corpus:
    """Days 3 and 4: what a replay of the recorded results found.

    `json_over` are the results over the budget that are JSON, counted apart from the replay.
    """

    smallest: int
    largest: int
    json_over: int
    replayed: Replayed


@dataclass(frozen=True, slots=True, kw_only=True)
class Culprits:
    """Day 5: the culprit's record of some cases under one policy, and whether a path leads to it.

    Of `cases`, its record `arrived` in some. Where it did not, what tells of it stood in the
    `table`, in another `part` of the listing, or nowhere: `quiet`.
    """

    loudness: Loudness
    policy: str
    cases: int
    arrived: int
    table: int
    part: int
    quiet: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Week:
    """What the first five days found."""

    seed: int
    simulated: Sequence[Simulated]
    corpus: Corpus
    culprits: Sequence[Culprits]


def week(
    seed: int, results: int, each: int, work: Path, progress: Progress = lambda _done, _all: None
) -> Week:
    """Carry out five days: a corpus of `results`, `each` cases of every kind of culprit.

    What is under way is kept in `work`: the same call goes on from there.
    """
    return Week(
        seed=seed,
        simulated=tuple(simulated(seed)),
        corpus=corpus(seed, results, work, progress),
        culprits=tuple(culprits(seed, each)),
    )


def simulated(seed: int) -> Iterator[Simulated]:
    """Cut the payload of two lists under each policy."""
    text = two_lists(seed)
    for name in POLICIES:
        delivered = parse_policy(name).applied()(text).text
        yield Simulated(
            policy=name,
            produced=len(text),
            delivered=len(delivered),
            arrival=arrival(text, delivered),
        )


def corpus(seed: int, results: int, work: Path, progress: Progress) -> Corpus:
    """Write the corpus and replay it."""
    found = list(paper(seed, results))
    work.mkdir(parents=True, exist_ok=True)
    path, shards = work / "paper.jsonl", work / "shards"
    if not is_written(path, text := "".join(f"{line_of(one)}\n" for one in found)):
        shutil.rmtree(shards, ignore_errors=True)  # of another corpus
        path.write_text(text, encoding="utf-8", newline="\n")
    done = replay(
        path,
        policies=POLICIES,
        second_path=True,
        work=shards,
        shard=SHARD,
        progress=progress,
    )
    shutil.rmtree(shards)
    sizes = [len(one.text) for one in found]
    return Corpus(
        smallest=min(sizes),
        largest=max(sizes),
        json_over=sum(len(one.text) > BUDGET and is_json(one.text) for one in found),
        replayed=done,
    )


def is_written(path: Path, text: str) -> bool:
    """Whether a file holds a text: it is then left alone, for kept shards go by its time."""
    return path.exists() and path.read_bytes() == text.encode()


def is_json(text: str) -> bool:
    """Whether a text is JSON."""
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


def culprits(seed: int, each: int) -> Iterator[Culprits]:
    """Say of each kind of culprit, under each policy, where its record is known from."""
    for loudness in LOUDNESS:
        made_cases = list(cases(loudness, each, seed))
        for name in POLICIES:
            ends = [end_of(one, name) for one in made_cases]
            yield Culprits(
                loudness=loudness,
                policy=name,
                cases=len(ends),
                arrived=ends.count("arrived"),
                table=ends.count("table"),
                part=ends.count("part"),
                quiet=ends.count("quiet"),
            )


def end_of(case: Case, policy: str) -> str:
    """Say where a culprit's record is known from: arrived, the table, another part, or quiet."""
    deliver = parse_policy(policy).applied()
    texts = [deliver(one.text).text for one in case.results]
    listing = made(case.results[0].text)
    found = landed(listing, texts[0])
    (at,) = (n for n, part in enumerate(found.parts) if part.path == case.truth.part)
    if found.parts[at].states[case.truth.index] != ABSENT:
        return "arrived"
    records = listing.records(at)
    lost = Lost(
        result=0,
        part=case.truth.part,
        index=case.truth.index,
        record=records[case.truth.index],
        telling=telling(records)[case.truth.index],
    )
    given = [
        Given(number=number, tool=one.tool, text=text)
        for number, (one, text) in enumerate(zip(case.results, texts, strict=True))
    ]
    (path,) = second_paths([lost], given)
    if path.place is None:
        return "quiet"
    return "part" if path.place.same else "table"
