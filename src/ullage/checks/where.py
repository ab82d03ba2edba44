"""Where one value was lost: the five layers in their order, and the first request without it."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from ullage.checks.follow import Asked, Followed, Made
from ullage.checks.history_limit import Limit, limit_of
from ullage.checks.likely import ADVICE, KEEP, setting, setting_of
from ullage.transcript.words import Boundary

DISTINCT = 4
"""Another spelling that is shorter may stand in a request by chance."""

Verdict = Literal["lost", "kept", "dropped-on-purpose", "unknown", "never-seen"]
Whose = Literal["tool", "harness", "provider", "unknown"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnosis:
    """What became of a value: the boundary where it was lost, in whose code, why, what to do.

    `first_without` is the first request that should have had it and has not; `back` the first one
    behind it in its conversation that has it again. `gone` counts the messages that left there, by
    role, `characters` how long they are. `limit` is the limit of the history that explains what
    its requests held. `setting` is the likely one: by a known mark, else what counts in that unit.
    """

    verdict: Verdict
    boundary: Boundary | None
    whose: Whose
    first_with: int | None
    first_without: int | None
    why: str
    advice: str
    setting: str | None = None
    back: int | None = None
    gone: Mapping[str, int] = field(default_factory=dict)
    characters: int = 0
    limit: Limit | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Loss:
    """One request that has no longer, or not yet, what it should have."""

    request: Asked
    boundary: Boundary
    whose: Whose
    why: str


def diagnose(followed: Followed, carried_by: Mapping[int, int]) -> Diagnosis:
    """Say where a value was lost; `carried_by` names the request that carries each result first."""
    for rule in RULES:
        found = rule(followed, carried_by)
        if found is not None:
            return with_limit(found, followed.asked) if found.boundary == "retain" else found
    return kept(followed)


def with_limit(found: Diagnosis, asked: Sequence[Asked]) -> Diagnosis:
    """Add to what was lost in a history what left with it, whether it came back, and the limit."""
    at = next((one for one in asked if one.number == found.first_without), None)
    if at is None:
        return found
    same = [one for one in asked if one.conversation == at.conversation and not one.failed]
    left = [one for one in at.trims if one.act == "gone"]
    limit = limit_of([one.kept for one in same])
    return replace(
        found,
        back=next((one.number for one in same if one.number > at.number and one.has), None),
        gone=Counter(one.role for one in left),
        characters=sum(one.chars for one in left),
        limit=limit,
        advice=KEEP if limit is not None and limit.sure else found.advice,
        setting=found.setting or (None if limit is None else setting_of(limit)),
    )


def nowhere(followed: Followed, _: Mapping[int, int]) -> Diagnosis | None:
    """Layer 1: the value is in nothing that was recorded."""
    if followed.seen:
        return None
    short = next((one for one in followed.made if one.more is not None), None)
    if short is None:
        why = f"It is in none of {len(followed.made)} results and {len(followed.asked)} requests."
        advice = (
            "Record the tool that makes it (@ullage.record_tool), or look at another run; "
            "a value is found as it is written, at the borders of a word."
        )
        return diagnosis(followed, "never-seen", None, "unknown", why, advice)
    shows = f"result {short.number} of {short.tool} shows that there is more: {short.more}"
    why = f"It is nowhere; {shows}."
    return diagnosis(followed, "lost", "produce", "tool", why)


def on_purpose(followed: Followed, _: Mapping[int, int]) -> Diagnosis | None:
    """Layer 2: a declared step dropped it."""
    if not followed.dropped or first_with(followed) is not None:
        return None
    step = followed.dropped[0]
    why = f"Step {step.name} dropped it on purpose: {step.reason}."
    return diagnosis(
        followed, "dropped-on-purpose", None, "tool", why, "If that is wrong, mend the step."
    )


def in_tool(followed: Followed, carried_by: Mapping[int, int]) -> Diagnosis | None:
    """Layer 3: the tool itself did not hand it on."""
    sources = followed.sources
    if first_with(followed) is not None or not sources:
        return None
    if not all(one.handed_on is False for one in sources):
        return None
    one = sources[0]
    without = first_without(followed, sources, carried_by)
    number = None if without is None else without.number
    what = f"Result {one.number} of {one.tool} has it, and what the tool handed on has not"
    if one.respelled is not None:
        why = f"{what}: there it is {one.respelled}."
        return diagnosis(followed, "lost", "serialise", "tool", why, without=number)
    return diagnosis(followed, "lost", "budget", "tool", f"{what}.", without=number)


def before_the_request(followed: Followed, carried_by: Mapping[int, int]) -> Diagnosis | None:
    """Layer 4: it is in no request."""
    sources = followed.sources
    if first_with(followed) is not None or not sources:
        return None
    one = sources[0]
    without = first_without(followed, sources, carried_by)
    if without is None:
        why = f"Result {one.number} of {one.tool} has it, and no request was recorded after it."
        return diagnosis(followed, "unknown", None, "unknown", why, "Record the next request too.")
    whose: Whose = "harness" if one.handed_on else "unknown"
    carried = any(source.number in carried_by for source in sources)
    if without.respelled is not None and (carried or len(without.respelled) >= DISTINCT):
        why = f"In request {without.number} result {one.number} of {one.tool} has it otherwise: "
        return diagnosis(
            followed, "lost", "serialise", whose, f"{why}{without.respelled}.", at=without
        )
    if carried:
        why = f"Request {without.number} carries result {one.number} of {one.tool} without it."
        return diagnosis(followed, "lost", "budget", whose, why, at=without)
    what = f"Result {one.number} of {one.tool} has it, and nothing of it is in request "
    if one.kind == "data" or one.handed_on:
        why = f"{what}{without.number}: the message was left out of the history."
        return diagnosis(followed, "lost", "retain", "harness", why, at=without)
    why = f"{what}{without.number} or any other: it may be the inner step of another tool."
    advice = (
        "If the model should have had it, say so with ullage.handed_on(text): then the step that "
        "lost it can be named."
    )
    return diagnosis(followed, "unknown", None, "unknown", why, advice, at=without)


def later(followed: Followed, _: Mapping[int, int]) -> Diagnosis | None:
    """Layer 5: a request had it, and another one has not."""
    losses = sorted(all_losses(followed.asked), key=lambda one: one.request.number)
    if not losses:
        return None
    one = losses[0]
    return diagnosis(followed, "lost", one.boundary, one.whose, one.why, at=one.request)


RULES: Sequence[Callable[[Followed, Mapping[int, int]], Diagnosis | None]] = (
    nowhere,
    on_purpose,
    in_tool,
    before_the_request,
    later,
)
"""The layers in the order in which a value goes through them."""


def kept(followed: Followed) -> Diagnosis:
    """Say that nothing was lost."""
    having = [one.number for one in followed.asked if one.has]
    why = f"No later request has lost it: {having[0]} has it first, {having[-1]} last."
    return diagnosis(
        followed, "kept", None, "unknown", why, "Nothing was lost up to there: look at the answer."
    )


def all_losses(asked: Sequence[Asked]) -> Iterator[Loss]:
    """Yield, of every conversation, the first request without the value, and what explains it."""
    by_conversation: dict[int, list[Asked]] = {}
    for one in asked:
        by_conversation.setdefault(one.conversation, []).append(one)
    by_number = {one.number: one for one in asked}
    for conversation, requests in by_conversation.items():
        if conversation and any(one.has for one in requests):
            yield from lost_in(requests, by_number)
        elif conversation:
            yield from not_handed_over(requests, by_number)
    yield from served_short(asked)


def lost_in(requests: Sequence[Asked], by_number: Mapping[int, Asked]) -> Iterator[Loss]:
    """Yield the first request without what one before it in the conversation had."""
    had: Asked | None = None
    for one in requests:
        if one.has:
            had = one
        elif had is not None:
            yield retained(one, had, by_number)
            return


def retained(one: Asked, had: Asked, by_number: Mapping[int, Asked]) -> Loss:
    """Say what took the place of the value: a summary, or nothing."""
    gone = f"Request {had.number} has it in message {had.index} ({had.role}), {one.number} has not"
    if one.from_replies:
        why = summarised(one, by_number[one.from_replies[-1]])
        return Loss(request=one, boundary="summarise", whose="harness", why=why)
    if one.compacted:
        why = f"{gone}: a compaction of the provider stands there."
        return Loss(request=one, boundary="summarise", whose="provider", why=why)
    acts = [trim for trim in one.trims if trim.index == had.index]
    changed = any(trim.act == "changed" for trim in acts)
    how = "another text stands in its place" if changed else "the message is gone"
    return Loss(request=one, boundary="retain", whose="harness", why=f"{gone}: {how}.")


def not_handed_over(requests: Sequence[Asked], by_number: Mapping[int, Asked]) -> Iterator[Loss]:
    """Yield the first request that got a reply or a summary in which the value is not."""
    for one in requests:
        for number in one.from_replies:
            writer = by_number[number]
            known = any(other.has for other in by_number.values() if other.number < one.number)
            if writer.summarises and known:
                yield Loss(
                    request=one, boundary="summarise", whose="harness", why=summarised(one, writer)
                )
                return
            if writer.has:
                wrote = "wrote it in its reply" if writer.reply_has else "did not write it"
                why = (
                    f"Request {writer.number} has it, and its reply was handed over to request "
                    f"{one.number}; it {wrote}."
                )
                yield Loss(request=one, boundary="handoff", whose="harness", why=why)
                return


def summarised(one: Asked, writer: Asked) -> str:
    """Say what a summary was made of, and whether it has the value."""
    shown = "was shown it" if writer.has else "was not even shown it"
    wrote = " and wrote it" if writer.reply_has else ""
    return (
        f"In request {one.number} a summary stands in place of it, which request {writer.number} "
        f"wrote; that {shown}{wrote}."
    )


def served_short(asked: Sequence[Asked]) -> Iterator[Loss]:
    """Yield the first request that has the value, and of which the server read less."""
    for one in asked:
        if not one.has or not (one.read_short or one.edits):
            continue
        did = "read far fewer tokens than were sent" if one.read_short else "cleared a part of it"
        asked_to = f' (truncation: "{one.truncation}")' if one.truncation else ""
        why = (
            f"Request {one.number} has it in message {one.index} of {one.messages}, and the server "
            f"{did}{asked_to}: whether the value was in what it left out cannot be seen."
        )
        yield Loss(request=one, boundary="serve", whose="provider", why=why)
        return


def first_with(followed: Followed) -> int | None:
    """Return the first request that has the value."""
    return next((one.number for one in followed.asked if one.has), None)


def first_without(
    followed: Followed, sources: Sequence[Made], carried_by: Mapping[int, int]
) -> Asked | None:
    """Return the request that carries the results, else the first one after they were made."""
    numbers = {carried_by[one.number] for one in sources if one.number in carried_by}
    carrying = next((one for one in followed.asked if one.number in numbers), None)
    if carrying is not None:
        return carrying
    made = min(one.at for one in sources)
    return next((one for one in followed.asked if one.kind == "turn" and one.started >= made), None)


def diagnosis(
    followed: Followed,
    verdict: Verdict,
    boundary: Boundary | None,
    whose: Whose,
    why: str,
    advice: str = "",
    *,
    at: Asked | None = None,
    without: int | None = None,
) -> Diagnosis:
    """Put a diagnosis together; `at` is the first request without the value."""
    return Diagnosis(
        verdict=verdict,
        boundary=boundary,
        whose=whose,
        first_with=first_with(followed),
        first_without=without if at is None else at.number,
        why=why,
        advice=advice or (ADVICE[boundary] if boundary is not None else ""),
        setting=None if at is None else setting(at.new),
    )
