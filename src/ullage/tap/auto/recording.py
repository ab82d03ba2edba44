"""Recording what a framework's call made, once."""

import sys

from ullage.tap.arguments import canonical
from ullage.tap.auto.points import NOTHING, Opened
from ullage.tap.calls import UNDER_WAY
from ullage.tap.environment import TapSettings
from ullage.tap.tool import LATEST, RecordingWarning, guarded, hand_on_made, record


def keep(opened: Opened, result: object) -> None:
    """Record a call's value as produced.

    Where the tool's own code recorded something, that is what was produced, and this is what it
    handed on: said if it was one result, and the tool did not say it itself. A value that an inner
    call without a name returned is recorded already. Where an adapter stands around the call, it
    is the one that says what was handed on.
    """

    def act(settings: TapSettings) -> None:
        value = opened.point.value(result, opened.call, opened.given)
        outer = opened.outer
        if value is NOTHING:
            return
        if outer is not None and opened.called.call_id is None:
            outer.inside.append(value)
        adapted = outer is not None and outer.is_around(opened.called.tool, opened.called.call_id)
        if opened.call.made and not adapted:
            hand_on_made(settings, opened.call.made, value)
        elif not opened.call.made and not any(one is value for one in opened.call.inside):
            write(opened, value)
        if adapted and outer is not None:
            outer.made.extend(opened.call.made)

    try:
        guarded(act)
    except RecordingWarning as warning:  # the program has warnings raised
        sys.stderr.write(f"RecordingWarning: {warning}\n")


def write(opened: Opened, value: object) -> None:
    """Write one result, in the name of its call."""
    latest = LATEST.get()
    token = None if opened.point.inner else UNDER_WAY.set(opened.call)
    record(value, opened.called.tool, "tool", None, lambda: canonical(opened.called.arguments))
    if token is not None:
        UNDER_WAY.reset(token)
        # What a framework's call made is behind us: no `handed_on` can be about it.
        LATEST.set(latest)
