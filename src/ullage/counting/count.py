"""How many tokens a text is: exact where the vocabulary is public, else an estimate."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Literal

from ullage.counting.estimate import estimate
from ullage.counting.exact import Encoding, exact
from ullage.counting.models import encoding_of, window_of

Method = Literal["exact", "estimate"]

DEFAULT_ENCODING: Encoding = "o200k_base"
# The estimate's range for a vocabulary that nobody outside has seen. Inferred, not calibrated: on
# the ten kinds it is up to 1.5 times o200k_base; recorded requests to Anthropic and Gemini
# without tools used 0.94 to 1.55 times the estimate, the frames of their messages included.
LEAST, MOST = 0.6, 1.6


@dataclass(frozen=True, slots=True, kw_only=True)
class Count:
    """The tokens of a text: how they were counted, and between what they lie.

    `encoding` is the vocabulary of an exact count, `window` the published size of the model's
    window. A count that is not `calibrated` has never been held against the vendor's own.
    """

    tokens: int
    method: Method
    low: int
    high: int
    window: int | None
    calibrated: bool
    encoding: Encoding | None
    model: str | None

    def to_dict(self) -> dict[str, object]:
        """Return the members of `ullage.count/1`, in their order."""
        return {
            "tokens": self.tokens,
            "method": self.method,
            "low": self.low,
            "high": self.high,
            "window": self.window,
            "calibrated": self.calibrated,
            "encoding": self.encoding,
            "model": self.model,
        }


def count(text: str, *, model: str | None = None) -> Count:
    """Count the tokens of `text` for a model; without one, by o200k_base.

    Special tokens are counted as ordinary text. A model without a public vocabulary, or with an
    unknown name, gets an estimate.
    """
    encoding = encoding_for(model)
    tokens = exact(text, encoding) if encoding else estimate(text)
    low, high = (tokens, tokens) if encoding else between(tokens, text)
    return Count(
        tokens=tokens,
        method="exact" if encoding else "estimate",
        low=low,
        high=high,
        window=window_of(model) if model is not None else None,
        calibrated=encoding is not None,
        encoding=encoding,
        model=model,
    )


def counter(model: str | None = None) -> Callable[[str], int]:
    """Return the function from a text to its `tokens` that `count` uses for a model."""
    encoding = encoding_for(model)
    return partial(exact, encoding=encoding) if encoding else estimate


def encoding_for(model: str | None) -> Encoding | None:
    """Return the vocabulary to count by."""
    return DEFAULT_ENCODING if model is None else encoding_of(model)


def between(tokens: int, text: str) -> tuple[int, int]:
    """Return the range of an estimate; no tokenizer makes more tokens than there are bytes."""
    size = len(text.encode("utf-8", "surrogatepass"))
    return math.floor(LEAST * tokens), min(math.ceil(MOST * tokens), size)
