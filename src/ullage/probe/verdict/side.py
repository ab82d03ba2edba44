"""Which side of a payload was lost."""

from collections.abc import Sequence
from itertools import groupby
from typing import Literal

Side = Literal["none", "head", "middle", "tail", "both", "scattered", "all"]
"""Where what did not arrive stood: `both` are head and tail, `scattered` is more than one stretch
of any other kind."""


def side(arrived: Sequence[bool]) -> Side:
    """Name the side that was lost, by which records arrived, in their order."""
    stretches = [kept for kept, _ in groupby(arrived)]
    if True not in stretches:
        return "all" if stretches else "none"
    shapes: dict[tuple[bool, ...], Side] = {
        (True,): "none",
        (False, True): "head",
        (True, False): "tail",
        (True, False, True): "middle",
        (False, True, False): "both",
    }
    return shapes.get(tuple(stretches), "scattered")
