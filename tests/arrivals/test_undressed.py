"""What a harness takes away or adds for show is no loss."""

import pytest

from ullage.arrivals.arrival import arrival
from ullage.arrivals.undressed import undressed

LINES = "\n".join(f"def f{n}(): return {n * 7}" for n in range(30))


@pytest.mark.parametrize("form", ["{:>6}\t{}", "{}: {}", "{:>4} | {}", "{}→{}"])
def test_line_numbers_that_a_viewer_adds_are_no_loss(form: str) -> None:
    shown = "\n".join(form.format(at, line) for at, line in enumerate(LINES.split("\n"), start=1))

    assert not arrival(LINES, shown).lost


def test_lines_that_a_numbered_view_lacks_are_a_loss() -> None:
    shown = "\n".join(f"{at}\t{line}" for at, line in enumerate(LINES.split("\n")[:12], start=1))
    found = arrival(LINES, shown)

    assert (found.records.delivered, found.records.produced) == (12, 30)


def test_colours_that_are_taken_away_are_no_loss() -> None:
    coloured = "\n".join(f"\x1b[3{n % 7}m{line}\x1b[0m" for n, line in enumerate(LINES.split("\n")))

    assert not arrival(coloured, LINES).lost
    assert not arrival('\x1b[35m{"rows": [1, 2]}\x1b[0m', '{"rows": [1, 2]}').lost


def test_numbers_of_the_produced_text_are_its_own() -> None:
    ranked = "\n".join(f"{n} city{n}" for n in range(1, 9))

    assert undressed(ranked, ranked) == (ranked, ranked)
