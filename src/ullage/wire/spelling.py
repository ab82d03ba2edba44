"""Whether two messages are one that was written anew: other white space, a note put in or out.

Harnesses do not repeat a history letter by letter. They put a reminder into the last message and
take it out again, write JSON with other white space, drop what was thought. Nothing is lost by it.
"""

import json
import re

from ullage.arrivals.added import without_added
from ullage.transcript.message import Message, ToolCall
from ullage.wire.results import is_result

_THOUGHT = re.compile(r"<(?P<tag>think|thinking)>.*?</(?P=tag)>", re.DOTALL)
_TAG = "<"

SHORTER = 0.98
"""A text that holds the time or a count may be so much shorter: that is no loss."""
SAME = 0.8
"""So much of the longer text stands at the beginning and at the end of both."""
ALIKE = 0.5
"""So many of the words of two notes are the same: one takes the place of the other."""


def is_note(message: Message) -> bool:
    """Whether a message is nothing but what a harness put in."""
    is_other = message.role in ("user", "system") and message.answers is None
    return is_other and bool(message.text.strip()) and not without_added(message.text)


def respelled(old: Message, new: Message) -> bool:
    """Whether a message is an older one, written anew without a loss."""
    if old.role != new.role or old.answers != new.answers:
        return False
    return calls_alike(old.calls, new.calls) and texts_alike(old, new)


def calls_alike(old: tuple[ToolCall, ...], new: tuple[ToolCall, ...]) -> bool:
    """Whether calls ask for the same."""
    return len(old) == len(new) and all(
        one.call_id == other.call_id
        and one.name == other.name
        and (one.arguments == other.arguments or is_same_json(one.arguments, other.arguments))
        for one, other in zip(old, new, strict=True)
    )


def texts_alike(old: Message, new: Message) -> bool:
    """Whether texts differ by notes, by white space, by the thought, or as JSON is written."""
    before, after = plain(old), plain(new)
    if before == after or "".join(before.split()) == "".join(after.split()):
        return True
    return (is_result(old) or old.answers is not None) and is_same_json(before, after)


def plain(message: Message) -> str:
    """Return what a message says without what a harness put in."""
    text = without_added(message.text)
    is_thought = message.role == "assistant" and _TAG in text
    return _THOUGHT.sub("", text).strip() if is_thought else text


def is_same_json(old: str, new: str) -> bool:
    """Whether two texts are the same JSON value, an object or a list."""
    if not (old.lstrip().startswith(("{", "[")) and new.lstrip().startswith(("{", "["))):
        return False
    try:
        return bool(json.loads(old) == json.loads(new))
    except (ValueError, RecursionError):
        return False


def nearly(old: Message, new: Message) -> bool:
    """Whether a text that is no result and no reply differs by a time, a count or an id only."""
    if old.role != new.role or old.role not in ("user", "system") or is_result(old):
        return False
    before, after = plain(old), plain(new)
    longer, shorter = max(len(before), len(after)), min(len(before), len(after))
    if len(after) < SHORTER * len(before):
        return False
    begin = in_common(before, after)
    end = in_common(before[begin:][::-1], after[begin:][::-1])
    changed = before[begin : len(before) - end], after[begin : len(after) - end]
    # A picture whose place a word takes has no digits.
    counted = all(any(map(str.isdigit, one)) for one in changed if one.strip())
    return counted and min(begin + end, shorter) >= SAME * longer


def in_common(old: str, new: str) -> int:
    """Count the characters that two texts begin with alike."""
    low, high = 0, min(len(old), len(new))
    while low < high:  # by halves: comparing slices is what Python does fast
        middle = (low + high + 1) // 2
        if old[low:middle] == new[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def renewed(old: Message, new: Message) -> bool:
    """Whether a note stands in the place of an older one: most of its words are the same."""
    if old.role != new.role or old.role not in ("user", "system") or is_result(old):
        return False
    before, after = set(old.text.split()), set(new.text.split())
    return len(before & after) >= ALIKE * len(before | after) > 0
