"""Whether a text says how many records are missing, where there is nothing to hold it against."""

from ullage.arrivals.notice import CUT_WORDS, FIGURE, LIMIT_BEFORE

NEAR = 120
"""So many characters around a figure belong to what it says."""

MOST_DIGITS = 15
LIMIT_LOOKBACK = 40
TORN = 1
"""A record that was torn is one more or one less, as one counts."""


def tells_missing(text: str, produced: int, delivered: int) -> bool:
    """Whether a text states how many of `produced` records are not in it, in words of a cut.

    The number that is missing, or what is there beside the total; a total alone is what an
    instruction says too.
    """
    missing = around(produced - delivered) - {0}
    there = around(delivered)
    stated = [
        (found.start(), value)
        for found in FIGURE.finditer(text)
        if (value := value_of(found[1], found[2])) is not None
        and value in missing | there | {produced}
        and not LIMIT_BEFORE.search(text, max(0, found.start() - LIMIT_LOOKBACK), found.start())
    ]
    return any(
        (value in missing or (value in there and has_total(stated, produced, at)))
        and CUT_WORDS.search(text, max(0, at - NEAR), at + NEAR) is not None
        for at, value in stated
    )


def around(count: int) -> set[int]:
    """Return a count and its neighbours."""
    return {count + by for by in range(-TORN, TORN + 1)}


def value_of(figure: str, scale: str | None) -> int | None:
    """Return a whole number; None for a fraction, for thousands, and beyond any count."""
    plain = figure.replace(",", "").replace("_", "")
    return int(plain) if scale is None and plain.isdigit() and len(plain) <= MOST_DIGITS else None


def has_total(stated: list[tuple[int, int]], total: int, at: int) -> bool:
    """Whether the total is stated beside another figure."""
    return any(value == total and 0 < abs(place - at) <= NEAR for place, value in stated)
