"""What a harness does when the model refuses a prompt as too long."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from ullage.probe.observed import Seen
from ullage.probe.verdict.notice import NOTHING, Said
from ullage.probe.verdict.requests import Story
from ullage.probe.verdict.told import first_texts, graded, words_in

Reaction = Literal[
    "raised", "handed-on", "retried-unchanged", "shortened", "gave-up", "never-refused"
]
"""`raised`: the error reached the user's code. `handed-on`: its text was the answer that the user
got. `retried-unchanged`: the same prompt again, and nothing else. `shortened`: a shorter prompt.
`gave-up`: no further request, and no error. `never-refused`: no prompt was."""

FAILED = 400
WITHOUT_FIGURES = "exceeds the context window of this model"
"""What OpenAI's Responses API says of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Overflow:
    """The reaction to a refused prompt.

    `retries` counts unchanged prompts after it. Where it was shortened, `turns_gone` and
    `rows_gone` are the user's turns and the records that went, `notice` what stands in their place,
    and `accepted` says that a shorter prompt was taken in the end.
    """

    reaction: Reaction
    refused: int = 0
    retries: int = 0
    turns_gone: int = 0
    rows_gone: int = 0
    notice: Said = NOTHING
    accepted: bool = False
    error: str | None = None


def overflow(story: Story) -> Overflow:
    """Judge what came after the first prompt that was refused."""
    refused = [one for one in story.acting if one.status >= FAILED]
    error = story.observed.error
    if not refused:
        return Overflow(reaction="never-refused", error=error)
    first = refused[0]
    later = [one for one in story.acting if one.number > first.number]
    retries = [one for one in later if one.messages == first.messages]
    shorter = [one for one in later if characters(one) < characters(first)]
    if error is None and any(told_in(answer, refused) for answer in story.observed.answers):
        # What comes later is shorter because the turn that failed is not in it.
        return Overflow(reaction="handed-on", refused=len(refused), retries=len(retries))
    if shorter:
        return shortened(story, first, shorter, len(refused), len(retries))
    raised = error is not None or story.observed.ended == "crashed"
    quiet: Reaction = "retried-unchanged" if retries else "gave-up"
    return Overflow(
        reaction="raised" if raised else quiet,
        refused=len(refused),
        retries=len(retries),
        error=error,
    )


def shortened(
    story: Story, first: Seen, shorter: Sequence[Seen], refused: int, retries: int
) -> Overflow:
    """Say what a shorter prompt left out: of those, the first that was taken, else the last."""
    taken = next((one for one in shorter if one.status < FAILED), None)
    one = taken or shorter[-1]
    gone = story.given(first) - story.given(one)
    turns = gone & story.turns.keys()
    texts = first_texts(story)
    usual = {words_in(story, each, texts) for each in first.messages}
    new = [words_in(story, each, texts) for each in one.messages]
    return Overflow(
        reaction="shortened",
        refused=refused,
        retries=retries,
        turns_gone=len(turns),
        rows_gone=len(gone - turns),
        notice=graded("\n".join(text for text in new if text not in usual).strip()),
        accepted=taken is not None,
        error=story.observed.error,
    )


def told_in(answer: str, refused: Sequence[Seen]) -> bool:
    """Whether an answer is the provider's error: by the figures that it states, or its words."""
    reasons = [one.turn.refused for one in refused if one.turn.refused is not None]
    by_figures = any(
        one.kind == "overflow" and str(one.tokens) in answer and str(one.window) in answer
        for one in reasons
    )
    return by_figures or WITHOUT_FIGURES in answer


def characters(one: Seen) -> int:
    """Count the characters of a prompt."""
    return sum(len(each.text) for each in one.messages)
