"""What each auxiliary request was shown of what it was to replace."""

from dataclasses import dataclass

from ullage.probe.observed import Seen
from ullage.probe.verdict.requests import Guess, Story, guess


@dataclass(frozen=True, slots=True, kw_only=True)
class Auxiliary:
    """One request beside the acting model's.

    `rows_seen` and `turns_seen` are the records of payloads and the user's turns in it.
    `rows_replaced` and `turns_replaced` are those that the acting model had before it, and since
    the last one of its kind, and no longer has in its next request; `rows_seen_of_them` and
    `turns_seen_of_them` say how many of these it was shown. `guess` is a hint by words only.
    """

    request: int
    guess: Guess
    rows_seen: int
    turns_seen: int
    rows_replaced: int
    rows_seen_of_them: int
    turns_replaced: int
    turns_seen_of_them: int
    size: int

    @property
    def starved(self) -> bool:
        """Whether records were replaced, and it was shown none of them."""
        return self.rows_replaced > 0 and self.rows_seen_of_them == 0


def auxiliary(story: Story) -> tuple[Auxiliary, ...]:
    """Judge the auxiliary requests of a case, in their order."""
    return tuple(judged(story, one) for one in story.auxiliary)


def judged(story: Story, one: Seen) -> Auxiliary:
    """Judge one request."""
    shown = story.ids(one.text)
    gone = replaced(story, one)
    return Auxiliary(
        request=one.number,
        guess=guess(story, one),
        rows_seen=len(rows(story, shown)),
        turns_seen=len(turns(story, shown)),
        rows_replaced=len(rows(story, gone)),
        rows_seen_of_them=len(rows(story, gone & shown)),
        turns_replaced=len(turns(story, gone)),
        turns_seen_of_them=len(turns(story, gone & shown)),
        size=one.size,
    )


def replaced(story: Story, one: Seen) -> frozenset[str]:
    """Return the ids that the acting model had before a request, and does not have after it.

    All that went since the last request of this kind: a harness may first drop what is too long to
    be summarised. What the last call returned counts as had: it may be given away before the model
    sees it.
    """
    before = [each for each in story.acting if each.number < one.number]
    after = [each for each in story.acting if each.number > one.number]
    if not before or not after:
        return frozenset()
    begin = before_it(story, one)
    had = [story.given(each) for each in before if each.number > begin] or [story.given(before[-1])]
    made = (name for each in story.made_by(before[-1]) for name in each.places)
    return frozenset(made).union(*had) - story.given(after[0])


def before_it(story: Story, one: Seen) -> int:
    """Return the number of the last auxiliary request before one that seems to be alike."""
    kind = guess(story, one)
    numbers = [
        each.number
        for each in story.auxiliary
        if each.number < one.number and guess(story, each) == kind
    ]
    return max(numbers, default=0)


def rows(story: Story, ids: frozenset[str]) -> frozenset[str]:
    """Return the records among ids."""
    return ids - turns(story, ids)


def turns(story: Story, ids: frozenset[str]) -> frozenset[str]:
    """Return the user's turns among ids."""
    return ids & story.turns.keys()
