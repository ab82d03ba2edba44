"""What an agent's tools answer, and how they refuse a call."""

import ast
import json
from pathlib import Path

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.lab.environment.made import generated, indexed, rows_of

from ullage.lab.environment.arguments import Compute, Sort
from ullage.lab.environment.compute import compute
from ullage.lab.environment.event import Event
from ullage.lab.environment.listing import list_containers
from ullage.lab.environment.recording import Recording
from ullage.lab.environment.rows import Row
from ullage.lab.environment.threads import index
from ullage.lab.environment.tools import TOOLS, call, schemas

ROWS: list[Row] = [
    {"pid": 1, "comm": "a", "event": "x", "count": 3},
    {"pid": 1, "comm": "a", "event": "y", "count": 4},
    {"pid": 2, "comm": "b", "event": "x", "count": 9},
]


def asked(**arguments: object) -> object:
    return call(indexed(generated()), "compute", {"source": "events", **arguments})


def text(value: object) -> str:
    return json.dumps(value, separators=(",", ":"))


@pytest.mark.parametrize("seed", [4, 5, 6])
def test_the_listing_is_of_the_papers_size(seed: int) -> None:
    shown = text(call(indexed(generated(seed=seed)), "list_containers", {}))

    assert len(shown) == pytest.approx(33_370, rel=0.015)
    kept = shown[:6000]
    assert "late_list" not in kept
    assert kept.count("reclaim_ms") == 30


def test_a_listing_holds_evidence_for_the_culprit_alone() -> None:
    made = generated()
    rows = [row for part in list_containers(indexed(made)).values() for row in part]

    (culprit,) = [row for row in rows if int(row["wait_ms"]) >= 60]
    assert culprit["pid"] == made.deployment.focus.pid


def test_the_ranked_table_begins_with_the_loud_process() -> None:
    made = generated("resident", "loud")
    found = call(
        indexed(made),
        "compute",
        {
            "source": "events",
            "where": [{"column": "pid", "op": ">", "value": 0}],
            "group": ["pid", "comm"],
            "aggregate": {"count": "sum", "share": "sum"},
            "sort": [{"column": "count", "descending": True}],
            "limit": 3,
        },
    )

    rows = rows_of(found)
    assert len(rows) == 3
    assert rows[0]["pid"] == made.deployment.focus.pid
    assert rows[0]["share"] == pytest.approx(0.14, abs=0.001)
    assert isinstance(found["matched"], int)
    assert found["matched"] > 500


def test_thread_states_show_the_fault_to_whoever_asks_for_its_process() -> None:
    made = generated()
    found = call(indexed(made), "thread_states", {"pid": made.deployment.focus.pid})

    (row,) = rows_of(found)
    assert row["wait_ms"] >= 60
    assert row["runnable_ms"] >= row["wait_ms"]


def test_a_timeline_counts_every_event() -> None:
    whole = indexed(generated())
    found = call(whole, "timeline", {})
    pid = generated().deployment.focus.pid
    mine = call(whole, "timeline", {"pid": pid})

    assert sum(row["events"] for row in rows_of(found)) == whole.events
    assert sum(row["events"] for row in rows_of(mine)) == 40


def test_rows_are_filtered_grouped_sorted_and_limited_in_this_order() -> None:
    made = Compute(
        source="events",
        group=["pid"],
        aggregate={"count": "sum"},
        sort=[Sort(column="count", descending=True)],
        limit=1,
    )

    assert compute(ROWS, made) == {"matched": 2, "rows": [{"pid": 2, "count": 9, "rows": 1}]}


@given(
    st.lists(st.fixed_dictionaries({"a": st.integers(0, 3), "b": st.integers(0, 3)})),
    st.booleans(),
    st.integers(1, 5),
)
def test_sorting_by_two_columns_is_sorting_by_pairs(
    rows: list[Row], descending: bool, limit: int
) -> None:
    made = Compute(
        source="events",
        sort=[Sort(column="a", descending=descending), Sort(column="b")],
        limit=limit,
    )

    sign = -1 if descending else 1
    wanted = sorted(rows, key=lambda row: (sign * int(row["a"]), row["b"]))
    assert compute(rows, made) == {"matched": len(rows), "rows": wanted[:limit]}


@given(st.lists(st.fixed_dictionaries({"a": st.integers(0, 3), "b": st.integers(0, 9)})))
def test_groups_hold_every_row_once(rows: list[Row]) -> None:
    made = Compute(source="events", group=["a"], aggregate={"b": "sum"})

    found = rows_of(compute(rows, made))

    assert sum(row["rows"] for row in found) == len(rows)
    assert sum(row["b"] for row in found) == sum(int(row["b"]) for row in rows)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"sort": [{"column": "odd"}]}, "there is no column 'odd'; there are pid, comm"),
        ({"where": [{"column": "pid", "op": "==", "value": "1"}]}, "holds a number"),
        ({"where": [{"column": "comm", "op": "<", "value": 1}]}, "holds text"),
        ({"where": [{"column": "pid", "op": "contains", "value": 1}]}, "cannot be compared"),
        ({"where": [{"column": "pid", "op": "eval", "value": 1}]}, "wrong arguments for compute"),
        ({"group": ["comm"], "aggregate": {"event": "sum"}}, "column 'event' holds text"),
        ({"group": ["pid"], "aggregate": {"pid": "sum"}}, "in group and in aggregate"),
        ({"limit": 0}, "Expected `int` >= 1"),
        ({"limit": "5"}, "Expected `int | null`, got `str`"),
        ({"order": "pid"}, "unknown field `order`; it takes|unknown field `order`"),
        ({"source": "late_list"}, "Invalid enum value 'late_list'"),
        ({"source": "thread_states"}, "needs a pid"),
        ({"source": "timeline", "pid": 99_999_999}, "pid 99999999 is not in this recording"),
    ],
)
def test_a_wrong_call_of_compute_is_refused_with_what_is_wrong(
    arguments: dict[str, object], words: str
) -> None:
    with pytest.raises(ValueError, match=words):
        asked(**arguments)


