"""The settings of a compaction are checked before anything is done."""

from typing import Any

import pytest

from ullage.history.settings import Settings


def test_the_defaults_are_the_fourth_tier_with_the_ratios_of_the_study() -> None:
    one = Settings(budget=1000)

    assert (one.tier, one.unit, one.keep_turns, one.gate) == ("T4", "tokens", 3, None)
    assert (one.soft_limit, one.hard_limit) == (600, 850)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"budget": 0}, "budget=0: at least 1"),
        ({"budget": 10.5}, "budget=10.5: a whole number"),
        ({"budget": True}, "budget=True: a whole number"),
        ({"unit": "words"}, "unit='words': choose tokens, chars, messages"),
        ({"tier": "T5"}, "tier='T5': choose T0, T1, T2, T3, T4"),
        ({"keep_turns": -1}, "keep_turns=-1: at least 0"),
        ({"reserve": -5}, "reserve=-5: at least 0"),
        ({"summarise": "always"}, "summarise='always': choose may, never"),
        ({"trim": "newest"}, "trim='newest': choose oldest-unit"),
        ({"gate": "30%"}, "gate='30%': a share over the budget such as 0.30"),
        ({"gate": -0.1}, "gate=-0.1: a share"),
        ({"soft": 1.2}, "soft=1.2"),
        ({"soft": float("nan")}, "soft=nan"),
        ({"soft": 0.9, "hard": 0.8}, "soft=0.9 is above hard=0.8"),
        ({"protect": "role:user"}, r"give a list of rules, \['role:user'\]"),
    ],
)
def test_a_setting_that_cannot_be_meant_is_named(wrong: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        Settings(**{"budget": 1000, **wrong})
