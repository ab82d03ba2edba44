"""Experimental checks are off until somebody asks."""

from ullage.checks.experimental import EXPERIMENTAL, asked_for
from ullage.checks.scan import NAMES
from ullage.transcript.finding import Finding

FOUND = [
    Finding(check=name, severity="note", boundary=None, evidence={}, advice="")
    for name in ("silent-cut", "handle-unused")
]


def names(*wanted: str) -> list[str]:
    return [one.check for one in asked_for(FOUND, wanted, off={"handle-unused"})]


def test_a_check_that_is_off_says_nothing() -> None:
    assert names() == ["silent-cut"]


def test_a_check_that_is_off_is_switched_on_by_its_name() -> None:
    assert names("handle-unused") == ["silent-cut", "handle-unused"]


def test_each_experimental_check_is_one_of_the_checks() -> None:
    assert set(NAMES) >= EXPERIMENTAL
