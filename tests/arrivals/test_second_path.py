"""Whether the evidence of a lost record stands elsewhere in its session."""

import json
import random
from typing import TYPE_CHECKING, Any

from hypothesis import given as drawn
from hypothesis import strategies as st

from ullage.arrivals.arrival import arrival
from ullage.arrivals.second_path import Given, Lost, Place, SecondPath, second_paths, telling

if TYPE_CHECKING:
    from ullage.arrivals.values import Json

BUDGET = 6_000
ROWS = 10
"""So many rows of the ranked table are delivered."""

Listing = dict[str, list[dict[str, Any]]]


def listing() -> Listing:
    """A listing of containers: quiet java ones and the loud culprit stand in its late part."""
    rng = random.Random(3)
    early = [
        {
            "pid": 2000 + n,
            "name": f"app-{n:03}",
            "share": 2.0,
            "command": "x" * rng.randint(90, 120),
        }
        for n in range(60)
    ]
    java = [{"pid": 4100 + n, "ns": 4026532100 + n, "name": "java", "share": 1.4} for n in range(5)]
    loud = {"pid": 4711, "ns": 4026532013, "name": "stress-ng", "share": 14.0}
    return {"early_list": early, "late_list": [loud, *java]}


def table(rows: Listing) -> str:
    """The rows of a ranked table, built by the agent and cut behind the first rows."""
    every = sorted(rows["early_list"] + rows["late_list"], key=lambda row: -row["share"])
    return "\n".join(f"{row['name']:<12}{row['pid']:>8}{row['share']:>7}" for row in every[:ROWS])


def lost_late(rows: Listing, number: int = 1) -> list[Lost]:
    """The records of the late part, which a prefix has lost."""
    records = rows["late_list"]
    return [
        Lost(result=number, part="$.late_list", index=at, record=record, telling=values)
        for at, (record, values) in enumerate(zip(records, telling(records), strict=True))
    ]


def lost(*values: str, result: int = 1) -> Lost:
    return Lost(result=result, part="$", index=0, record=None, telling=values)


def given(number: int, text: str, arguments: str = "") -> Given:
    return Given(number=number, tool="run", text=text, arguments=arguments)


def words(found: list[SecondPath]) -> list[str]:
    return [one.word for one in found]


def test_a_loud_culprit_has_its_second_path_in_the_ranked_table_and_quiet_ones_have_none() -> None:
    rows = listing()
    produced = json.dumps(rows, separators=(",", ":"))
    delivered = produced[:BUDGET]
    assert [part.delivered for part in arrival(produced, delivered).parts][1] == 0

    found = second_paths(lost_late(rows), [given(1, delivered), given(2, table(rows))])

    assert words(found) == ["loud", *["quiet"] * 5]
    assert found[0].place == Place(
        value="4711", result=2, tool="run", at=table(rows).index("4711"), same=False
    )


def test_without_the_table_the_loud_culprit_is_quiet_too() -> None:
    rows = listing()
    delivered = json.dumps(rows, separators=(",", ":"))[:BUDGET]

    assert words(second_paths(lost_late(rows), [given(1, delivered)])) == ["quiet"] * 6


def test_a_late_record_that_stands_in_the_early_part_as_well_is_found_there() -> None:
    rows = listing()
    rows["early_list"].insert(3, rows["late_list"][0])
    delivered = json.dumps(rows, separators=(",", ":"))[:BUDGET]

    (found, *rest) = second_paths(lost_late(rows), [given(1, delivered)])

    assert found.place is not None
    assert (found.word, found.place.result, found.place.same) == ("loud", 1, True)
    assert delivered.startswith("4711", found.place.at)
    assert words(rest) == ["quiet"] * 5


def test_a_name_that_several_records_share_tells_none_of_them() -> None:
    tells = telling(listing()["late_list"])

    assert tells[0] == ("4711", "4026532013", "stress-ng")
    assert tells[1] == ("4100", "4026532100")
    assert second_paths([lost()], [given(1, "java java")]) == [SecondPath(word="untold")]


