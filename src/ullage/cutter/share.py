"""Max-min fair shares."""

from collections.abc import Sequence


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
