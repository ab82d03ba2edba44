"""Which messages of a request carry what a tool returned."""

import re

from ullage.transcript.message import Message

# Some frameworks put results into user messages behind one of these words.
OBSERVATION = re.compile(
    r"\s*(?:observation|execution logs|tool (?:output|result|response))s?\s*:", re.IGNORECASE
)


def is_result(message: Message) -> bool:
    """Whether a message carries a tool's result, in its role or by its first word."""
    if message.role == "tool":
        return True
    return message.role == "user" and OBSERVATION.match(message.text) is not None
