"""The checks of sessions about what was made of what had arrived."""

from collections.abc import Callable, Mapping

from ullage.checks.gather import Gatherer
from ullage.checks.session import SessionCheck

CHECKS: Mapping[str, SessionCheck] = {}
"""By name, those that judge one session by itself."""

GATHERERS: Mapping[str, Callable[[], Gatherer]] = {}
"""By name, those that need all sessions before they can say anything."""

ALSO: tuple[str, ...] = ()
"""What they report besides their own names."""
