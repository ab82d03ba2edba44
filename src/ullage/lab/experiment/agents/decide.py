"""The answer, from the findings that were handed on."""

from collections.abc import Sequence

from ullage.lab.experiment.agents import noted
from ullage.lab.experiment.agents.style import Style

NONE, UNKNOWN = "none", "unknown"


def answer(texts: Sequence[str], style: Style) -> str:
    """Return the container at fault, `none` where all were seen to be well, else `unknown`.

    Who guesses names the busiest process that was looked into, and says `none` where there is none.
    """
    faults = noted.faults_in(texts)
    if faults:
        return max(faults, key=lambda one: (one.weight, one.pid)).answer
    if noted.whole_in(texts):
        return NONE
    if not style.guesses:
        return UNKNOWN
    cleared = noted.cleared_in(texts)
    return max(cleared, key=lambda one: (one.weight, one.pid)).answer if cleared else NONE
