"""The checks of sessions about what was made of what had arrived."""

from collections.abc import Callable, Mapping

from ullage.checks import (
    answer_count,
    answer_covers_less,
    counter_wrong,
    handles,
    refetch,
    secret_in_clear,
)
from ullage.checks.gather import Gatherer
from ullage.checks.session import SessionCheck

CHECKS: Mapping[str, SessionCheck] = {
    answer_covers_less.NAME: answer_covers_less.check,
    answer_count.NAME: answer_count.check,
    handles.UNUSED: handles.check_unused,
    handles.DEAD: handles.check_dead,
    refetch.NAME: refetch.check,
    counter_wrong.NAME: counter_wrong.check,
    secret_in_clear.NAME: secret_in_clear.check,
}
"""By name, those that judge one session by itself."""

GATHERERS: Mapping[str, Callable[[], Gatherer]] = {}
"""By name, those that need all sessions before they can say anything."""

ALSO: tuple[str, ...] = ()
"""What they report besides their own names."""
