"""How much of a conversation each request held, in every unit a limit may have."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from ullage.counting.count import counter
from ullage.probe.observed import Seen
from ullage.probe.verdict.requests import Story
from ullage.transcript.message import Message

Size = Literal["messages", "characters", "bytes", "tokens", "quarter-tokens"]
Unit = Literal[
    "turns",
    "messages",
    "results",
    "result-turns",
    "carried-messages",
    "characters",
    "bytes",
    "tokens",
    "quarter-tokens",
    "carried-characters",
    "carried-bytes",
    "carried-tokens",
    "carried-quarter-tokens",
]
"""`turns` are the user's, `messages` all but the system's, `results` those of tools that still have
all their records, `result-turns` the newest turns of which that is so. `tokens` are those of
o200k_base, `quarter-tokens` characters divided by four, as many harnesses count. What is `carried`
stands before the user's newest turn, for harnesses that trim between turns only."""

CARRIED: Mapping[Unit, Size] = {
    "carried-messages": "messages",
    "carried-characters": "characters",
    "carried-bytes": "bytes",
    "carried-tokens": "tokens",
    "carried-quarter-tokens": "quarter-tokens",
}

Amounts = Mapping[Unit, int]

CHARS_A_TOKEN = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """One request of a conversation, in each unit.

    `kept` is what it held, `all` what it would have held if nothing had gone. `next` is how much of
    the newest turn with a gap is gone: a limit that drops the oldest lies at `kept` or above, and
    below `kept + next`. `during` is the user's turn (from 0).
    """

    request: int
    during: int
    kept: Amounts
    all: Amounts
    next: Amounts

    @property
    def whole(self) -> bool:
        """Whether nothing was gone."""
        return self.kept["turns"] == self.all["turns"] and not self.lost("results")

    def lost(self, unit: Unit) -> bool:
        """Whether anything that this unit counts was gone."""
        return self.kept[unit] < self.all[unit]


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """A message of the whole conversation, and the user's turn in which it was said.

    `ids` are those by which it is told again; a reply has none.
    """

    message: Message
    turn: int
    ids: frozenset[str]


def held(story: Story, during: Sequence[int]) -> tuple[Held, ...]:
    """Say what each acting request held; `during` is the user's turn of each."""
    amounts = Sizes()
    conversation: list[Item] = []
    found = []
    known = set[str]()
    before: Seen | None = None
    for one, turn in zip(story.acting, during, strict=True):
        if before is not None and before.status < FAILED:
            conversation.append(reply_of(before, conversation))
        for each in one.messages:
            ids = story.ids(each.text)
            if each.role not in ("system", "assistant") and not ids <= known:
                newest = max([story.turns[name] for name in ids if name in story.turns] or [turn])
                conversation.append(Item(message=each, turn=newest, ids=ids))
                known |= ids
        found.append(held_by(story, one, turn, conversation, amounts))
        before = one
    return tuple(found)


FAILED = 400


def reply_of(one: Seen, conversation: Sequence[Item]) -> Item:
    """Return the reply to a request as a message."""
    text = one.turn.text + "".join(f"{call.name}{call.arguments_text}" for call in one.turn.calls)
    turn = conversation[-1].turn if conversation else 0
    return Item(message=Message(role="assistant", text=text), turn=turn, ids=frozenset())


