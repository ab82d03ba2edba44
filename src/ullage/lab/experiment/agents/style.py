"""How an agent takes a result that is broken or short: three ways, as data."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """`queries`: narrower ones that it tries. `again`: calls of a broken listing once more.

    `pages`: pages of a spilled listing that it reads. `guesses`: it names somebody when it does not
    know.
    """

    queries: int = 0
    again: int = 0
    pages: int = 0
    guesses: bool = False


STYLES: Mapping[str, Style] = MappingProxyType(
    {
        "retries": Style(queries=8, again=1, pages=12),
        "gives-up": Style(),
        "guesses": Style(guesses=True),
    }
)
