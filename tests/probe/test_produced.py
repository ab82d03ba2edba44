"""What a case produced stands in the ledger with the id of its call, so that it is found whole."""

from contextlib import closing
from dataclasses import replace
from pathlib import Path

from tests.probe.toy import FETCH, Toy

from ullage.ledger.records import StoredResult
from ullage.ledger.store import Ledger
from ullage.probe.canary import payload
from ullage.probe.case import Case, Kind
from ullage.probe.observed import Observed
from ullage.probe.produced import keep_produced
from ullage.probe.script import Turn
from ullage.probe.verdict.requests import Story


def case(kind: Kind = "result", *, turns: int = 1) -> Case:
    return Case(tag="t", kind=kind, size=8_000, turns=turns)


def kept(folder: Path, observed: Observed) -> list[StoredResult]:
    with closing(Ledger(folder / "probe.ledger", durability="sync")) as ledger:
        keep_produced(ledger, Story(observed))
        ledger.flush()
        return list(ledger.results(observed.case.tag))


def with_ids(observed: Observed) -> Observed:
    """Give each call the id that the toy gives it."""
    calling = [one.number for one in observed.asked if one.turn and one.turn.calls]
    ids = {number: [f"call_{count}"] for count, number in enumerate(calling)}
    return replace(observed, call_ids=ids)


def test_each_result_is_kept_with_the_id_of_its_call(tmp_path: Path) -> None:
    observed = with_ids(Toy(case=case("history", turns=3)).run())

    results = kept(tmp_path, observed)

    assert [one.call_id for one in results] == ["call_0", "call_1", "call_2"]
    assert [one.text for one in results] == [one.text for one in observed.payloads]


def test_a_result_of_which_nothing_arrived_has_the_id_of_its_call(tmp_path: Path) -> None:
    results = kept(tmp_path, with_ids(Toy(case=case(), cut=lambda _: "[stored]").run()))

    assert [one.call_id for one in results] == ["call_0"]


def test_results_that_come_in_another_order_have_the_ids_of_their_messages(tmp_path: Path) -> None:
    toy = Toy(case=case())
    toy.messages.append({"role": "user", "content": "go"})
    both = Turn(calls=FETCH.calls * 2)
    toy.send(toy.messages, both)
    first, second = (payload(toy.case, call) for call in range(2))
    toy.payloads += [first, second]
    for name, made in (("call_0", second), ("call_1", first)):
        toy.messages.append({"role": "tool", "tool_call_id": name, "content": made.text})
    toy.ask(Turn(text="done"))

    results = kept(tmp_path, replace(toy.observed(), call_ids={1: ["call_0", "call_1"]}))

    assert [one.call_id for one in results] == ["call_1", "call_0"]


def test_where_the_tool_is_called_more_often_than_by_the_model_no_id_is_guessed(
    tmp_path: Path,
) -> None:
    toy = Toy(case=case(), cut=lambda _: "[failed twice]")
    observed = with_ids(toy.run())

    results = kept(tmp_path, replace(observed, payloads=[*observed.payloads, payload(case(), 1)]))

    assert [one.call_id for one in results] == [None, None]


def test_what_the_user_says_answers_no_call(tmp_path: Path) -> None:
    observed = Toy(case=case("user")).run()

    (one,) = kept(tmp_path, replace(observed, payloads=[payload(case("user"), 0)]))

    assert (one.tool, one.kind, one.call_id) == ("data", "data", None)
