"""Payloads and prompts: exact in length, true to their format, and told again by their ids."""

import csv
import io
import json
import re
import unicodedata
from collections.abc import Callable, Mapping
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ullage.probe.canary import evidence, found, least_size, payload, prompt, turn_id
from ullage.probe.case import Case, Format, Kind
from ullage.probe.rows import EARLY, LATE

FORMATS = get_args(Format)
CASES = st.builds(
    Case,
    tag=st.text("abc0123-", min_size=1, max_size=8),
    kind=st.just("result"),
    format=st.sampled_from(FORMATS),
    size=st.integers(1_100, 9_000),
    lines=st.integers(130, 400),
    wide=st.booleans(),
    seed=st.text(max_size=9),
)


def by_part(records: list[dict[str, object]]) -> dict[str, list[dict[str, object]]]:
    parts: dict[str, list[dict[str, object]]] = {"early_list": [], "late_list": []}
    for record in records:
        parts[f"{record.pop('part')}_list"].append(record)
    return parts


def from_json(text: str) -> dict[str, list[dict[str, object]]]:
    assert "\n" not in text
    value: dict[str, list[dict[str, object]]] = json.loads(text)
    return value


def from_ndjson(text: str) -> dict[str, list[dict[str, object]]]:
    return by_part([json.loads(line) for line in text.split("\n")])


def from_csv(text: str) -> dict[str, list[dict[str, object]]]:
    return by_part([typed(record) for record in csv.DictReader(io.StringIO(text))])


def from_markdown(text: str) -> dict[str, list[dict[str, object]]]:
    parts = {}
    for section in re.split(r"(?m)^## ", text)[1:]:
        name, _, head, _, *rows = section.rstrip("\n").split("\n")
        columns = cells(head)
        parts[f"{name}_list"] = [
            typed(dict(zip(columns, cells(line), strict=True))) for line in rows if line
        ]
    return parts


def cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip("|").split("|")]


EVENT = re.compile(
    r"\S+Z (?:INFO|ERROR) (?P<part>\w+): (?P<id>\S+) host=(?P<host>\S+) ms=(?P<ms>\d+) "
    r"cpu=(?P<cpu>\S+) state=(?P<state>\S+) (?P<note>.+)"
)


def from_log(text: str) -> dict[str, list[dict[str, object]]]:
    matches = [EVENT.fullmatch(line) for line in text.split("\n")]
    return by_part([typed(one.groupdict()) for one in matches if one])


def typed(record: Mapping[str, str]) -> dict[str, object]:
    return {**record, "ms": int(record["ms"]), "cpu": float(record["cpu"])}


PARSERS: Mapping[str, Callable[[str], dict[str, list[dict[str, object]]]]] = {
    "json": from_json,
    "ndjson": from_ndjson,
    "csv": from_csv,
    "markdown": from_markdown,
    "log": from_log,
}


@given(case=CASES, call=st.integers(0, 3))
def test_a_payload_has_exactly_its_size_and_parses_back(case: Case, call: int) -> None:
    made = payload(case, call)

    assert len(made.text) == case.size
    assert PARSERS[case.format](made.text) == made.value


@given(case=CASES)
def test_each_id_stands_in_exactly_one_place(case: Case) -> None:
    made = payload(case, 0)

    assert found(made.text) == tuple(made.places)
    for number, (identity, place) in enumerate(made.places.items()):
        assert made.text.count(identity) == 1
        assert identity in made.text[place.start : place.end]
        assert place.position == number


@given(case=CASES)
def test_all_records_but_the_last_have_the_length_that_was_asked_for(case: Case) -> None:
    lengths = [place.end - place.start for place in payload(case, 0).places.values()]

    assert set(lengths[:-1]) == {case.lines}
    assert lengths[-1] >= case.lines


@given(case=CASES)
def test_no_two_records_are_alike_but_for_their_ids(case: Case) -> None:
    made = payload(case, 0)
    texts = [made.text[one.start : one.end].replace(i, "") for i, one in made.places.items()]

    assert len(set(texts)) == len(texts)


