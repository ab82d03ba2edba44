"""What a provider's form of a history can do; one file a provider."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from ullage.errors import LoadError
from ullage.history.gauge import Gauge, written_size
from ullage.history.piece import Piece
from ullage.transcript.message import Message, Role
from ullage.wire.body_parts import definitions
from ullage.wire.budget_table import reserve_of, rule_of
from ullage.wire.members import Object

FormName = Literal["openai-chat", "openai-responses", "anthropic", "gemini"]
SYSTEM = -1
"""The place of a system text that is a member of the body and no message of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """Some blocks of a message that holds several pieces; `new` takes the place of the only one."""

    whole: Object
    blocks: tuple[int, ...]
    new: Object | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Fixed:
    """What of a body is no message: its tools, and the reply's reserve, in tokens.

    `cost` is what the tools take of the budget, 0 where that counts messages or their characters.
    """

    tokens: int
    cost: int
    reserve: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """How one provider's histories are read and written. Nothing that is given is altered.

    `split` yields the pieces of a body without their measures, `join` puts pieces back into it;
    `say_raw` makes a message, `answer_raw` the result of a call, `reword_raw` a result with another
    text. `list_member` is the member that holds the messages. `replies_span`: a reply may be
    several items, and its results stand behind all of them.
    """

    name: FormName
    list_member: str
    fits: Callable[[Object], bool]
    split: Callable[[Object], Iterator[Piece]]
    say_raw: Callable[[Role, str], Object]
    answer_raw: Callable[[Message, str], Object]
    reword_raw: Callable[[object, str], object]
    join: Callable[[Object, Sequence[Piece]], Object]
    places: Callable[[Sequence[Piece]], tuple[int | None, ...]]
    replies_span: bool = False

    def read(self, document: Object, gauge: Gauge) -> tuple[Piece, ...]:
        """Return the pieces of a body, in their order, the system text first.

        Raises LoadError for a message that cannot be counted or written.
        """
        seen = replace(gauge, images=rule_of(document, gauge.model))
        return tuple(measured(one, seen) for one in self.split(document))

    def fixed(self, document: Object, gauge: Gauge) -> Fixed:
        """Return what of a body is no message."""
        tools = [*definitions(document.get("tools")), *definitions(document.get("functions"))]
        tokens = gauge.counted(tools)
        cost = tokens if gauge.unit == "tokens" else 0
        return Fixed(tokens=tokens, cost=cost, reserve=reserve_of(document))

    def say(self, role: Role, text: str, gauge: Gauge) -> Piece:
        """Return a message of ours."""
        raw = self.say_raw(role, text)
        return measured(Piece(message=Message(role=role, text=text), raw=raw, place=None), gauge)

    def answer(self, call_id: str | None, name: str, text: str, gauge: Gauge) -> Piece:
        """Return a result of ours, for a call that has none."""
        message = Message(role="tool", text=text, answers=call_id, name=name)
        raw = self.answer_raw(message, text)
        return measured(Piece(message=message, raw=raw, place=None), gauge)

    def reword(self, piece: Piece, text: str, gauge: Gauge) -> Piece:
        """Return a result with another text, in its own place.

        Raises ValueError for what is no result: what a user or a model said is not reworded.
        """
        if not piece.is_result or piece.solid:
            raise ValueError(f"only the text of a result can be replaced, not {piece.message!r}")
        raw = self.reword_raw(piece.raw, text)
        return measured(replace(piece, raw=raw, message=replace(piece.message, text=text)), gauge)

    def write(self, document: Object, pieces: Sequence[Piece]) -> Object:
        """Return a body with the messages of `pieces`; all else of it is as it was.

        A message that is whole and as it was is the very object that was read. The first message of
        an Anthropic body is a user's because the task is one, and never leaves.
        """
        return self.join(document, pieces)

    def trail(self, pieces: Sequence[Piece]) -> tuple[int | None, ...]:
        """Return for each message that `write` writes the place it came from, None for ours."""
        return self.places(pieces)


def measured(piece: Piece, gauge: Gauge) -> Piece:
    """Return a piece with its tokens and its cost."""
    raw = piece.raw
    if isinstance(raw, Share):
        held = shared(raw)
        tokens = gauge.block_tokens(held)
        cost = tokens
        if gauge.unit == "chars":
            # What the message takes around its blocks is the first result's, and the text's.
            cost = sum(written_size(one) + 1 for one in held)
            cost += frame(raw) if bears_frame(piece, raw) else 0
        elif gauge.unit == "messages":
            cost = int(bears_frame(piece, raw))
        return replace(piece, tokens=tokens, cost=cost)
    tokens = gauge.tokens(raw)
    # Of a system text that is no message only its tokens count.
    cost = 0 if piece.place == SYSTEM and gauge.unit != "tokens" else gauge.cost(raw, tokens)
    return replace(piece, tokens=tokens, cost=cost)


def shared(raw: Share) -> list[object]:
    """Return the blocks of a share."""
    if raw.new is not None:
        return [raw.new]
    blocks = blocks_of(raw.whole)
    return [blocks[at] for at in raw.blocks]


def blocks_of(message: Object) -> list[object]:
    """Return the blocks of a message: Anthropic's content, Gemini's parts."""
    held = message.get("content") if "content" in message else message.get("parts")
    return held if isinstance(held, list) else []


def bears_frame(piece: Piece, raw: Share) -> bool:
    """Whether a share is counted with the message around it.

    Results of one message answer one reply and move together: the first bears it. What else stands
    in it may stay without them, and bears it again.
    """
    return not piece.is_result or piece.block == first_result(raw)


def first_result(raw: Share) -> int | None:
    """Return the position of the first result in a message."""
    for at, block in enumerate(blocks_of(raw.whole)):
        if isinstance(block, dict) and is_result_block(block):
            return at
    return None


def is_result_block(block: Object) -> bool:
    """Whether a block of Anthropic or a part of Gemini is what a tool returned."""
    return (
        block.get("type") == "tool_result"
        or "functionResponse" in block
        or "function_response" in block
    )


def frame(raw: Share) -> int:
    """Return the characters of a message around its blocks.

    Its own comma is counted with these: the last block has none.
    """
    name = "content" if "content" in raw.whole else "parts"
    return written_size({**raw.whole, name: []})


def need_list(document: Object, name: str) -> list[object]:
    """Return the messages of a body. Raises LoadError where they are no list."""
    held = document.get(name)
    if not isinstance(held, list):
        raise LoadError(f"{name!r} is no list of messages but {type(held).__name__}")
    return held
