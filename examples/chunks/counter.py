"""A scripted model for `sizes.py`: it counts the orders that it is shown, or adds up counts.

There is no model: the number in its answer is counted by the orders' ids.
"""

import re

from ullage.probe.request import ModelRequest
from ullage.probe.script import Refusal, Turn

ORDER = re.compile(r"\bORD-\d{5}\b")
COUNT = re.compile(r"\b(\d+) orders\b")
CHUNK = re.compile(r"^\[chunks? (\d+)[^\]]*\]$", re.MULTILINE)


class Counter:
    """Answers with a number of orders; the chunk of the number `broken` is never answered."""

    def __init__(self) -> None:
        self.broken = 0

    def __call__(self, request: ModelRequest) -> Turn:
        """Say how many orders there are in what the user said."""
        said = request.last_user
        chunks = CHUNK.findall(said)
        if len(chunks) > 1:
            return Turn(text=f"{sum(map(int, COUNT.findall(said)))} orders")
        if chunks and int(chunks[0]) == self.broken:
            refused = Refusal(status=503, kind="planned", message="overloaded")
            return Turn(refused=refused)
        return Turn(text=f"{len(set(ORDER.findall(said)))} orders")