@pytest.mark.parametrize("format", FORMATS)
def test_the_early_part_has_48_of_100_records(format: Format) -> None:
    parts = [one.part for one in payload(case_of(format=format), 0).places.values()]

    assert parts == sorted(parts)
    assert parts.count(EARLY) == len(parts) * 48 // 100
    assert set(parts) == {EARLY, LATE}


@pytest.mark.parametrize("format", FORMATS)
def test_wide_records_have_more_bytes_and_as_many_characters(format: Format) -> None:
    plain = payload(case_of(format=format), 0)
    wide = payload(case_of(format=format, wide=True), 0)

    assert len(plain.text.encode()) == len(plain.text) == len(wide.text)
    assert len(wide.text.encode()) > 1.1 * len(wide.text)
    assert all(ord(one) < 0x10000 for one in wide.text)
    assert unicodedata.normalize("NFC", wide.text) == wide.text


def test_ids_differ_between_calls_tags_and_seeds() -> None:
    made = [
        payload(case_of(), 0),
        payload(case_of(), 1),
        payload(case_of(tag="other"), 0),
        payload(case_of(seed="other"), 0),
    ]

    assert len({identity for one in made for identity in one.places}) == sum(
        len(one.places) for one in made
    )
    assert payload(case_of(), 0) == made[0]


@pytest.mark.parametrize("format", FORMATS)
def test_the_smallest_size_is_said_and_is_possible(format: Format) -> None:
    least = least_size(case_of(format=format))

    with pytest.raises(ValueError, match=f"it takes {least} or more"):
        payload(case_of(format=format, size=least - 1), 0)
    assert len(payload(case_of(format=format, size=least), 0).places) == 2


def test_the_shortest_record_is_said() -> None:
    with pytest.raises(ValueError, match="it takes 125 characters or more"):
        payload(case_of(format="ndjson", lines=124), 0)


def test_an_id_is_found_in_a_text_that_was_encoded_again() -> None:
    made = payload(case_of(format="ndjson", size=2_000), 0)

    assert found(json.dumps(made.text)) == tuple(made.places)


def test_an_id_that_was_cut_is_not_found() -> None:
    identity = turn_id(case_of(), 0)

    assert found(f"{identity} and {identity[:-1]} and {identity}0") == (identity,)


def test_evidence_is_of_both_parts() -> None:
    made = payload(case_of(), 0)
    chosen = evidence(made)

    parts = [made.places[identity].part for identity in chosen]
    assert len(set(chosen)) == 20
    assert 8 <= parts.count(EARLY) <= 12


def test_evidence_of_a_small_payload_is_all_of_it() -> None:
    made = payload(case_of(size=1_000), 0)

    assert evidence(made) == tuple(made.places)


@pytest.mark.parametrize("kind", get_args(Kind))
def test_every_turn_has_an_id_of_its_own(kind: Kind) -> None:
    case = case_of(kind=kind, turns=50, size=1_000)
    prompts = [prompt(case, turn) for turn in range(50)]

    for number, text in enumerate(prompts):
        assert turn_id(case, number) == found(text)[0]
    assert len({turn_id(case, number) for number in range(50)}) == 50


def test_data_of_the_user_stands_in_the_prompt() -> None:
    case = case_of(kind="user")

    assert prompt(case, 1).endswith(payload(case, 1).text)


def test_a_turn_without_a_tool_call_only_states_a_fact() -> None:
    assert "fetch_rows" not in prompt(case_of(kind="history", size=0), 0)
    assert "fetch_rows" in prompt(case_of(kind="history"), 0)


def case_of(
    *,
    kind: Kind = "result",
    format: Format = "json",
    size: int = 33_000,
    lines: int = 130,
    wide: bool = False,
    turns: int = 1,
    tag: str = "tag",
    seed: str = "seed",
) -> Case:
    return Case(
        tag=tag,
        kind=kind,
        format=format,
        size=size,
        lines=lines,
        wide=wide,
        turns=turns,
        seed=seed,
    )


def test_the_last_turn_may_have_a_result_of_another_size() -> None:
    case = Case(tag="a", kind="overflow", turns=3, size=2_000, last_size=9_000)

    assert [len(payload(case, call).text) for call in range(4)] == [2_000, 2_000, 9_000, 9_000]
