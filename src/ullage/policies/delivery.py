"""What a policy makes of a text."""

from collections.abc import Callable
from dataclasses import dataclass

from ullage.cutter.budget import Budget


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivery:
    """The text that the model would have been given, and what of it says that something is gone."""

    text: str
    notice: str = ""


Apply = Callable[[str, Budget], Delivery]
"""A policy: a text and a budget in, a delivery out. It never sees another result."""
