"""Which request bodies are read, by the path that they were sent to."""

from collections.abc import Callable, Sequence

from ullage.wire import openai_chat, openai_responses
from ullage.wire.openai_chat import Request

Reader = Callable[[bytes], Request]

READERS: Sequence[tuple[Callable[[str], bool], Reader]] = (
    (openai_chat.is_chat, openai_chat.read_request),
    (openai_responses.is_responses, openai_responses.read_request),
)


def reader_of(path: str) -> Reader | None:
    """Return the reader of the requests to a path; None where they are not read."""
    return next((read for is_one, read in READERS if is_one(path)), None)
