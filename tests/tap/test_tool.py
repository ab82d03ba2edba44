"""The tool tap: what is recorded, and that it changes nothing."""

import asyncio
import json
import sqlite3
import sys
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest

from ullage import Ledger, RecordingWarning, handed_on, record_data, record_step, record_tool
from ullage.tap import tool
from ullage.tap.environment import TapSettings


@pytest.fixture
def ledger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A ledger that the environment names, as `ullage run` would set it."""
    path = tmp_path / "tool.ledger"
    monkeypatch.setenv("ULLAGE_LEDGER", str(path))
    monkeypatch.setenv("ULLAGE_RUN", "r1")
    yield path
    for opened in tool.OPEN.values():
        opened.close()
    tool.OPEN.clear()
    tool.LATEST.set(None)


def results(path: Path) -> list[Any]:
    with Ledger.read(path) as opened:
        return list(opened.results("r1"))


def test_a_result_is_recorded_as_it_was_made(ledger: Path) -> None:
    @record_tool
    def fetch(name: str, limit: int = 5) -> str:
        return f"{name}:{limit}"

    assert fetch("é", limit=7) == "é:7"
    (one,) = results(ledger)
    assert (one.tool, one.kind, one.text) == ("fetch", "tool", "é:7")
    assert json.loads(one.arguments) == {"name": "é", "limit": 7}


def test_an_object_is_returned_itself_and_recorded_as_json(ledger: Path) -> None:
    value = {"rows": [1, 2], "name": "é"}

    @record_tool
    def fetch() -> dict[str, Any]:
        return value

    assert fetch() is value
    assert results(ledger)[0].text == '{"rows":[1,2],"name":"é"}'


def test_an_object_that_json_cannot_hold_is_recorded_as_python_prints_it(ledger: Path) -> None:
    @record_tool
    def fetch() -> complex:
        return 1 + 2j

    fetch()
    assert results(ledger)[0].text == "(1+2j)"


def test_an_async_tool_is_recorded_when_it_is_awaited(ledger: Path) -> None:
    @record_tool(name="search", key="id")
    async def fetch(query: str) -> str:
        await asyncio.sleep(0)
        return query.upper()

    assert asyncio.run(fetch("a")) == "A"
    (one,) = results(ledger)
    assert (one.tool, one.key, one.text) == ("search", "id", "A")


def test_a_tool_keeps_its_name_its_signature_and_its_kind(ledger: Path) -> None:
    @record_tool
    async def fetch(query: str) -> str:
        """Search."""
        return query

    assert asyncio.iscoroutinefunction(fetch)
    assert (fetch.__name__, fetch.__doc__) == ("fetch", "Search.")


def test_a_method_is_recorded_without_its_self(ledger: Path) -> None:
    class Store:
        @record_tool
        def get(self, key: str) -> str:
            return key

    Store().get("k")
    assert results(ledger)[0].arguments == '{"key": "k"}'


def test_a_generator_cannot_be_recorded() -> None:
    def rows() -> Iterator[int]:
        yield 1

    with pytest.raises(TypeError, match="rows is a generator"):
        record_tool(rows)


def test_what_is_handed_on_belongs_to_the_latest_result(ledger: Path) -> None:
    @record_tool
    def fetch(text: str) -> str:
        return text

    def my_tool(text: str) -> str:
        return handed_on(fetch(text)[:2])

    assert [my_tool("first"), my_tool("second")] == ["fi", "se"]
    assert [(one.text, one.handed_on) for one in results(ledger)] == [
        ("first", "fi"),
        ("second", "se"),
    ]


def test_what_is_handed_on_stays_with_its_own_task(ledger: Path) -> None:
    @record_tool
    async def fetch(text: str) -> str:
        await asyncio.sleep(0.01)
        return text

    async def my_tool(text: str) -> str:
        whole = await fetch(text)
        await asyncio.sleep(0.01)
        return handed_on(whole[:1])

    async def both() -> None:
        await asyncio.gather(*(my_tool(text) for text in ("abc", "def", "ghi")))

    asyncio.run(both())
    assert {(one.text, one.handed_on) for one in results(ledger)} == {
        ("abc", "a"),
        ("def", "d"),
        ("ghi", "g"),
    }


def test_threads_record_into_one_ledger(ledger: Path) -> None:
    @record_tool
    def fetch(number: int) -> str:
        return handed_on(str(number))

    threads = [threading.Thread(target=fetch, args=(number,)) for number in range(20)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RecordingWarning)  # nothing was made before handed_on here
        for one in threads:
            one.start()
        for one in threads:
            one.join()

    assert {one.text for one in results(ledger)} == set(map(str, range(20)))


def test_handing_on_without_a_result_is_said_and_changes_nothing(ledger: Path) -> None:
    with pytest.warns(RecordingWarning, match="no recorded result"):
        assert handed_on("x") == "x"


def test_data_that_the_caller_puts_into_a_message_is_produced_too(ledger: Path) -> None:
    rows = [{"id": 1}, {"id": 2}]

    assert record_data(rows, key="id", name="orders") is rows
    (one,) = results(ledger)
    assert (one.kind, one.tool, one.key, one.text) == (
        "data",
        "orders",
        "id",
        '[{"id":1},{"id":2}]',
    )


def test_a_step_declares_what_it_dropped_as_a_multiset(ledger: Path) -> None:
    before = [{"id": 1}, {"id": 1}, {"id": 2}, {"id": 3}]
    after = [{"id": 1}, {"id": 3}]

    assert record_step(before, after, key="id", reason="duplicates and closed") is after
    with Ledger.read(ledger) as opened:
        (step,) = opened.steps("r1")
    assert (step.taken_in, step.handed_out, list(step.dropped)) == (4, 2, ["1", "2"])
    assert step.reason == "duplicates and closed"


def test_without_a_ledger_in_the_environment_the_tap_does_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ULLAGE_LEDGER", raising=False)
    monkeypatch.chdir(tmp_path)

    @record_tool
    def fetch() -> str:
        return "x"

    rows = [{"id": 1}]
    assert (fetch(), handed_on("y"), record_data(rows)) == ("x", "y", rows)
    assert record_step(rows, rows, key="id", reason="none") is rows
    assert list(tmp_path.iterdir()) == []


def test_a_ledger_that_cannot_be_written_is_said_and_the_tool_still_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ULLAGE_LEDGER", str(tmp_path / "no" / "such" / "folder" / "x.ledger"))

    @record_tool
    def fetch() -> str:
        return "x"

    with pytest.warns(RecordingWarning, match="not recorded"):
        assert fetch() == "x"


def test_an_error_of_the_tool_is_the_callers_own(ledger: Path) -> None:
    @record_tool
    def fetch() -> str:
        raise KeyError("gone")

    with pytest.raises(KeyError):
        fetch()


class Context:
    """A framework's context: what it prints is not ours to keep."""

    def __repr__(self) -> str:
        return "Context(prompt=…, deps=…)"


