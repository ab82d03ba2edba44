"""`task-lost`: the first task of a user is no longer there."""

from collections.abc import Iterator

from ullage.arrivals.done_and_next import is_question, promises, states_done
from ullage.arrivals.kept import is_kept
from ullage.arrivals.standing_rules import without_rules
from ullage.arrivals.user_turns import own
from ullage.arrivals.wording import comparable, stands_in
from ullage.checks.crossed import Crossed, found
from ullage.cutter.excerpt import excerpt
from ullage.transcript.finding import Finding

NAME = "task-lost"
SHOWN = 400


def check(one: Crossed, *, reworded: bool = True) -> Iterator[Finding]:
    """Report that the first task is gone, unless it was done before the user asked for more.

    `reworded` is False where nobody wrote it anew: then no other language can hold it.
    """
    if not is_gone(one, reworded=reworded):
        return
    first = one.turns[0]
    evidence = {"task": excerpt(first.text, SHOWN), "message": first.index}
    advice = (
        "The first task of the user is gone: the agent no longer knows what it works for. "
        "Protect the first user message: keep it as it is in front of the summary."
    )
    yield found(one, NAME, "error", evidence, advice)


def is_gone(one: Crossed, *, reworded: bool = True) -> bool:
    """Whether the first task is gone though it may still have to be done."""
    if not one.turns or was_done(one):
        return False
    task = one.turns[0].text
    if not reworded and not comparable(own(task), one.there.text):
        return not stands_in(task, one.there.squeezed)
    return not is_kept(without_rules(task), one.there)


def was_done(one: Crossed) -> bool:
    """Whether the first task was answered before the user asked for something else.

    A user who goes on to another task after that does not miss the first one in a summary. A
    question is answered by any text; in a conversation without tools so is a task, unless the
    text only promises or asks; else the assistant must have said that something is done.
    """
    if len(one.turns) == 1:
        return False
    first, second = one.turns[0], one.turns[1]
    replies = [
        message.text
        for index, message in enumerate(one.pre)
        if first.index < index < second.index
        and message.role == "assistant"
        and message.text.strip()
        and not message.calls
    ]
    with_tools = any(message.calls or message.role == "tool" for message in one.pre)
    if is_question(first.text):
        return bool(replies)
    return any(
        states_done(text) or not (with_tools or is_question(text) or promises(text))
        for text in replies
    )
