"""One word for what happened to a pair."""

from ullage.arrivals.arrival import Arrival


def label(one: Arrival) -> str:
    """Return `ok`, `nothing-produced`, or the name of the check that the pair fails first."""
    if one.rate is None:
        return "nothing-produced"
    if one.form == "empty":
        return "cut-to-empty"
    if one.valid is False:
        return "invalid-syntax"
    if one.lost and one.notice.grade == "none":
        return "silent-cut"
    return "ok"
