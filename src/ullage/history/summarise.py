"""Have a model write a summary of old pieces: what it is shown, and what may come of it.

A pure generator: it yields requests, is sent what came of each, and returns a `Summary` that may
stand for the pieces, or a `Refusal` that says why there is none. It never returns messages: where
the summary goes is its caller's business, and a refusal leaves the history as it is.

Every piece is shown whole. What does not fit into one request goes into several: either part after
part, the summary so far carried on, or each by itself, and the summaries merged in levels. The
summary of a still earlier compaction is shown in front of them.
"""

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from ullage.history.piece import Piece
from ullage.history.summary import (
    Answer,
    Ask,
    Failed,
    Purpose,
    Reason,
    Refusal,
    Steps,
    Summary,
    Wrong,
)
from ullage.history.summary_check import Fault, bare, inverted, read_reply, ticked
from ullage.history.summary_contract import (
    fence_for,
    fenced,
    read_slots,
    system_text,
)
from ullage.history.summary_input import (
    LEAST_ROOM,
    Material,
    Portion,
    materials_of,
    portions,
    shown_whole,
)
from ullage.history.summary_kept import Item, Mended, Ruled, items, mended, with_earlier
from ullage.history.summary_settings import SummarySettings

EARLIER = "summary of still earlier messages"
SO_FAR = "summary so far"
FRAME = 60
"""What a request takes beside its frame, its material and its reply: marks, roles, in tokens."""
LEAST_MERGED = 2
FENCE = f"material-{'0' * 64}"
REASONS: Mapping[Wrong, Reason] = {"error": "error", "timeout": "timeout", "cut": "cut"}


class Carried(Protocol):
    """The block of an earlier compaction (`history.block.Block`)."""

    @property
    def summary(self) -> str | None:
        """The summary in it, None or empty where it has none."""
        ...


@dataclass(slots=True)
class Course:
    """How far a summary has come: what was shown, how often was asked, what was taken out."""

    settings: SummarySettings
    asked: int = 0
    shown: list[Portion] = field(default_factory=list)
    withheld: list[str] = field(default_factory=list)

    def refused(self, reason: Reason, why: str) -> Refusal:
        """Return the end without a summary."""
        return Refusal(reason=reason, why=why, shown=shown_whole(self.shown), asked=self.asked)


def summarised(
    pieces: Sequence[Piece],
    replaced: Sequence[int],
    guard: Ruled,
    block: Carried | None,
    settings: SummarySettings,
) -> Steps:
    """Yield the requests for a summary of `pieces[i]` for each i in `replaced`, and return it.

    `guard` knows which rules are kept word for word beside it, `block` is the earlier carried one.
    """
    course = Course(settings=settings)
    replaced = sorted(set(replaced))
    earlier = (block.summary or "").strip() if block is not None else ""
    materials = materials_of(pieces, replaced)
    if not materials:
        return course.refused("nothing", "no message is left that a summary could replace")
    if earlier:
        materials = (Material(index=None, role=EARLIER, text=earlier), *materials)
    room = room_of(settings)
    if room < LEAST_ROOM:
        return course.refused("no-room", no_room(settings, room))
    text = yield from MANNERS[settings.manner](course, portions(materials, room, settings.count))
    if isinstance(text, Refusal):
        return text
    return finished(course, text, pieces, replaced, guard, materials)


def room_of(settings: SummarySettings) -> int:
    """Return what is left of the summariser's window for material, in tokens.

    Set aside are the frame, the reply, and the summary so far, which is as long as a reply at most.
    """
    system = system_text(read_slots(settings.instructions), limit=settings.max_tokens, fence=FENCE)
    frame = settings.count(system) + 4 * settings.count(FENCE) + FRAME
    return settings.window - frame - 2 * settings.largest_reply


def no_room(settings: SummarySettings, room: int) -> str:
    """Say why a summariser cannot be shown anything."""
    return (
        f"the summariser's window of {settings.window} tokens has no room for what is to be "
        f"summarised: after its instructions and twice a reply of {settings.largest_reply} tokens "
        f"{max(room, 0)} are left: give a larger window, or a smaller max_tokens"
    )


Texts = Generator[Ask, Answer | Failed, str | Refusal]


def carried_on(course: Course, parts: Sequence[Portion]) -> Texts:
    """Show one part after the other, each with the summary so far."""
    text = ""
    for number, part in enumerate(parts, start=1):
        so_far = [Material(index=None, role=SO_FAR, text=text)] if text else []
        answer = yield from asked(course, "summary", so_far, part, (number, len(parts)))
        if isinstance(answer, Refusal):
            return answer
        text = answer
    return text


def in_levels(course: Course, parts: Sequence[Portion]) -> Texts:
    """Have a summary of each part, then one of these, until one is left."""
    each = per_merge(course.settings)
    if len(parts) > 1 and each < LEAST_MERGED:
        return course.refused("no-room", no_room(course.settings, room_of(course.settings)))
    texts = []
    total = requests_in_levels(len(parts), each)
    done = 0
    for part in parts:
        done += 1
        answer = yield from asked(course, "summary", [], part, (done, total))
        if isinstance(answer, Refusal):
            return answer
        texts.append(answer)
    while len(texts) > 1:
        merged = []
        for group in grouped(texts, each):
            if len(group) == 1:
                merged += group
                continue
            done += 1
            summaries = [
                Material(index=None, role=f"summary {place} of {len(group)}", text=text)
                for place, text in enumerate(group, start=1)
            ]
            answer = yield from asked(course, "merge", summaries, None, (done, total))
            if isinstance(answer, Refusal):
                return answer
            merged.append(answer)
        texts = merged
    return texts[0]