def held_by(
    story: Story, one: Seen, turn: int, conversation: Sequence[Item], amounts: "Sizes"
) -> Held:
    """Say what one request held of the conversation so far."""
    given = story.given(one)
    gone = [item for item in conversation if item.ids and not item.ids <= given]
    there = [each for each in one.messages if each.role != "system" and is_own(story, each)]
    before, now = amounts.of(carried(story, there, turn)), amounts.of(there)
    made = [item.turn for item in results(story, conversation)]
    intact = [item.turn for item in results(story, conversation) if item.ids <= given]
    kept: dict[Unit, int] = {
        "turns": len(story.said(one)),
        "results": len(intact),
        "result-turns": since(intact, turn),
        **in_units(now, before),
    }
    whole = amounts.of([item.message for item in conversation])
    earlier = amounts.of([item.message for item in conversation if item.turn < turn])
    everything: dict[Unit, int] = {
        "turns": turn + 1,
        "results": len(made),
        "result-turns": since(made, turn),
        **in_units(whole, earlier),
    }
    missing = newest_gap(conversation, gone, whole, now, amounts)
    steps: dict[Unit, int] = {"turns": 1, "results": 1, "result-turns": 1} if gone else {}
    return Held(
        request=one.number,
        during=turn,
        kept=kept,
        all={unit: max(everything[unit], kept[unit]) for unit in everything},
        next={
            **dict.fromkeys(everything, 0),
            **in_units(missing, missing),
            **steps,
        },
    )


def in_units(sizes: Mapping[Size, int], before: Mapping[Size, int]) -> dict[Unit, int]:
    """Return the sizes of all messages, and of those that stand before the newest turn."""
    found: dict[Unit, int] = {unit: before[size] for unit, size in CARRIED.items()}
    for size in sizes:
        found[size] = sizes[size]
    return found


def newest_gap(
    conversation: Sequence[Item],
    gone: Sequence[Item],
    whole: Mapping[Size, int],
    kept: Mapping[Size, int],
    amounts: "Sizes",
) -> Mapping[Size, int]:
    """Return how much of the newest turn with a gap is gone, at least its newest message."""
    if not gone:
        return dict.fromkeys(whole, 0)
    newest = max(item.turn for item in gone)
    older = amounts.of([item.message for item in conversation if item.turn < newest])
    least = amounts.of([item.message for item in gone if item.turn == newest][-1:])
    return {unit: max(whole[unit] - kept[unit] - older[unit], least[unit]) for unit in whole}


def since(turns: Sequence[int], during: int) -> int:
    """Return how many turns it is from the oldest of some to the present one."""
    return during - min(turns) + 1 if turns else 0


def carried(story: Story, messages: Sequence[Message], turn: int) -> Sequence[Message]:
    """Return the messages before that in which the user's turn stands."""
    newest = next((name for name, number in story.turns.items() if number == turn), "")
    places = [at for at, one in enumerate(messages) if newest in story.ids(one.text)]
    return messages[: places[-1]] if places else messages


def results(story: Story, conversation: Sequence[Item]) -> Sequence[Item]:
    """Return the tool results of a conversation that came with their records."""
    return [item for item in conversation if item.ids - story.turns.keys()]


def is_own(story: Story, message: Message) -> bool:
    """Whether a message is of the conversation, and no words that stand for a part of it."""
    return bool(message.role in ("assistant", "tool") or story.ids(message.text))


class Sizes:
    """Sums up messages in every unit; a text is counted once."""

    def __init__(self) -> None:
        self._count = counter()
        self._known: dict[str, tuple[int, int]] = {}

    def of(self, messages: Sequence[Message]) -> dict[Size, int]:
        """Return the sizes of messages: their texts, and their calls with arguments."""
        texts = [text for one in messages for text in texts_of(one)]
        both = [self._sizes(text) for text in texts]
        characters = sum(map(len, texts))
        return {
            "messages": len(messages),
            "characters": characters,
            "bytes": sum(size for size, _ in both),
            "tokens": sum(tokens for _, tokens in both),
            "quarter-tokens": characters // CHARS_A_TOKEN,
        }

    def _sizes(self, text: str) -> tuple[int, int]:
        if text not in self._known:
            size = len(text.encode("utf-8", "surrogatepass"))
            self._known[text] = (size, self._count(text))
        return self._known[text]


def texts_of(message: Message) -> Sequence[str]:
    """Return what a message says, its calls included."""
    return [message.text, *(text for call in message.calls for text in (call.name, call.arguments))]
