"""Where one value was lost, in words and as members of `ullage.where/1`."""

from collections.abc import Iterator, Sequence

from ullage.checks.follow import Followed
from ullage.checks.history_limit import Limit
from ullage.checks.where import Diagnosis
from ullage.cutter.excerpt import excerpt
from ullage.transcript.counted import many

WIDEST = 60
MOST = 5
SAID = {True: "has it", False: "has it not", None: "unknown: the tool did not say"}


def members(followed: Followed, found: Diagnosis) -> dict[str, object]:
    """Return one run of `ullage.where/1`, its layers in the order of the diagnosis."""
    return {
        "run": followed.run,
        "verdict": found.verdict,
        "boundary": found.boundary,
        "whose": found.whose,
        "first_with": found.first_with,
        "first_without": found.first_without,
        "why": found.why,
        "advice": found.advice,
        "setting": found.setting,
        "back": found.back,
        "left": {"roles": dict(found.gone), "characters": found.characters},
        "limit": None if found.limit is None else found.limit.to_dict(),
        "layers": {
            "source": [
                {"result": one.number, "tool": one.tool, "kind": one.kind}
                for one in followed.sources
            ],
            "steps": [
                {"step": one.number, "name": one.name, "reason": one.reason}
                for one in followed.dropped
            ],
            "handed_on": [
                {"result": one.number, "has": one.handed_on, "respelled": one.respelled}
                for one in followed.sources
            ],
            "requests": [
                {
                    "request": one.number,
                    "agent": one.agent,
                    "conversation": one.conversation,
                    "has": one.has,
                    "message": one.index,
                    "role": one.role,
                    "messages": one.messages,
                    "failed": one.failed,
                }
                for one in followed.asked
            ],
        },
    }


def lines(followed: Followed, found: Diagnosis) -> Iterator[str]:
    """Yield the diagnosis of one run, a line a layer."""
    yield f"run {excerpt(followed.run, WIDEST)}"
    yield f"  1 source       {source(followed)}"
    yield f"  2 steps        {steps(followed)}"
    yield f"  3 handed on    {handed_on(followed)}"
    yield f"  4 request      {first(followed, found)}"
    yield f"  5 retention    {retention(followed, found)}"
    yield f"  {found.verdict.replace('-', ' '):<14} {boundary(found)}".rstrip()
    yield f"  {found.why}{again(found)}"
    if found.gone:
        yield f"  Left there: {left(found)}."
    if found.limit is not None:
        yield f"  Limit: {limit_words(found.limit)}"
    if found.setting is not None:
        yield f"  Likely: {found.setting}"
    if found.advice:
        yield f"  {found.advice}"


def again(found: Diagnosis) -> str:
    """Say in which request the value is there again."""
    return "" if found.back is None else f" Request {found.back} has it again."


def left(found: Diagnosis) -> str:
    """Say how many messages left at the loss, whose, and how much they say."""
    roles = ", ".join(f"{count} {role}" for role, count in found.gone.items())
    total = many(sum(found.gone.values()), "message")
    return f"{total} ({roles}), {many(found.characters, 'character')}"


def limit_words(limit: Limit) -> str:
    """Say what the limit of the history is, in which unit, and what speaks for it."""
    requests = listed([str(one) for one in limit.requests])
    shown = f"{many(len(limit.requests), 'request')} ({requests}) lost what was more"
    before = "" if limit.before is None else f"; with {limit.before} nothing had been lost"
    other = ", ".join(limit.also)
    sure = f"; a limit on {other} would explain it as well" if limit.also else ""
    return f"{limit.text}, system texts aside: {shown}{before}{sure}."


def never_seen(found: Sequence[tuple[Followed, Diagnosis]]) -> Iterator[str]:
    """Yield what is to be said of several runs in which the value is nowhere: once for all."""
    yield f"{many(len(found), 'run')}: {listed([excerpt(one.run, WIDEST) for one, _ in found])}"
    results = many(sum(len(one.made) for one, _ in found), "recorded result")
    requests = many(sum(len(one.asked) for one, _ in found), "request")
    yield "  never seen"
    yield f"  It is in none of {results} and {requests}."
    yield f"  {found[0][1].advice}"


def source(followed: Followed) -> str:
    """Say which results have the value."""
    total = f"{len(followed.made)} recorded result{'' if len(followed.made) == 1 else 's'}"
    if not followed.sources:
        return f"in none of {total}"
    names = [f"{one.number} of {excerpt(one.tool, WIDEST)}" for one in followed.sources]
    return f"in {len(names)} of {total}: {listed(names)}"


def steps(followed: Followed) -> str:
    """Say which declared steps dropped it."""
    if not followed.dropped:
        return "no declared step dropped it"
    return listed([f"{one.name} dropped it: {one.reason}" for one in followed.dropped])


def handed_on(followed: Followed) -> str:
    """Say whether the tools handed it on."""
    if not followed.sources:
        return "n/a"
    words = {one.handed_on for one in followed.sources}
    if len(words) == 1:
        return SAID[words.pop()]
    return listed([f"{one.number} {SAID[one.handed_on]}" for one in followed.sources])


def first(followed: Followed, found: Diagnosis) -> str:
    """Say which request had it first."""
    one = next((asked for asked in followed.asked if asked.has), None)
    if one is None:
        without = (
            "" if found.first_without is None else f"; first without it: {found.first_without}"
        )
        return f"in none of {len(followed.asked)} requests{without}"
    return f"first in request {one.number}, message {one.index} ({one.role})"


def retention(followed: Followed, found: Diagnosis) -> str:
    """Say which requests had it, and which was the first without it."""
    having = [str(one.number) for one in followed.asked if one.has]
    if not having:
        return "n/a"
    without = "" if found.first_without is None else f"; first without it: {found.first_without}"
    if found.boundary == "serve":
        without = f"; of request {found.first_without} the server read less than was sent"
    return f"in {len(having)} of {len(followed.asked)} requests ({listed(having)}){without}"


def boundary(found: Diagnosis) -> str:
    """Name the boundary and whose code it is."""
    if found.boundary is None:
        return ""
    owner = "" if found.whose == "unknown" else f" ({found.whose})"
    return f"at boundary {found.boundary}{owner}"


def listed(words: Sequence[str]) -> str:
    """Join the first few words, and say how many more there are."""
    more = f" and {len(words) - MOST} more" if len(words) > MOST else ""
    return ", ".join(words[:MOST]) + more
