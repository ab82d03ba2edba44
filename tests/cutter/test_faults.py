"""Faults that the cut notices and never hides."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ullage import chars, cut
from ullage.cutter.faults import duplicate_keys


def checks(text: str, limit: int) -> list[str]:
    return [one.check for one in cut(text, chars(limit)).findings]


def test_duplicate_keys_in_records_are_named_and_both_values_stay() -> None:
    rows = [f'{{"id":{number},"role":"admin","role":"guest"}}' for number in range(60)]

    done = cut("[" + ",".join(rows) + "]", chars(500))

    (found,) = done.findings
    assert (found.check, found.evidence["key"]) == ("duplicate-key", "role")
    assert '"role":"admin","role":"guest"' in done.text


def test_a_key_may_stand_in_two_objects() -> None:
    assert duplicate_keys('[{"a":1},{"a":{"a":2}}]') == []


@pytest.mark.parametrize(
    ("text", "count"),
    [
        (r'["\ud83d"]', 1),
        (r'["\ude00 and \ud83d\ude00"]', 1),
        (r'["\ud83d\ude00"]', 0),
        (r'["\\ud83d"]', 0),
        ('["\ud83d"]', 1),
    ],
)
def test_a_lone_surrogate_is_said(text: str, count: int) -> None:
    padded = text[:-1] + "," + json.dumps("x" * 300) + "]"

    found = [one for one in cut(padded, chars(200)).findings if one.check == "lone-surrogate"]

    assert [one.evidence["count"] for one in found] == [count] * bool(count)


def test_json_in_a_json_string_is_cut_inside_and_named() -> None:
    rows = [{"id": number, "name": f"row {number}"} for number in range(200)]
    text = json.dumps({"ok": True, "body": json.dumps({"rows": rows, "n": 3})})

    done = cut(text, chars(1200))

    inner = json.loads(json.loads(done.text)["body"])
    assert inner["n"] == 3
    assert all(row in rows for row in inner["rows"])
    assert inner["_ullage"].startswith("Cut")
    assert "double-encoded" in checks(text, 1200)
    assert "$.body|$.rows" in {part.path for part in done.account.parts}


@given(
    keys=st.lists(st.sampled_from(["a", "b", 'q"', '":', "\u2028"]), max_size=6),
    value=st.sampled_from(["1", '"x"', '"\\":"', '"\\u0022:"', '{"a":1}', '[{"b":1,"b":2}]']),
    spaced=st.booleans(),
)
def test_duplicate_keys_are_found_however_they_are_written(
    keys: list[str], value: str, spaced: bool
) -> None:
    colon = " : " if spaced else ":"
    text = "{" + ",".join(f"{json.dumps(key)}{colon}{value}" for key in keys) + "}"
    wanted = {key for key in keys if keys.count(key) > 1}
    wanted |= {"b"} if keys and '"b":2' in value else set()

    assert set(duplicate_keys(text)) == wanted
