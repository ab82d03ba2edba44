"""A choke point that is wrapped: the same object comes back, and each result is recorded once."""

import asyncio
import importlib
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from ullage import Ledger, RecordingWarning, handed_on, record_data, record_tool
from ullage.ledger.records import StoredResult
from ullage.tap.auto import points
from ullage.tap.auto.blocks import as_blocks
from ullage.tap.auto.points import NOTHING, Called, Framework, Point, wrapped
from ullage.tap.tool import LATEST, OPEN

ROWS = [{"id": n} for n in range(30)]


@pytest.fixture(autouse=True)
def ledger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    path = tmp_path / "test.ledger"
    monkeypatch.setenv("ULLAGE_LEDGER", str(path))
    monkeypatch.setenv("ULLAGE_RUN", "r")
    yield path
    if path in OPEN:
        OPEN.pop(path).close()
    LATEST.set(None)


def results(ledger: Path) -> Sequence[StoredResult]:
    if not ledger.exists():
        return []
    with Ledger.read(ledger) as opened:
        return list(opened.results("r"))


def called(given: Any) -> Called:
    return Called(tool=given["name"], arguments=given["arguments"], call_id=given.get("call_id"))


POINT = Point(path="call", needs=("name", "arguments", "call_id"), called=called)


def framework(tool: Callable[..., Any], point: Point = POINT) -> Callable[..., Any]:
    """A framework's function that calls a tool, wrapped."""

    def call(name: str, arguments: Any, call_id: str | None = None) -> Any:
        return tool(**arguments)

    return wrapped(point, call)


def test_the_same_object_comes_back_and_is_recorded_with_its_call(ledger: Path) -> None:
    call = framework(lambda city: ROWS)

    found = call("rows", {"city": "Kyoto"}, call_id="call_1")

    (one,) = results(ledger)
    assert found is ROWS
    assert (one.tool, one.arguments, one.call_id) == ("rows", '{"city": "Kyoto"}', "call_1")
    assert one.text.startswith('[{"id":0},')
    assert one.handed_on is None


def test_an_async_one_is_recorded_too(ledger: Path) -> None:
    async def call(name: str, arguments: Any, call_id: str | None = None) -> Any:
        await asyncio.sleep(0)
        return ROWS

    async def both() -> Any:
        one = wrapped(POINT, call)
        return await asyncio.gather(one("a", {}, "call_a"), one("b", {}, "call_b"))

    found = asyncio.run(both())

    assert [one is ROWS for one in found] == [True, True]
    assert {(one.tool, one.call_id) for one in results(ledger)} == {
        ("a", "call_a"),
        ("b", "call_b"),
    }


def test_an_error_is_the_same_error_and_nothing_is_recorded(ledger: Path) -> None:
    error = ValueError("no such city")

    def tool() -> None:
        raise error

    with pytest.raises(ValueError, match="no such city") as caught:
        framework(tool)("rows", {}, "call_1")

    assert caught.value is error
    assert results(ledger) == []


def test_a_decorated_tool_is_recorded_once_and_what_it_returned_is_handed_on(ledger: Path) -> None:
    @record_tool
    def fetch() -> list[dict[str, int]]:
        return ROWS

    framework(lambda: str(fetch())[:40])("tool", {}, "call_1")

    (one,) = results(ledger)
    assert (one.tool, one.call_id) == ("fetch", "call_1")
    assert one.handed_on == str(ROWS)[:40]


def test_what_a_tool_says_it_hands_on_counts(ledger: Path) -> None:
    @record_tool
    def fetch() -> str:
        return "whole"

    framework(lambda: handed_on(fetch()[:2]) + "!")("tool", {}, "call_1")

    (one,) = results(ledger)
    assert one.handed_on == "wh"


def test_two_results_of_one_call_carry_its_name_and_neither_is_handed_on(ledger: Path) -> None:
    @record_tool
    def fetch(city: str) -> str:
        return f"rows of {city}"

    framework(lambda: fetch("Kyoto") + fetch("Osaka"))("tool", {}, "call_1")

    assert [(one.text, one.call_id, one.handed_on) for one in results(ledger)] == [
        ("rows of Kyoto", "call_1", None),
        ("rows of Osaka", "call_1", None),
    ]


def test_data_that_a_tool_records_is_not_its_result(ledger: Path) -> None:
    framework(lambda: record_data(ROWS, name="cities") and "3 rows")("tool", {}, "call_1")

    assert [(one.kind, one.tool, one.call_id) for one in results(ledger)] == [
        ("data", "cities", None),
        ("tool", "tool", "call_1"),
    ]


def test_a_call_inside_a_call_is_recorded_in_its_own_name(ledger: Path) -> None:
    inner = framework(lambda: "inner rows")

    framework(lambda: f"the agent says: {inner('search', {}, 'call_2')}")("agent", {}, "call_1")

    assert [(one.tool, one.text, one.call_id) for one in results(ledger)] == [
        ("search", "inner rows", "call_2"),
        ("agent", "the agent says: inner rows", "call_1"),
    ]


def test_what_a_nameless_call_inside_returned_is_not_recorded_again(ledger: Path) -> None:
    inner = framework(lambda: ROWS)

    framework(lambda: inner("search", {}))("adapter", {}, "call_1")

    assert [one.tool for one in results(ledger)] == ["search"]