class Broken:
    """A value whose own code raises."""

    def __repr__(self) -> str:
        raise RuntimeError("closed")


def circular() -> list[Any]:
    rows: list[Any] = [1]
    rows.append(rows)
    return rows


@pytest.mark.parametrize(
    ("argument", "kept"),
    [
        ({1: 2, "a": 3}, {"1": 2, "a": 3}),
        ({(1, 2): 3}, "<dict>"),
        (circular(), "<list>"),
        (Context(), "<Context>"),
        (Broken(), "<Broken>"),
        ([Context(), date(2026, 1, 2)], ["<Context>", "<date>"]),
        ({"deep": {"context": Context()}}, {"deep": {"context": "<Context>"}}),
        (float("inf"), float("inf")),
    ],
)
def test_an_argument_that_json_cannot_hold_is_its_types_name(
    ledger: Path, argument: Any, kept: Any
) -> None:
    @record_tool
    def fetch(context: Any, limit: int) -> str:
        return "x"

    assert fetch(argument, limit=3) == "x"
    assert json.loads(results(ledger)[0].arguments) == {"context": kept, "limit": 3}


def nested() -> list[Any]:
    rows: list[Any] = []
    for _ in range(100_000):
        rows = [rows]
    return rows


@pytest.mark.parametrize(
    "act",
    [
        lambda value: record_tool(lambda: value)(),
        lambda value: record_tool(lambda given: given)(value),
        handed_on,
        record_data,
        lambda value: record_step(value, value, key="id", reason="none"),
        lambda value: record_step([{"id": value}], value, key="id", reason="none"),
    ],
)
@pytest.mark.parametrize(
    "make",
    [
        lambda: {"at": datetime.now(UTC)},
        lambda: {1: 2, "a": 3},
        lambda: {(1, 2): 3},
        circular,
        Broken,
        nested,
        lambda: iter([1]),
        lambda: "\ud800",
        lambda: b"\xff",
        lambda: None,
    ],
)
@pytest.mark.filterwarnings("ignore::ullage.RecordingWarning")
def test_no_value_makes_the_tap_break_the_tool(
    ledger: Path, act: Callable[[Any], Any], make: Callable[[], Any]
) -> None:
    record_tool(lambda: "made before")()
    value = make()

    assert act(value) is value


def test_what_goes_wrong_is_said_with_the_name_of_the_error(ledger: Path) -> None:
    with pytest.warns(RecordingWarning, match="not recorded: RuntimeError: closed"):
        record_tool(Broken)()


def test_what_was_handed_on_is_written_as_what_was_produced(ledger: Path) -> None:
    value = {"at": date(2026, 1, 2)}
    record_tool(lambda: value)()
    handed_on(value)

    (one,) = results(ledger)
    assert one.handed_on == one.text == "{'at': datetime.date(2026, 1, 2)}"


def test_a_step_may_have_keys_that_json_cannot_hold(ledger: Path) -> None:
    before = [{"day": date(2026, 1, 1)}, {"day": date(2026, 1, 2)}]

    record_step(before, before[:1], key="day", reason="old")

    with Ledger.read(ledger) as opened:
        (step,) = opened.steps("r1")
    assert list(step.dropped) == ["datetime.date(2026, 1, 2)"]


