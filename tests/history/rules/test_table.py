"""Rules by name and by import path."""

import pytest
from tests.history.rules.histories import elide, history, ran

from ullage.errors import ConfigError
from ullage.history.rules.table import RULES, rules_by_name

OWN = """
from ullage.history.rules.rule import Proposal

not_a_function = 3

def drop_banners(pieces, guard):
    for index, piece in enumerate(pieces):
        if piece.is_result and piece.message.text.startswith("****"):
            text = piece.message.text.lstrip("*")
            yield Proposal(index=index, text=text, why="a banner")

def wrong(pieces, guard):
    yield {"index": 2}

def of_a_user(pieces, guard):
    yield Proposal(index=0, text="", why="why not")

def beyond(pieces, guard):
    yield Proposal(index=99, text="", why="why not")
"""


@pytest.fixture
def own(tmp_path, monkeypatch: pytest.MonkeyPatch) -> str:  # type: ignore[no-untyped-def]
    """The name of a module with rules of a user's own."""
    (tmp_path / "harbour_rules.py").write_text(OWN, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    return "harbour_rules"


def test_the_rules_stand_in_the_order_in_which_they_are_applied() -> None:
    assert list(RULES) == [
        "identical",
        "superseded",
        "progress",
        "echoes",
        "chatter",
        "seen-before",
        "listings",
        "long-tails",
    ]


def test_rules_are_chosen_by_name_in_the_order_given() -> None:
    assert list(rules_by_name(["listings", "identical"])) == ["listings", "identical"]


def test_a_rule_of_a_users_own_is_named_by_its_import_path(own: str) -> None:
    name = f"{own}:drop_banners"
    pieces = history(ran("run", "*" * 300 + "ready"))

    (found,) = elide(pieces, rules=rules_by_name([name]))

    assert found.rule == name
    assert found.text == (
        f"[ullage: 300 of 305 characters; rule {name}; call the tool again to have it]\nready"
    )


def test_a_name_that_is_no_rule_is_told_with_those_that_are() -> None:
    with pytest.raises(ConfigError, match="no rule is called 'superseeded': choose from identical"):
        rules_by_name(["superseeded"])


@pytest.mark.parametrize("name", ["no_such_module:rule", "no.such:rule", ".relative:rule"])
def test_a_module_that_is_not_there_is_told(name: str) -> None:
    with pytest.raises(ConfigError, match=r"cannot be imported: .*on the Python path"):
        rules_by_name([name])


@pytest.mark.parametrize("function", ["nothing", "not_a_function"])
def test_a_function_that_is_not_there_is_told(own: str, function: str) -> None:
    with pytest.raises(ConfigError, match=f"has no function '{function}'"):
        rules_by_name([f"{own}:{function}"])


def test_what_is_no_proposal_is_told(own: str) -> None:
    with pytest.raises(TypeError, match="the rule 'harbour_rules:wrong' must give Proposals"):
        elide(history(ran("ls", "x")), rules=rules_by_name([f"{own}:wrong"]))


def test_a_piece_that_is_no_result_is_not_elided(own: str) -> None:
    with pytest.raises(ValueError, match="of role 'user': only results are elided"):
        elide(history(ran("ls", "x")), rules=rules_by_name([f"{own}:of_a_user"]))


def test_a_piece_that_there_is_not_is_told(own: str) -> None:
    with pytest.raises(ValueError, match="proposes piece 99: there are 3, from 0"):
        elide(history(ran("ls", "x")), rules=rules_by_name([f"{own}:beyond"]))
