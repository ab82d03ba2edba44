"""What the adapters of all frameworks do with a tool's result."""

import json
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from ullage import Ledger, chars, record_tool
from ullage.integrate.adapters.adapter import Adapter
from ullage.integrate.adapters.fitting import Fitting
from ullage.tap import tool
from ullage.tap.auto.points import Called, Point, lookup, wrapped

ROWS = json.dumps({"orders": [{"id": f"A{number}", "total": number} for number in range(200)]})


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Path]:
    yield tmp_path / "test.ledger"
    for opened in tool.OPEN.values():
        opened.close()
    tool.OPEN.clear()
    tool.LATEST.set(None)


def adapter(ledger: Path, **settings: object) -> Adapter:
    return Adapter(Fitting(ledger=ledger, run="r", **settings))  # type: ignore[arg-type]


def test_a_result_within_the_budget_is_handed_on_byte_for_byte(ledger: Path) -> None:
    fitted = adapter(ledger, results=chars(100_000))
    with fitted.call("orders", "c1") as call:
        pass

    handed = fitted.result(call, {}, ROWS)

    assert (handed.text, handed.cut) == (ROWS, False)


def test_a_cut_result_is_recorded_as_produced_and_as_handed_on(ledger: Path) -> None:
    fitted = adapter(ledger, results=chars(1_000))
    with fitted.call("orders", "c1") as call:
        pass

    handed = fitted.result(call, '{"customer": "ada"}', ROWS)

    with Ledger.read(ledger) as opened:
        (one,) = opened.results("r")
        assert (one.tool, one.call_id, one.arguments) == ("orders", "c1", '{"customer": "ada"}')
        assert one.text == ROWS
        assert one.handed_on == handed.text
    assert handed.cut
    assert len(handed.text) <= 1_000
    assert json.loads(handed.text)["orders"]


def test_what_the_tools_own_code_recorded_is_what_was_produced(ledger: Path) -> None:
    fitted = adapter(ledger, results=chars(500))

    @record_tool
    def orders() -> str:
        return ROWS

    with fitted.call("orders", "c1") as call:
        value = orders()
    fitted.result(call, {}, json.loads(value)["orders"])

    with Ledger.read(ledger) as opened:
        (one,) = opened.results("r")
        assert one.text == ROWS
        assert one.call_id == "c1"


def test_a_value_that_is_no_text_is_handed_on_as_json(ledger: Path) -> None:
    fitted = adapter(ledger)
    with fitted.call("orders") as call:
        pass

    assert fitted.result(call, {}, {"a": [1, None]}).text == '{"a":[1,null]}'


def test_texts_of_one_result_share_its_budget(ledger: Path) -> None:
    fitted = adapter(ledger, results=chars(2_000))
    with fitted.call("orders") as call:
        pass

    handed = fitted.texts(call, {}, ["short", ROWS])

    assert handed.texts[0] == "short"
    assert 1_500 < len(handed.text) <= 2_000
    assert len(handed.notices) == 1


def test_nothing_is_recorded_where_nobody_says_where(tmp_path: Path) -> None:
    fitted = Adapter(Fitting(results=chars(500)))
    with fitted.call("orders") as call:
        pass

    assert fitted.result(call, {}, ROWS).cut
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("wrong", [{"results": 0}, {"results": "many"}, {"history": 0}])
def test_a_budget_that_is_none_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises((ValueError, TypeError)):
        Fitting(**wrong)  # type: ignore[arg-type]


def test_a_number_for_results_is_tokens() -> None:
    budget = Fitting(results=300, model="gpt-4o").result_budget()

    assert budget is not None
    assert (budget.limit, budget.unit, budget.model) == (300, "tokens", "gpt-4o")


@pytest.mark.parametrize("known", ["c1", None])
def test_a_choke_point_further_in_records_the_result_once(ledger: Path, known: str | None) -> None:
    """A tool tap that needs no code may be on as well: it sees the value before the framework."""
    fitted = adapter(ledger, results=chars(500))

    class Tool:
        name = "orders"

        def run(self, tool_input: object, tool_call_id: str | None = None) -> str:
            return ROWS

    module = ModuleType("made_up")
    vars(module)["Tool"] = Tool
    point = Point(
        path="Tool.run",
        needs=("tool_input",),
        called=lambda given: Called(
            tool=given["self"].name, arguments={}, call_id=given["tool_call_id"]
        ),
    )
    _, function = lookup(module, point.path, point.needs)
    with fitted.call("orders", "c1") as call:
        value = wrapped(point, function)(Tool(), "x", known)
    handed = fitted.result(call, {}, value)

    with Ledger.read(ledger) as opened:
        (one,) = opened.results("r")
    assert (one.text, one.call_id, one.handed_on) == (ROWS, "c1", handed.text)
