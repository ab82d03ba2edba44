"""What a piece of a history takes: its tokens as `ullage count` counts them, and of the budget."""

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from ullage.counting.count import counter
from ullage.counting.images import Rule, image_tokens
from ullage.errors import LoadError
from ullage.history.piece import HistoryUnit
from ullage.wire.body_parts import Image, Text, content, conversation
from ullage.wire.body_parts import Piece as Counted


@dataclass(frozen=True, slots=True)
class Gauge:
    """Measures in one unit, for one model.

    Costs are upper bounds that add up: of pieces that stand in one message each carries what the
    message takes if it stands alone.
    """

    unit: HistoryUnit
    model: str | None = None
    images: Rule = "tiles"
    _count: Callable[[str], int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_count", counter(self.model))

    def tokens(self, raw: object) -> int:
        """Return the tokens of a message, an item, or a system text, in any provider's form."""
        return self.counted(conversation([raw]))

    def block_tokens(self, raw: object) -> int:
        """Return the tokens of what stands inside a message: a block or a list of blocks."""
        return self.counted(content(raw, "history"))

    def counted(self, pieces: Iterable[Counted]) -> int:
        """Return the tokens of what a body holds. Raises LoadError where it nests too deeply."""
        tokens = 0
        try:
            for one in pieces:
                if isinstance(one, Text):
                    tokens += self._count(one.text)
                elif isinstance(one, Image):
                    tokens += image_tokens(one.size, self.images, detail=one.detail)
        except RecursionError as error:
            raise LoadError("a message nests too deeply to be counted") from error
        return tokens

    def cost(self, raw: object, tokens: int) -> int:
        """Return what a message takes of the budget, its comma included."""
        if self.unit == "tokens":
            return tokens
        return 1 if self.unit == "messages" else written_size(raw) + 1


def written_size(raw: object) -> int:
    """Return the characters of a value as compact JSON, not ASCII-escaped.

    Raises LoadError where it is no JSON.
    """
    try:
        return len(json.dumps(raw, ensure_ascii=False, separators=(",", ":")))
    except (RecursionError, TypeError, ValueError) as error:
        raise LoadError(f"a message cannot be written as JSON: {error}") from error
