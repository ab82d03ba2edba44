"""The table itself: every entry can be read, says what to do, and is named once."""

import re
from collections import Counter

import pytest

from ullage.doctor.entry import Framework, Loss, Setting, Standing, severity
from ullage.doctor.look import CLIS, FRAMEWORKS
from ullage.doctor.table.usages import USAGES

ENTRIES = [*FRAMEWORKS, *CLIS]
SETTINGS = [setting for one in ENTRIES for setting in one.settings]


def test_no_package_stands_twice() -> None:
    counted = Counter(one.distribution for one in ENTRIES)

    assert [name for name, count in counted.items() if count > 1] == []


@pytest.mark.parametrize("one", ENTRIES, ids=lambda one: one.distribution)
def test_a_package_has_a_version_that_was_read_and_something_to_say(one: Framework) -> None:
    assert one.version
    assert re.fullmatch(r"20\d\d-\d\d", one.read_on)
    assert one.settings or one.note
    assert one.note or any(setting.default and setting.loss != "none" for setting in one.settings)


@pytest.mark.parametrize("one", SETTINGS, ids=lambda one: one.key)
def test_a_setting_says_where_its_values_stand_and_what_to_do(one: Setting) -> None:
    assert one.what.endswith(".")
    assert one.remedy or one.loss == "none"
    assert one.spots
    for spot in one.spots:
        assert spot.known
        assert spot.name
        if spot.file:
            assert bool(spot.symbol) != bool(spot.pattern)
        else:
            assert re.search(r"20\d\d", one.source)


@pytest.mark.parametrize("one", SETTINGS, ids=lambda one: one.key)
def test_a_pattern_has_one_group(one: Setting) -> None:
    assert [re.compile(spot.pattern).groups for spot in one.spots if spot.pattern] == [
        1 for spot in one.spots if spot.pattern
    ]


@pytest.mark.parametrize(
    ("loss", "standing", "wanted"),
    [
        ("silent", "on", "error"),
        ("said", "on", "warning"),
        ("changed", "on", "note"),
        ("silent", "off", "note"),
        ("none", "on", None),
        ("none", "unknown", "note"),
    ],
)
def test_a_severity_follows_from_the_loss_and_whether_it_is_in_force(
    loss: Loss, standing: Standing, wanted: str | None
) -> None:
    assert severity(loss, standing) == wanted


def test_every_default_that_a_usage_shows_is_in_the_table() -> None:
    known = {(one.key, spot.name) for one in SETTINGS for spot in one.spots}
    wanted = {show.default for one in USAGES for show in one.shows if show.default}

    assert wanted - known == set()
