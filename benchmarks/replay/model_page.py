"""The last section of the report: what a model said, or that none was asked."""

from collections.abc import Iterator, Sequence
from typing import get_args

from benchmarks.replay.model_check import ARMS, Answered, Place

from ullage.stats.wilson import wilson
from ullage.transcript.words import Cohort

COHORTS: dict[Cohort, str] = {
    "scripted": (
        "The answers came from a **script**, not from a model: they show that the check works, and "
        "nothing about a model."
    ),
    "local-small": (
        "The model is a small local one: it shows that a real model reacts, and nothing about an "
        "agent's skill."
    ),
    "external": "The figures are those of this model, and of no other.",
}
SKIPPED = (
    "Skipped: no model was named. `make reproduce MODEL=http://HOST:PORT/v1 MODEL_NAME=NAME` asks "
    "one, complete against cut."
)


def model_section(answers: Sequence[Answered] | None, model: str) -> Iterator[str]:
    """Yield day 7."""
    yield "## Day 7: a model, complete against cut"
    yield ""
    if answers is None:
        yield SKIPPED
        yield ""
        return
    for cohort in get_args(Cohort):
        own = [one for one in answers if one.cohort == cohort]
        if own:
            yield from cohort_section(own, cohort, model)


def cohort_section(answers: Sequence[Answered], cohort: Cohort, model: str) -> Iterator[str]:
    """Yield the figures of one cohort: cohorts are never pooled."""
    yield f"Cohort `{cohort}`, model `{model}`. {COHORTS[cohort]}"
    yield (
        "Asked was which container holds the process that waited longest. Each answer of a row is "
        "to a listing of its own; the arms have the same listings. Intervals are Wilson's, 95 %."
    )
    yield ""
    yield (
        "| the culprit stands | arm | evidence delivered | correct | share | wrong container "
        "| not there | no answer |"
    )
    yield "|---|---|---|---|---|---|---|---|"
    for place in get_args(Place):
        for arm in ARMS:
            own = [one for one in answers if (one.place, one.arm) == (place, arm)]
            yield line_of(place, arm, own)
    yield ""
    yield invented_sentence(answers)
    yield ""
    failed = [one for one in answers if one.said == "failed"]
    if failed:
        reasons = ", ".join(sorted({one.why for one in failed}))
        yield f"{len(failed)} of {len(answers)} requests failed and are in no row: {reasons}."
        yield ""


def invented_sentence(answers: Sequence[Answered]) -> str:
    """Say how often a container was named where the evidence had been cut away."""
    without = [one for one in answers if not one.evidence and one.said != "failed"]
    wrong = sum(one.said == "wrong" for one in without)
    return (
        f"Of {len(without)} answers whose evidence was cut away, {wrong} named a wrong container "
        "all the same."
    )


def line_of(place: Place, arm: str, answers: Sequence[Answered]) -> str:
    """Return a row; what failed is not in it."""
    counted = [one for one in answers if one.said != "failed"]
    said = [one.said for one in counted]
    correct = said.count("correct")
    share = "n/a"
    if said:
        found = wilson(correct, len(said))
        share = f"{100 * found.estimate:.0f} % ({100 * found.low:.0f} to {100 * found.high:.0f})"
    cells = [
        f"{place} in the listing",
        f"`{arm}`",
        f"{sum(one.evidence for one in counted)} of {len(counted)}",
        f"{correct} of {len(said)}",
        share,
        *(str(said.count(one)) for one in ("wrong", "not there", "no answer")),
    ]
    return f"| {' | '.join(cells)} |"