def test_an_inner_point_is_the_result_of_the_call_under_way(ledger: Path) -> None:
    client = framework(lambda: "from the server", Point(**{**fields(POINT), "inner": True}))

    framework(lambda: [client("server_tool", {})])("tool", {}, "call_1")

    (one,) = results(ledger)
    assert (one.tool, one.text, one.call_id) == ("server_tool", "from the server", "call_1")
    assert one.handed_on == '["from the server"]'


def test_a_point_that_knows_the_name_gives_it_to_the_call_inside(ledger: Path) -> None:
    inner = framework(lambda: ROWS)
    step = framework(lambda: inner("tool", {}), Point(**{**fields(POINT), "names_inner": True}))

    step("tool", {}, "call_1")

    assert [(one.tool, one.call_id) for one in results(ledger)] == [("tool", "call_1")]


def fields(point: Point) -> dict[str, Any]:
    return {name: getattr(point, name) for name in Point.__dataclass_fields__}


def test_threads_that_get_the_context_belong_to_the_call(ledger: Path) -> None:
    import contextvars

    @record_tool
    def fetch() -> str:
        return "rows"

    def tool() -> str:
        context = contextvars.copy_context()
        thread = threading.Thread(target=context.run, args=(fetch,))
        thread.start()
        thread.join()
        return "rows"

    framework(tool)("tool", {}, "call_1")

    assert [(one.tool, one.call_id) for one in results(ledger)] == [("fetch", "call_1")]


def test_handed_on_after_a_call_is_not_about_that_call(ledger: Path) -> None:
    framework(lambda: "rows")("tool", {}, "call_1")

    with pytest.warns(RecordingWarning, match="no recorded result before it"):
        handed_on("row")

    (one,) = results(ledger)
    assert one.handed_on is None


def test_a_call_that_is_no_result_is_left_out(ledger: Path) -> None:
    quiet = Point(**{**fields(POINT), "value": lambda result, call, given: NOTHING})

    framework(lambda: "more, please", quiet)("tool", {}, "call_1")

    assert results(ledger) == []


def test_what_cannot_be_read_is_a_warning_and_the_tool_works(ledger: Path) -> None:
    def strange(given: Any) -> Called:
        raise AttributeError("no name any more")

    call = framework(lambda: "rows", Point(path="call", needs=(), called=strange))

    with pytest.warns(RecordingWarning, match="AttributeError: no name any more"):
        assert call("tool", {}) == "rows"


@pytest.mark.filterwarnings("error")
def test_a_program_that_raises_warnings_gets_its_result(
    ledger: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ledger.write_bytes(b"this is no ledger at all" * 99)

    assert framework(lambda: "rows")("tool", {}, "call_1") == "rows"
    assert "RecordingWarning: not recorded" in capsys.readouterr().err


def test_without_a_ledger_nothing_happens(monkeypatch: pytest.MonkeyPatch, ledger: Path) -> None:
    monkeypatch.delenv("ULLAGE_LEDGER")

    assert framework(lambda: "rows")("tool", {}, "call_1") == "rows"
    assert results(ledger) == []


def module_of(code: str) -> ModuleType:
    module = ModuleType("strange_framework")
    exec(code, module.__dict__)
    return module


@pytest.mark.parametrize(
    ("code", "missing"),
    [
        ("", "strange_framework has no function Tool.call"),
        ("class Tool:\n    call = 1", "strange_framework has no function Tool.call"),
        ("class Tool:\n    def call(self, name): ...", "takes no arguments, call_id"),
    ],
)
def test_a_framework_that_is_not_as_expected_is_a_warning_and_stays_as_it_is(
    code: str, missing: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = module_of("class Other:\n    def call(self, name, arguments, call_id): ...\n" + code)
    before = dict(vars(module.Other))
    ours = ModuleType("ullage.tap.auto.strange")
    one, other = (
        Point(**{**fields(POINT), "path": "Other.call"}),
        Point(**{**fields(POINT), "path": "Tool.call"}),
    )
    ours.FRAMEWORK = Framework(points=(one, other))  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, ours.__name__, ours)

    with pytest.warns(RecordingWarning, match="put @ullage.record_tool on them") as said:
        points.watch(module, "strange.FRAMEWORK")

    assert len(said) == 1
    assert missing in str(said[0].message)
    assert dict(vars(module.Other)) == before


def test_a_programs_own_package_of_the_same_name_is_left_alone(
    recwarn: pytest.WarningsRecorder,
) -> None:
    points.watch(module_of("class FunctionTool: ..."), "openai_agents.FRAMEWORK")

    assert list(recwarn) == []


def test_a_point_is_wrapped_once() -> None:
    once = framework(lambda: "rows")

    assert wrapped(POINT, once) is once


def test_every_framework_that_is_watched_for_has_its_file() -> None:
    finder = load_finder()

    for name in finder.FRAMEWORKS.values():
        file, _, attribute = name.partition(".")
        module = importlib.import_module(f"ullage.tap.auto.{file}")
        assert isinstance(getattr(module, attribute), Framework)


def load_finder() -> Any:
    from importlib.util import module_from_spec, spec_from_file_location

    from ullage.tap.auto import STARTUP

    spec = spec_from_file_location("finder_for_tests", STARTUP / "_ullage_finder.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ([{"type": "text", "text": "a"}, {"type": "text", "text": "b"}], "ab"),
        ({"type": "text", "text": "a"}, "a"),
        ([{"type": "text", "text": "a"}, {"type": "image"}], None),
        ([{"id": 1}], None),
        ([], None),
        ("text", None),
    ],
)
def test_blocks_of_text_are_their_text_and_anything_else_is_left(value: Any, text: Any) -> None:
    assert as_blocks(value) == (value if text is None else text)
