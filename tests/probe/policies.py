"""Ways to shorten a history that frameworks have, written anew."""

from tests.probe.toy import Raw, Toy, Trim

from ullage.counting.count import counter
from ullage.probe.script import Turn

SUMMARISE = "Write a summary of the conversation below.\n\n"
COUNT = counter()


def text_of(message: Raw) -> str:
    calls = message.get("tool_calls")
    named = [one["function"] for one in calls] if isinstance(calls, list) else []
    return f"{message['content'] or ''}{''.join(one['name'] + one['arguments'] for one in named)}"


def last_messages(most: int) -> Trim:
    """Keep the last messages; a result whose call is gone goes too."""

    def trim(messages: list[Raw]) -> list[Raw]:
        kept = messages[-most:]
        while kept and kept[0]["role"] == "tool":
            kept = kept[1:]
        return kept

    return trim


def last_turns(most: int) -> Trim:
    """Keep the last turns of the user."""

    def trim(messages: list[Raw]) -> list[Raw]:
        starts = [at for at, one in enumerate(messages) if one["role"] == "user"]
        return messages[starts[-most] :] if len(starts) > most else messages

    return trim


def last_tokens(most: int) -> Trim:
    """Drop the oldest turn until the rest has no more tokens than that."""

    def trim(messages: list[Raw]) -> list[Raw]:
        kept = list(messages)
        while sum(COUNT(text_of(one)) for one in kept) > most:
            following = [at for at, one in enumerate(kept) if one["role"] == "user" and at]
            if not following:
                return kept
            kept = kept[following[0] :]
        return kept

    return trim


def head_and_tail(head: int, tail: int) -> Trim:
    """Keep the first and the last messages, and say how many are gone."""

    def trim(messages: list[Raw]) -> list[Raw]:
        gone = len(messages) - head - tail
        if gone <= 0:
            return messages
        notice: Raw = {"role": "user", "content": f"Skipped {gone} messages."}
        return [*messages[:head], notice, *messages[-tail:]]

    return trim


def last_results(most: int, instead: str = "[cleared]") -> Trim:
    """Clear all results but the last ones."""

    def trim(messages: list[Raw]) -> list[Raw]:
        results = [at for at, one in enumerate(messages) if one["role"] == "tool"]
        old = set(results[:-most])
        return [
            {**one, "content": instead} if at in old else one for at, one in enumerate(messages)
        ]

    return trim


def summarising(trigger: int, keep: int, *, shown: int) -> "Summarising":
    return Summarising(trigger=trigger, keep=keep, shown=shown)


class Summarising:
    """Once there are more than `trigger` characters, all but the last `keep` messages give way.

    The summariser is shown `shown` characters of what it replaces, from its end.
    """

    def __init__(self, *, trigger: int, keep: int, shown: int) -> None:
        self.trigger, self.keep, self.shown = trigger, keep, shown
        self.replaced = ""

    def trim(self, messages: list[Raw]) -> list[Raw]:
        if sum(len(text_of(one)) for one in messages) <= self.trigger:
            self.replaced = ""
            return messages
        old = messages[: -self.keep]
        self.replaced = "\n".join(map(text_of, old))
        summary: Raw = {"role": "user", "content": "Here is a summary of what was said: done"}
        messages[: -self.keep] = [summary]
        return messages

    def before(self, toy: Toy, old: list[Raw], new: list[Raw]) -> None:
        if self.replaced:
            toy.messages = list(new)
            shown = self.replaced[-self.shown :] if self.shown else ""
            asked: Raw = {"role": "user", "content": f"{SUMMARISE}{shown}"}
            toy.send([asked], Turn(text="done"), tools=False)
            self.replaced = ""