def test_a_generator_given_as_a_step_is_not_used_up(ledger: Path) -> None:
    rows = ({"id": n} for n in range(3))

    with pytest.warns(RecordingWarning, match="TypeError"):
        record_step([], rows, key="id", reason="none")  # type: ignore[type-var]  # the misuse
    assert len(list(rows)) == 3


def test_a_second_tool_without_a_result_of_its_own_does_not_take_the_first_ones(
    ledger: Path,
) -> None:
    @record_tool
    def fetch() -> str:
        return "whole"

    def other_tool() -> str:
        return handed_on("something else")

    handed_on(fetch()[:2])
    with pytest.warns(RecordingWarning, match="a second time without a new result"):
        assert other_tool() == "something else"

    assert [(one.text, one.handed_on) for one in results(ledger)] == [("whole", "wh")]


def test_a_result_is_handed_on_once_whichever_task_is_first(ledger: Path) -> None:
    @record_tool
    def fetch() -> str:
        return "whole"

    async def hand(text: str) -> None:
        handed_on(text)

    async def both() -> None:
        fetch()
        with pytest.warns(RecordingWarning, match="a second time"):
            await asyncio.gather(hand("first"), hand("second"))

    asyncio.run(both())
    assert [one.handed_on for one in results(ledger)] == ["first"]


def test_what_could_not_be_recorded_leaves_nothing_to_hand_on(ledger: Path) -> None:
    handed_on(record_tool(lambda: "first")())
    with pytest.warns(RecordingWarning, match="closed"):
        record_tool(Broken)()
    with pytest.warns(RecordingWarning, match="no recorded result"):
        handed_on("x")


@pytest.mark.parametrize("mode", ["async", "sync", "durable"])
def test_the_environment_says_when_a_record_is_committed(
    ledger: Path, monkeypatch: pytest.MonkeyPatch, mode: str
) -> None:
    monkeypatch.setenv("ULLAGE_DURABILITY", mode)

    handed_on(record_tool(lambda: "whole")()[:2])

    if mode != "async":  # seen without a flush, as by another process
        with closing(sqlite3.connect(ledger)) as db:
            assert db.execute("SELECT count(*) FROM handed_on").fetchone() == (1,)
    assert [(one.text, one.handed_on) for one in results(ledger)] == [("whole", "wh")]


def test_a_mode_that_there_is_not_is_said_and_the_tool_still_works(
    ledger: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ULLAGE_DURABILITY", "quickly")

    with pytest.warns(RecordingWarning, match="is 'quickly': use async, sync, durable"):
        assert record_tool(lambda: "x")() == "x"


def test_arguments_are_those_of_the_call_whatever_the_tool_does_with_them_later(
    ledger: Path,
) -> None:
    @record_tool
    def fetch(ids: list[int], page: int) -> str:
        return "x"

    given = [1, 2]
    fetch(given, 3)
    given.append(9)

    assert json.loads(results(ledger)[0].arguments) == {"ids": [1, 2], "page": 3}


def test_the_arguments_of_a_method_are_written_without_its_object(ledger: Path) -> None:
    class Shop:
        @record_tool
        def orders(self, page: int, *, of: str = "all") -> str:
            return "x"

    Shop().orders(2)
    Shop().orders(page=3, of="Ann")

    assert [json.loads(one.arguments) for one in results(ledger)] == [
        {"page": 2},
        {"page": 3, "of": "Ann"},
    ]


def test_what_goes_wrong_in_the_background_is_said_by_the_next_call(
    ledger: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fetch = record_tool(lambda text: text)
    fetch("one")
    assert len(results(ledger)) == 1
    with closing(sqlite3.connect(ledger)) as db:
        db.execute("ALTER TABLE result RENAME TO elsewhere")
    fetch("two")
    for opened in tool.OPEN.values():
        opened.flush(20)

    with pytest.warns(RecordingWarning, match="not recorded: cannot write to .*no such table"):
        fetch("three")


def test_an_object_of_a_framework_is_no_function() -> None:
    with pytest.raises(TypeError, match="Context is no function; put @record_tool closest"):
        record_tool(Context())  # type: ignore[call-overload]  # the misuse


def test_threads_that_come_first_at_once_share_a_ledger(tmp_path: Path, often: None) -> None:
    """What one of them hands on belongs to a result that another ledger would not know."""
    start = threading.Barrier(8)
    for number in range(10):
        settings = TapSettings(ledger=tmp_path / f"{number}.ledger", run="r1")
        opened: list[Ledger] = []

        def open_it(settings: TapSettings, opened: list[Ledger]) -> None:
            start.wait()
            opened.append(tool.ledger_of(settings))

        threads = [threading.Thread(target=open_it, args=(settings, opened)) for _ in range(8)]
        for one in threads:
            one.start()
        for one in threads:
            one.join()

        assert len({id(one) for one in opened}) == 1
        tool.OPEN.pop(settings.ledger).close()


@pytest.fixture
def often() -> Iterator[None]:
    """Threads take turns as often as they can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)
