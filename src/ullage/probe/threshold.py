"""The smallest size at which something is lost, exact to one character.

Pure: it asks for a size, and whoever runs the cases answers.
"""

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class Threshold:
    """Where a loss begins.

    `lost` is the smallest size at which something is lost, None where nothing is up to `most`.
    `kept` is the largest size below it at which nothing is, None where even `least` loses. With
    both, `lost` is `kept + 1`. It is not `monotone` where a larger size than one that lost was
    seen to lose nothing: then it is the beginning of the first stretch that was found, and there
    may be an earlier one. `tried` are the sizes with what came of them.
    """

    lost: int | None
    kept: int | None
    least: int
    most: int
    monotone: bool = True
    tried: Mapping[int, bool] = field(default_factory=dict)

    def __str__(self) -> str:
        """Return it as a sentence."""
        if self.lost is None:
            return f"nothing is lost up to {self.most} characters"
        if self.kept is None:
            return f"something is lost at {self.lost} characters already, the smallest size tried"
        bound = f"nothing is lost at {self.kept} characters, and something at {self.lost}"
        if self.monotone:
            return bound
        larger = min(size for size, lost in self.tried.items() if not lost and size > self.lost)
        return f"{bound}; but nothing is lost at {larger}, so this is no simple limit"


Search = Generator[int, bool, Threshold]
"""Yields a size to try, is sent whether something was lost at it, and returns the threshold."""


def search(least: int, most: int, *, known: Mapping[int, bool] | None = None) -> Search:
    """Look for the threshold between two sizes, in characters.

    `known` are sizes that have been tried already (a ladder): they narrow the bracket, and show
    where more loses less. Sizes outside of `least` and `most` count as well. At most
    2 + log2(most - least) sizes are asked for.
    """
    if least > most:
        raise ValueError(f"least is {least} and most is {most}: there is nothing between them")
    tried = dict(known or {})
    if not any(tried.values()):
        tried[most] = (yield most) if most not in tried else tried[most]
    if any(tried.values()) and not any(size < first(tried) for size in tried):
        low = min(least, first(tried))
        tried[low] = (yield low) if low not in tried else tried[low]
    while any(tried.values()) and (kept := below(tried)) is not None:
        lost = first(tried)
        if lost - kept == 1:
            break
        middle = (kept + lost) // 2
        tried[middle] = yield middle
    return threshold_of(tried, least, most)


def first(tried: Mapping[int, bool]) -> int:
    """Return the smallest size at which something was lost."""
    return min(size for size, lost in tried.items() if lost)


def below(tried: Mapping[int, bool]) -> int | None:
    """Return the largest size below that, if any was tried."""
    return max((size for size in tried if size < first(tried)), default=None)


def threshold_of(tried: Mapping[int, bool], least: int, most: int) -> Threshold:
    """Return what the sizes that were tried say."""
    ordered = dict(sorted(tried.items()))
    if not any(tried.values()):
        return Threshold(lost=None, kept=max(tried), least=least, most=most, tried=ordered)
    lost = first(tried)
    return Threshold(
        lost=lost,
        kept=below(tried),
        least=least,
        most=most,
        monotone=all(known for size, known in tried.items() if size > lost),
        tried=ordered,
    )


def find(
    loses: Callable[[int], bool],
    least: int,
    most: int,
    *,
    known: Mapping[int, bool] | None = None,
) -> Threshold:
    """Find a threshold by a function that says whether something is lost at a size."""
    asking = search(least, most, known=known)
    try:
        size = next(asking)
        while True:
            size = asking.send(loses(size))
    except StopIteration as end:
        found: Threshold = end.value
        return found
