"""What a harness does with a reply that its length limit stopped."""

from dataclasses import dataclass
from typing import Literal

from ullage.probe.observed import Seen
from ullage.probe.verdict.requests import Story

Reaction = Literal["taken-for-whole", "went-on", "retried", "raised", "withheld", "never-stopped"]
"""`taken-for-whole`: the user got the stopped text as the answer. `went-on`: the model was asked to
go on from it. `retried`: it was asked again as if it had said nothing. `raised`: an error.
`withheld`: the user got another text, and the model was not asked again. `never-stopped`: no reply
was stopped."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Length:
    """The reaction to a stopped reply, the requests that followed it, and what was said to whom.

    `asked` is what the harness said to have it go on; `told` is the user's answer beyond the
    stopped text, where that was taken for whole: does it say that it is not?
    """

    reaction: Reaction
    further_requests: int = 0
    asked: str = ""
    told: str = ""
    error: str | None = None


def length(story: Story) -> Length:
    """Judge what came after the first reply that was stopped by its limit."""
    stopped = next((one for one in story.acting if one.turn.finish_reason == "length"), None)
    if stopped is None:
        return Length(reaction="never-stopped", error=story.observed.error)
    later = [one for one in story.acting if one.number > stopped.number]
    if later:
        return asked_again(story, stopped, later[0], len(later))
    if story.observed.error is not None or story.observed.ended == "crashed":
        return Length(reaction="raised", error=story.observed.error or story.observed.stderr)
    answers = [text for text in story.observed.answers if stopped.turn.text.strip() in text]
    if not answers:
        return Length(reaction="withheld")
    told = answers[-1].replace(stopped.turn.text.strip(), "", 1).strip()
    return Length(reaction="taken-for-whole", told=told)


def asked_again(story: Story, stopped: Seen, after: Seen, further: int) -> Length:
    """Judge the next request by whether it holds the stopped text."""
    text = stopped.turn.text.strip()
    holding = [at for at, one in enumerate(after.messages) if text and text in one.text]
    error = story.observed.error
    if not holding:
        return Length(reaction="retried", further_requests=further, error=error)
    behind = after.messages[holding[-1] + 1 :]
    asked = "\n".join(story.own_words(one).strip() for one in behind if one.role != "assistant")
    return Length(reaction="went-on", further_requests=further, asked=asked, error=error)