@pytest.mark.parametrize(
    ("tool", "arguments", "words"),
    [
        ("odd", {}, "there is no tool 'odd'; there are list_containers"),
        ("list_containers", {"pid": 1}, "it takes none"),
        ("thread_states", {}, "missing required field `pid`"),
        ("thread_states", {"pid": -1}, ">= 0"),
        ("timeline", [], "Expected `object`"),
    ],
)
def test_a_wrong_call_is_refused(tool: str, arguments: object, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        call(indexed(generated()), tool, arguments)


def test_schemas_accept_what_the_tools_do_and_refer_to_nothing_elsewhere() -> None:
    for name, schema in schemas().items():
        jsonschema.Draft202012Validator.check_schema(schema)
        assert "$ref" not in text(schema), name
    validator = jsonschema.Draft202012Validator(schemas()["compute"])
    assert validator.is_valid({"source": "events", "sort": [{"column": "pid"}], "limit": 3})
    assert not validator.is_valid({"source": "events", "limit": 0})
    assert not validator.is_valid({"source": "late_list"})


def test_every_result_is_json() -> None:
    whole = indexed(generated())
    pid = generated().deployment.focus.pid
    for name, arguments in {
        "list_containers": {},
        "thread_states": {"pid": pid},
        "timeline": {},
        "compute": {"source": "events"},
    }.items():
        found = call(whole, name, arguments)
        assert json.loads(text(found)) == found
    assert set(TOOLS) == {"list_containers", "thread_states", "timeline", "compute"}


def switch(time: int, left: str, tid: int, then: int) -> Event:
    return Event(
        time=time * 1_000_000,
        cpu=0,
        comm=f"t{tid}",
        tid=tid,
        pid=tid,
        name="sched_switch",
        fields={
            "prev_comm": f"t{tid}",
            "prev_tid": tid,
            "prev_prio": 120,
            "prev_state": left,
            "next_comm": f"t{then}",
            "next_tid": then,
            "next_prio": 120,
        },
    )


def test_times_in_each_state_are_those_of_a_worked_example() -> None:
    wake = Event(
        time=34_000_000,
        cpu=0,
        comm="t2",
        tid=2,
        pid=2,
        name="sched_waking",
        fields={"comm": "t1", "tid": 1, "prio": 120, "target_cpu": 0},
    )
    made = [
        switch(0, "S", 2, 1),
        switch(10, "R+", 1, 2),
        switch(25, "S", 2, 1),
        switch(30, "D", 1, 2),
        wake,
        switch(40, "S", 2, 1),
        switch(42, "S", 1, 2),
        switch(50, "S", 2, 0),
    ]
    whole = index(Recording(events=lambda: iter(made), containers={}))

    (row,) = rows_of(call(whole, "thread_states", {"pid": 1}))
    assert row == {
        "tid": 1,
        "comm": "t1",
        "events": 3,
        "switches": 3,
        "running_ms": 10 + 5 + 2,
        "runnable_ms": 15 + 6,
        "asleep_ms": 8,
        "blocked_ms": 4,
        "wait_ms": 15,
        "io_ms": 4,
        "reclaim_ms": 0,
    }


def test_a_recording_without_events_is_refused() -> None:
    with pytest.raises(ValueError, match="without events"):
        index(Recording(events=lambda: iter(()), containers={}))


SOURCE = Path(__file__).parents[3] / "src" / "ullage" / "lab" / "environment"
UNSEEN = {"truth", "deployment", "generate", "parameters", "written", "slices", "quotas"}


def reached(module: str, seen: set[str]) -> set[str]:
    """Every module of the environment that one imports, at any distance."""
    tree = ast.parse((SOURCE / f"{module}.py").read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        name = node.module if isinstance(node, ast.ImportFrom) else None
        if name and name.startswith("ullage.lab.environment."):
            other = name.rsplit(".", 1)[-1]
            if other not in seen:
                seen.add(other)
                reached(other, seen)
    return seen


@pytest.mark.parametrize("module", ["tools", "opened"])
def test_what_an_agent_uses_imports_nothing_that_knows_the_culprit(module: str) -> None:
    assert not reached(module, set()) & UNSEEN


def test_the_truth_does_import_what_knows_the_culprit() -> None:
    assert {"deployment", "generate"} <= reached("truth", set())
