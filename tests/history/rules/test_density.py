"""How much a text says for its length."""

from pathlib import Path

from tests.history.rules.outputs import log

from ullage.history.rules import rule
from ullage.history.rules.density import density


def test_lines_that_differ_in_figures_only_are_one_kind() -> None:
    found = density(log(200))

    assert (found.kinds, found.count, found.of) == (1, 200, "line")


def test_code_is_dense() -> None:
    code = Path(rule.__file__).read_text(encoding="utf-8")

    assert density(code).share > 0.7


def test_few_lines_are_measured_by_their_words() -> None:
    found = density("the tide comes in and goes out " * 40)

    assert found.of == "word group"
    assert found.kinds == 7


def test_a_text_of_nothing_is_not_repetitive() -> None:
    assert density("").share == 1


def test_of_a_very_long_text_stretches_are_measured() -> None:
    found = density("crane 4 moved a box\n" * 100_000)

    assert found.count < 30_000
    assert found.share < 0.001
