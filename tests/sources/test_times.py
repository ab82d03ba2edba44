"""Times as transcripts write them."""

import math

import pytest

from ullage.sources.times import seconds_of

AT = 1_777_888_999.5


@pytest.mark.parametrize("scale", [1, 10**3, 10**6, 10**9])
def test_a_number_of_any_part_of_a_second_is_a_time(scale: int) -> None:
    assert seconds_of(AT * scale) == pytest.approx(AT)


@pytest.mark.parametrize("said", ["2026-05-04T10:00:03.5+02:00", "2026-05-04T08:00:03.5"])
def test_a_text_without_its_zone_is_utc(said: str) -> None:
    assert seconds_of(said) == 1_777_881_603.5


@pytest.mark.parametrize("said", [True, None, "soon", -1, math.nan, math.inf, 10**400, [1]])
def test_what_is_no_time_is_none(said: object) -> None:
    assert seconds_of(said) is None
