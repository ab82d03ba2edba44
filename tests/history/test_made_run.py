"""The made run of `make history`, at a small size: what survives in which tier."""

import json
from functools import cache
from typing import get_args

import pytest
from benchmarks.history.history import page
from benchmarks.history.made_run import Run, Size, made_run
from benchmarks.history.survival import Survival, survive

from ullage.history.settings import Tier

SMALL = Size(turns=60, constraints=4, facts=8, open_steps=2, stacks=2, listings=5)
WINDOW = 4_000
MANAGED = [one for one in get_args(Tier) if one != "T0"]


@cache
def small() -> Run:
    return made_run(SMALL)


@cache
def led(tier: Tier, window: int = WINDOW) -> Survival:
    return survive(small(), tier, window)


def test_all_that_is_looked_for_was_said() -> None:
    said = json.dumps(small().turns)

    for kind, each in small().planted.kinds().items():
        assert len(set(each)) == len(each)
        assert [one for one in each if json.dumps(one)[1:-1] not in said] == [], kind  # no quotes


def test_a_seed_makes_one_run() -> None:
    assert made_run(SMALL) == made_run(SMALL)
    assert made_run(SMALL, seed=8) != made_run(SMALL)


def test_without_a_tier_the_window_overflows() -> None:
    assert led("T0").overflow is not None
    assert led("T0").kept["listings"] == (5, 5)


@pytest.mark.parametrize("tier", MANAGED)
def test_every_managed_tier_fits_and_keeps_constraints_and_stacks_whole(tier: Tier) -> None:
    found = led(tier)

    assert found.overflow is None
    assert found.last <= WINDOW
    assert found.kept["constraints"] == (4, 4)
    assert found.kept["stacks"] == (2, 2)


@pytest.mark.parametrize("tier", ["T3", "T4"])
def test_open_steps_survive_a_summary_that_leaves_them_out(tier: Tier) -> None:
    assert led(tier).calls > 0
    assert led(tier).kept["open steps"] == (2, 2)


def test_rules_save_the_last_tier_requests_to_a_model_where_the_window_has_room() -> None:
    assert led("T4", 2 * WINDOW).calls < led("T3", 2 * WINDOW).calls


def test_tiers_without_a_summary_ask_no_model() -> None:
    assert led("T1").calls == led("T2").calls == 0


def test_the_page_has_a_row_for_each_tier_and_says_who_summarised() -> None:
    text = page(SMALL, [WINDOW], get_args(Tier))

    assert [text.count(f"| `{one}` |") for one in get_args(Tier)] == [1, 1, 1, 1, 1]
    assert "The summariser is scripted" in text