def test_fractions_truth_small_numbers_and_prose_tell_nothing() -> None:
    prose = "it was " * 20
    record: Json = {"a": 1.25, "b": True, "c": 999, "d": "ab", "e": prose, "f": "0.5", "g": "12"}

    assert telling([record, {"a": 3}]) == [(), ()]


def test_the_value_that_identifies_comes_first() -> None:
    records: list[Json] = [{"host": f"web-{n}", "id": 5000 + n} for n in range(3)]

    assert telling(records)[1] == ("5001", "web-1")


def test_one_odd_status_tells_nothing() -> None:
    records: list[Json] = [
        {"id": f"a-{n}", "status": "failed" if n == 4 else "done"} for n in range(9)
    ]

    assert telling(records)[4] == ("a-4",)


def test_a_record_without_others_is_not_told_by_a_plain_word() -> None:
    assert telling([{"status": "running", "unit": "db-7"}]) == [("db-7",)]


def test_a_line_is_told_by_itself_and_by_its_names() -> None:
    lines = ["src/a.py:12: def read(x):", "src/a.py:90: class Pool_b:", "src/a.py:95: pass"]

    assert telling(lines)[1] == ("src/a.py:90: class Pool_b:", "src/a.py:90", "Pool_b")


def test_a_text_that_only_repeats_its_arguments_is_no_second_path() -> None:
    asked = '{"command": "echo web-1"}'

    assert words(second_paths([lost("web-1")], [given(2, "web-1", asked)])) == ["quiet"]
    assert words(second_paths([lost("web-1")], [given(2, "web-1 is down", asked)])) == ["loud"]


def test_a_value_is_found_as_json_spells_it_and_behind_an_escaped_line_break() -> None:
    values = ['say "hi"', "C:\\new\\t.log", "größe-7", "web-1"]
    text = json.dumps({"out": "\n".join(values)})

    found = second_paths([lost(value) for value in values], [given(2, text)])

    assert words(found) == ["loud"] * 4


def test_another_result_is_told_before_the_own_one() -> None:
    (found,) = second_paths([lost("web-1")], [given(1, "web-1"), given(5, "see web-1")])

    assert found.place == Place(value="web-1", result=5, tool="run", at=4, same=False)


NAMES = st.from_regex(r"[a-z]{2,5}[-_./ ]?[a-z0-9]{2,5}", fullmatch=True)
FILL = st.text(alphabet="ABC 19\n,;:[]{}\"'\\=-._+é", max_size=60)
BORDER = st.sampled_from([" ", "\n", '"', "=", ",", "(", "'", "\t", "|", ":"])
GLUE = st.sampled_from(["x", "9", "_", "É"])


@drawn(NAMES, st.lists(FILL, max_size=4))
def test_what_stands_nowhere_is_quiet(name: str, texts: list[str]) -> None:
    results = [given(number, text) for number, text in enumerate(texts)]

    assert words(second_paths([lost(name)], results)) == ["quiet"]


@drawn(NAMES, FILL, FILL, BORDER, BORDER)
def test_planted_at_borders_anywhere_it_is_loud(
    name: str, before: str, after: str, left: str, right: str
) -> None:
    text = before + left + name + right + after

    (found,) = second_paths([lost(name)], [given(1, ""), given(2, text)])

    assert found.place == Place(
        value=name, result=2, tool="run", at=len(before) + len(left), same=False
    )


@drawn(NAMES, FILL, FILL, GLUE, st.booleans())
def test_inside_a_longer_word_it_is_quiet(
    name: str, before: str, after: str, glue: str, behind: bool
) -> None:
    text = f"{before} {name}{glue} {after}" if behind else f"{before} {glue}{name} {after}"

    assert words(second_paths([lost(name)], [given(2, text)])) == ["quiet"]


@drawn(st.lists(NAMES, min_size=1, max_size=6), st.data())
def test_the_order_of_results_does_not_matter(names: list[str], data: st.DataObject) -> None:
    texts = data.draw(st.lists(st.lists(st.sampled_from(names)).map(" ".join), max_size=5))
    results = [given(number, text) for number, text in enumerate(texts)]
    wanted = [lost(name, "zz-absent") for name in names]

    assert second_paths(wanted, results) == second_paths(
        wanted, data.draw(st.permutations(results))
    )
