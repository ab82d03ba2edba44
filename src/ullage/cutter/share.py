"""Max-min fair shares, and handing back what a share left over."""

from collections.abc import Callable, MutableMapping, Sequence
from typing import Protocol, TypeVar


class Written(Protocol):
    """A part that was fitted."""

    @property
    def text(self) -> str:
        """What is delivered of it."""


T = TypeVar("T", bound=Written)


def level(wants: Sequence[int], supply: int) -> int:
    """Return the largest level at which `min(want, level)` over all `wants` fits into `supply`.

    Whoever wants less than the level gives the rest away; at the level of the largest want all
    wants are met.
    """
    rest, count = supply, len(wants)
    for want in sorted(wants):
        if want * count > rest:
            return max(rest // count, 0)
        rest -= want
        count -= 1
    return max(wants, default=0)


def hand_back(
    done: MutableMapping[int, T],
    order: Sequence[int],
    extra: int,
    larger: Callable[[int, T, int], T | None],
) -> None:
    """Give what whole records left of one part's share to the parts that can use it, in `order`.

    `larger(index, part, extra)` fits a part again with that much more room; None where it has no
    use for it.
    """
    for index in order:
        if extra <= 0:
            return
        again = larger(index, done[index], extra)
        gained = len(again.text) - len(done[index].text) if again is not None else 0
        if again is not None and 0 < gained <= extra:
            extra -= gained
            done[index] = again
