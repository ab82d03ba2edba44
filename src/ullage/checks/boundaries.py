"""Where one step's loss belongs, by what arrived over it."""

from ullage.arrivals.arrival import Arrival
from ullage.transcript.words import Boundary


def boundary_of(step: Arrival) -> Boundary | None:
    """Return where one step's loss belongs; None where nothing was lost.

    `serialise` where the values all arrived in a form that is no longer the produced one; else
    `budget`.
    """
    if step.lost:
        return "budget"
    if step.valid is False:
        return "serialise"
    return None
