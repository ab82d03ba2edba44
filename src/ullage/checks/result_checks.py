"""The checks of sessions about what was produced and given of each result."""

from collections.abc import Callable, Mapping

from ullage.checks import broken_result, cuts, said_cut
from ullage.checks.gather import Gatherer
from ullage.checks.session import SessionCheck

CHECKS: Mapping[str, SessionCheck] = {
    said_cut.NAME: said_cut.check,
    broken_result.NAME: broken_result.check,
}
"""By name, those that judge one session by itself."""

GATHERERS: Mapping[str, Callable[[], Gatherer]] = {cuts.NAME: cuts.Cuts}
"""By name, those that need all sessions before they can say anything."""

ALSO: tuple[str, ...] = cuts.ALSO
"""What they report besides their own names."""