MANNERS = {"carry": carried_on, "levels": in_levels}


def per_merge(settings: SummarySettings) -> int:
    """Return how many summaries one request can merge: there is no summary so far beside them."""
    return (room_of(settings) + settings.largest_reply) // (settings.largest_reply + FRAME)


def grouped(texts: Sequence[str], size: int) -> list[list[str]]:
    """Return texts in groups of a size, in order; all of them are in one."""
    groups: list[list[str]] = []
    for number, text in enumerate(texts):
        if number % size == 0:
            groups.append([])
        groups[-1].append(text)
    return groups


def requests_in_levels(parts: int, size: int) -> int:
    """Return how many requests so many parts take."""
    total = left = parts
    while left > 1:
        whole, rest = divmod(left, size)
        total += whole + (rest > 1)
        left = whole + (rest > 0)
    return total


def asked(
    course: Course,
    purpose: Purpose,
    before: Sequence[Material],
    part: Portion | None,
    place: tuple[int, int],
) -> Texts:
    """Ask once, and read the answer against what was shown."""
    settings = course.settings
    number, of = place
    texts = [f"=== {one.role}\n{one.text}" for one in before] + ([part.text] if part else [])
    answer = yield Ask(
        messages=messages_of(settings, purpose, texts, place),
        purpose=purpose,
        shown=part.indices if part else (),
        part=number,
        of=of,
        max_tokens=settings.largest_reply,
    )
    course.asked += answer.tries
    if isinstance(answer, Failed):
        return course.refused(REASONS[answer.wrong], answer.why)
    if part is not None:
        course.shown.append(part)
    # First of all: nothing is looked for in a text that may be as long as a book.
    tokens = settings.count(bare(answer.text))
    if tokens > settings.largest_reply:
        return course.refused(
            "over-long",
            f"the summary is {tokens} tokens long, over its limit of {settings.max_tokens} "
            f"(up to {settings.largest_reply} would have been taken)",
        )
    read = read_reply(answer.text, texts)
    if isinstance(read, Fault):
        return course.refused(read.reason, read.why)
    course.withheld += read.withheld
    return read.text


WHAT: Mapping[Purpose, str] = {
    "summary": "Write the record of all that stands between the marks. Where a summary so far "
    "stands there, carry over from it all that still holds.",
    "merge": "Merge these records, which follow one another in time, into one record. What a later "
    "one says is newer; leave out nothing that still holds.",
}


def messages_of(
    settings: SummarySettings, purpose: Purpose, texts: Sequence[str], place: tuple[int, int]
) -> tuple[Mapping[str, str], ...]:
    """Return the chat messages of a request."""
    fence = fence_for(texts)
    system = system_text(read_slots(settings.instructions), limit=settings.max_tokens, fence=fence)
    number, of = place
    which = "" if of == 1 else f"Request {number} of {of}. "
    material = fenced("\n\n".join(texts), fence)
    return (
        {"role": "system", "content": system},
        {"role": "user", "content": f"{which}{WHAT[purpose]}\n\n{material}"},
    )


def finished(
    course: Course,
    text: str,
    pieces: Sequence[Piece],
    replaced: Sequence[int],
    guard: Ruled,
    materials: Sequence[Material],
) -> Summary | Refusal:
    """Check the last answer against all that was shown, and mend it."""
    settings = course.settings
    earlier = next((one.text for one in materials if one.index is None), "")
    messages = with_earlier(earlier, pieces)
    done = inverted(text, messages) or ticked(text, messages)
    if isinstance(done, Fault):
        return course.refused(done.reason, done.why)
    size = sum(settings.count(one.text) for one in materials)
    wanted = items(pieces, replaced, guard, earlier, done.text)
    found = put_back(settings, done.text, wanted, size)
    tokens = settings.count(found.text)
    if tokens >= size:
        return course.refused(
            "over-long",
            f"the summary would take {tokens} tokens, not fewer than the {size} that it replaces",
        )
    return Summary(
        text=found.text,
        tokens=tokens,
        shown=shown_whole(course.shown),
        asked=course.asked,
        kept=found.kept,
        withheld=tuple(course.withheld),
        ticked=done.steps,
        unseen=tuple(
            (one.index, one.unseen)
            for one in materials
            if one.index is not None and one.unseen is not None
        ),
        block_shown=bool(earlier),
    )


def put_back(settings: SummarySettings, text: str, wanted: Sequence[Item], size: int) -> Mended:
    """Mend a summary with as much as its share allows, and as keeps it below a size in tokens.

    A reply that is over its limit leaves that much less of the share: what is put back always
    aside, both together take no more than the limit and the share.
    """
    least = mended(text, wanted, 0, settings.count)
    share = int(settings.max_tokens * settings.share)
    over = max(0, settings.count(text) - settings.max_tokens)
    room = min(share - over, size - settings.count(least.text) - FRAME)
    found = mended(text, wanted, max(room, 0), settings.count)
    return found if settings.count(found.text) < size else least
