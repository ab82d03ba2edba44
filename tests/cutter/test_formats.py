"""What holds for every format alike."""

import os
import subprocess
import sys
from pathlib import Path
from typing import get_args

import pytest
from tests.cutter.samples import BUDGET, WRITERS, samples

from ullage import chars, cut
from ullage.cutter.values import Format

ROOT = Path(__file__).parents[2]


def test_there_are_samples_of_every_format() -> None:
    assert set(WRITERS) == set(get_args(Format))


@pytest.mark.parametrize("name", WRITERS)
def test_a_format_is_found_by_reading(name: Format) -> None:
    found = {cut(text, chars(BUDGET)).account.format for text in samples(name)}

    assert found == {name}


@pytest.mark.parametrize("name", WRITERS)
@pytest.mark.parametrize("limit", [60, 300, BUDGET, 2_000])
def test_every_cut_is_within_its_budget_and_states_its_loss(name: Format, limit: int) -> None:
    for text in samples(name):
        done = cut(text, chars(limit))
        assert len(done.text) <= limit
        assert done.complete or " of " in done.notice


@pytest.mark.parametrize("name", WRITERS)
def test_every_part_adds_up(name: Format) -> None:
    for text in samples(name):
        for part in cut(text, chars(BUDGET)).account.parts:
            left_out = sum(last - first + 1 for first, last in part.left_out)
            assert part.produced == part.delivered + left_out


@pytest.mark.parametrize("name", WRITERS)
def test_a_cut_of_a_cut_changes_nothing(name: Format) -> None:
    for text in samples(name):
        once = cut(text, chars(BUDGET)).text
        assert cut(once, chars(BUDGET)).text == once


@pytest.mark.parametrize("name", WRITERS)
def test_a_second_smaller_cut_keeps_one_notice(name: Format) -> None:
    for text in samples(name):
        twice = cut(cut(text, chars(BUDGET)).text, chars(BUDGET // 2))
        assert twice.text.count("Cut: ") + twice.text.count("Cut to ") == 1


@pytest.mark.slow
def test_the_same_bytes_come_out_under_another_hash_seed_and_locale() -> None:
    digests = set()
    for seed, locale in (("0", "C"), ("4711", "C.UTF-8")):
        settings = {"PYTHONHASHSEED": seed, "LC_ALL": locale, "PYTHONPATH": str(ROOT)}
        done = subprocess.run(
            [sys.executable, "-m", "tests.cutter.samples"],
            cwd=ROOT,
            env={**os.environ, **settings},
            capture_output=True,
            text=True,
            check=True,
        )
        digests.add(done.stdout)
    assert len(digests) == 1
