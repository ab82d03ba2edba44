"""The checks of sessions about what left the context, and what that did."""

from collections.abc import Callable, Mapping

from ullage.checks import (
    compacted_with_room,
    compaction_checks,
    error_loop,
    handoffs,
    instruction_lost,
    message_lost,
    payload_in_history,
    plan_loop,
    plateau,
    summarised,
    summariser_starved,
    system_shortened,
)
from ullage.checks.gather import Gatherer
from ullage.checks.session import SessionCheck

CHECKS: Mapping[str, SessionCheck] = {
    message_lost.NAME: message_lost.check,
    system_shortened.NAME: system_shortened.check,
    plateau.NAME: plateau.check,
    payload_in_history.NAME: payload_in_history.check,
    compacted_with_room.NAME: compacted_with_room.check,
    summariser_starved.NAME: summariser_starved.check,
    error_loop.NAME: error_loop.check,
    instruction_lost.NAME: summarised.check,
    plan_loop.NAME: plan_loop.check,
}
"""By name, those that judge one session by itself."""

GATHERERS: Mapping[str, Callable[[], Gatherer]] = {handoffs.NAME: handoffs.Handoffs}
"""By name, those that need all sessions before they can say anything."""

ALSO: tuple[str, ...] = compaction_checks.NAMES
"""What they report besides their own names."""
