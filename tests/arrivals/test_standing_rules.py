"""What in a text is a standing rule."""

import pytest

from ullage.arrivals.standing_rules import rules_in


@pytest.mark.parametrize(
    "text",
    [
        "Do not e-mail anybody before Friday.",
        "Rule 5: only /srv/export/eu may be read.",
        "Only files below src/ must change.",
        "You may only read it.",
    ],
)
def test_a_restriction_is_a_rule(text: str) -> None:
    assert [one.text for one in rules_in(text)] == [text]


@pytest.mark.parametrize(
    "text",
    [
        "It may be that only two of them work.",
        "May only two of them fail here?",
        "I do not know.",
        "Only two tests fail.",
    ],
)
def test_what_is_told_or_asked_is_no_rule(text: str) -> None:
    assert list(rules_in(text)) == []
