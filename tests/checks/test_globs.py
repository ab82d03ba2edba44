"""Patterns of files."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ullage.checks.globs import covers


@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        ("a.json", "a.json"),
        ("a.json", "logs/old/a.json"),
        ("*.json", "logs/a.json"),
        ("logs/*.json", "logs/a.json"),
        ("logs/**", "logs/old/a.json"),
        ("logs", "logs/old/a.json"),
        ("logs/old/", "logs/old/a.json"),
        ("./logs/old", "logs/old/a.json"),
        ("**/a.json", "a.json"),
        ("logs/**/a.json", "logs/a.json"),
        ("logs/**/a.json", "logs/x/y/a.json"),
        ("run-?.json", "run-1.json"),
        ("run-[0-9].json", "run-1.json"),
        ("run-[!0-9].json", "run-a.json"),
        ("a+b(1).json", "a+b(1).json"),
        ("[z-a].json", "[z-a].json"),
        ("é*.json", "événement.json"),
    ],
)
def test_a_pattern_covers_a_path(pattern: str, path: str) -> None:
    assert covers(pattern, path)


@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        ("logs/*.json", "logs/old/a.json"),
        ("logs/*.json", "more/logs/a.json"),
        ("old", "older/a.json"),
        ("a.json", "a_json"),
        ("run-?.json", "run-10.json"),
        ("run-[!0-9].json", "run-1.json"),
        ("logs/**", "logs"),
    ],
)
def test_a_pattern_leaves_other_paths_alone(pattern: str, path: str) -> None:
    assert not covers(pattern, path)


@given(st.text(), st.text())
def test_no_pattern_is_too_strange(pattern: str, path: str) -> None:
    assert covers(pattern, path) in (True, False)


@given(st.lists(st.text("abc", min_size=1), min_size=1).map("/".join))
def test_a_plain_path_covers_itself(path: str) -> None:
    assert covers(path, path)
