"""What is wrong with a pair: one judgement for the checks of a run and for the label of a pair."""

from typing import Literal, get_args

from ullage.arrivals.arrival import Arrival

Fault = Literal["cut-to-empty", "invalid-syntax", "silent-cut"]
"""The checks that a pair of texts can fail, the first one first."""

FAULTS: tuple[Fault, ...] = get_args(Fault)


def faults(one: Arrival) -> tuple[Fault, ...]:
    """Return what a pair fails; a text that was cut to nothing fails nothing else."""
    if one.rate is None:
        return ()
    if one.form == "empty":
        return ("cut-to-empty",)
    failed = {
        "invalid-syntax": one.valid is False,
        "silent-cut": one.lost and one.notice.grade == "none",
    }
    return tuple(fault for fault in FAULTS if failed.get(fault))


def label(one: Arrival) -> str:
    """Return `ok`, `nothing-produced`, or the name of the check that the pair fails first."""
    if one.rate is None:
        return "nothing-produced"
    return next(iter(faults(one)), "ok")
