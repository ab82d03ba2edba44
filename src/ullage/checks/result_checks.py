"""The checks of sessions about what was produced and given of each result."""

from collections.abc import Callable, Mapping

from ullage.checks import (
    broken_result,
    count_contradicted,
    cuts,
    error_in_body,
    field_arrival,
    json_faults,
    orphans,
    page_limit_hit,
    result_forms,
    said_cut,
    unstable_source,
)
from ullage.checks.gather import Gatherer
from ullage.checks.session import SessionCheck

CHECKS: Mapping[str, SessionCheck] = {
    said_cut.NAME: said_cut.check,
    broken_result.NAME: broken_result.check,
    json_faults.DUPLICATE: json_faults.check,
    error_in_body.NAME: error_in_body.check,
    count_contradicted.NAME: count_contradicted.check,
    unstable_source.NAME: unstable_source.check,
    orphans.RESULT: orphans.check,
}
"""By name, those that judge one session by itself."""

GATHERERS: Mapping[str, Callable[[], Gatherer]] = {
    cuts.NAME: cuts.Cuts,
    field_arrival.ASYMMETRY: field_arrival.Fields,
    page_limit_hit.NAME: page_limit_hit.Pages,
    result_forms.REPR: result_forms.Forms,
}
"""By name, those that need all sessions before they can say anything."""

ALSO: tuple[str, ...] = (
    *cuts.ALSO,
    field_arrival.NEVER,
    json_faults.SURROGATE,
    orphans.CALL,
    result_forms.ENCODED,
)
"""What they report besides their own names."""
