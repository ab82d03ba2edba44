"""Put a whole payload into the current message: data in old turns is the first to be lost."""

import json
import warnings
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from ullage.counting.count import count

LARGEST_SHARE = Fraction(2, 5)
"""Data over this share of the usable budget is read in chunks (a practice in a field report)."""

Message = dict[str, Any]


class LargeDataWarning(UserWarning):
    """Data takes so much of a budget that it should be read in chunks."""


def with_data(
    messages: Sequence[Any],
    data: object,
    instruction: str,
    *,
    form: str = "openai-chat",
    budget: int | None = None,
    reserve: int = 0,
    model: str | None = None,
) -> list[Any]:
    """Return the messages and a new one of the user: the data, whole, then the instruction.

    `data` is a text, or a value that is written as compact JSON; nothing of it is ever cut.
    `messages` are those of a request in one of the forms in `FORMS` (for Gemini its `contents`, for
    OpenAI's Responses its `input`); the objects in them are passed through. With a `budget` in
    tokens, of which `reserve` is kept for the reply, a LargeDataWarning is given where the data
    takes over 40 % of the rest: read it with `read_in_chunks`. Raises ValueError for an unknown
    form, an empty instruction, and a reserve that leaves nothing of the budget.
    """
    if form not in FORMS:
        raise ValueError(f"form must be one of {', '.join(FORMS)}, got {form!r}")
    if not instruction.strip():
        raise ValueError("instruction is empty: say what is to be done with the data")
    text = data if isinstance(data, str) else compact(data)
    if budget is not None:
        check_share(text, budget, reserve, model)
    return [*messages, FORMS[form](f"{text}\n\n{instruction}")]


def compact(data: object) -> str:
    """Return a value as compact JSON."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


def check_share(text: str, budget: int, reserve: int, model: str | None) -> None:
    """Warn where a text takes too much of a budget."""
    usable = budget - reserve
    if usable < 1:
        raise ValueError(f"a reserve of {reserve!r} leaves nothing of a budget of {budget!r}")
    tokens = count(text, model=model).high
    if tokens > LARGEST_SHARE * usable:
        warnings.warn(
            f"the data takes {tokens} of {usable} usable tokens ({100 * tokens // usable} %), over "
            "40 %: read it with read_in_chunks()",
            LargeDataWarning,
            stacklevel=3,
        )


def chat(text: str) -> Message:
    """Return a message of the user as OpenAI's chat completions and Anthropic spell it."""
    return {"role": "user", "content": text}


def responses(text: str) -> Message:
    """Return a message of the user as OpenAI's Responses spell it."""
    return {"type": "message", "role": "user", "content": [{"type": "input_text", "text": text}]}


def gemini(text: str) -> Message:
    """Return a message of the user as Gemini spells it."""
    return {"role": "user", "parts": [{"text": text}]}


FORMS: Mapping[str, Callable[[str], Message]] = {
    "openai-chat": chat,
    "openai-responses": responses,
    "anthropic": chat,
    "gemini": gemini,
}
