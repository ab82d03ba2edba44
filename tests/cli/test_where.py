"""`ullage where`: one value, followed to the boundary where it was lost; one story a boundary."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from ullage.checks.settle import settle
from ullage.cli.where import command
from ullage.errors import LedgerError
from ullage.ledger.held import hold
from ullage.ledger.keep import read_policy
from ullage.ledger.records import ExchangeRecord, ProducedKind, ProducedRecord, StepRecord
from ullage.ledger.store import Ledger

VALUE = "ORD-0037"
ORDERS = json.dumps([{"id": f"ORD-{n:04d}", "amount": n * 13} for n in range(50)])
EARLY, LATE = ORDERS[:600], ORDERS[-600:]
KEY = "sk-" + "proj-" + "Aq7Zk2Wx9Tn4Rb6Vm1Lp8Hd3"
TASK = {"role": "user", "content": "How many orders are late?"}


class Story:
    """A ledger that is written as a run goes on."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.at = 0.0
        self.ledger = Ledger(path)

    def make(
        self,
        text: str,
        *,
        handed_on: str | None = None,
        tool: str = "list_orders",
        kind: ProducedKind = "tool",
    ) -> None:
        self.at += 1
        number = self.ledger.add_produced(
            ProducedRecord(
                run="r", tool=tool, kind=kind, arguments="{}", text=text, at=self.at, key="id"
            )
        )
        if handed_on is not None:
            self.ledger.hand_on(number, handed_on)

    def ask(self, *messages: dict[str, Any], says: str = "", **members: Any) -> None:
        self.at += 1
        usage = {"prompt_tokens": members.pop("read", None)}
        reply = {
            "choices": [{"message": {"role": "assistant", "content": says}}],
            "usage": usage,
        }
        body = {"model": "gpt-4o", "messages": messages, **members}
        self.ledger.add_exchange(
            ExchangeRecord(
                run="r",
                method="POST",
                path="/v1/chat/completions",
                upstream="http://model.test",
                request_headers=[],
                request_body=json.dumps(body).encode(),
                status=200,
                response_headers=[],
                response_body=json.dumps(reply).encode(),
                started=self.at,
                first_byte=None,
                ended=self.at,
            )
        )


@pytest.fixture
def story(tmp_path: Path) -> Iterator[Story]:
    told = Story(tmp_path / "a.ledger")
    with told.ledger:
        yield told


def result(text: str, call: str = "c1") -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": call, "content": text}


def said(text: str) -> dict[str, Any]:
    return {"role": "assistant", "content": text}


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(command, [str(one) for one in arguments])


def where(story: Story, value: str = VALUE) -> dict[str, Any]:
    done = run(story.path, value, "--format", "json")
    assert done.exception is None, done.exception
    (found,) = json.loads(done.stdout)["runs"]
    members: dict[str, Any] = found
    return members


def verdict(found: dict[str, Any]) -> Sequence[object]:
    names = ("verdict", "boundary", "whose", "first_with", "first_without")
    return [found[name] for name in names]


def test_produce_when_no_result_has_it_and_one_says_that_there_is_more(story: Story) -> None:
    page = json.dumps({"rows": [{"id": "ORD-0001"}], "total": 50})
    story.make(page)
    story.ask(TASK, result(page))

    found = where(story)

    assert verdict(found) == ["lost", "produce", "tool", None, None]
    assert "total is 50 and its list has 1" in found["why"]
    assert "list all ids, not the count" in found["advice"]


def test_serialise_when_it_arrives_in_another_spelling(story: Story) -> None:
    story.make('[{"id": 12345678901234567890, "name": "a long enough name"}]')
    story.ask(TASK, result('[{"id": 1.2345678901234567e+19, "name": "a long enough name"}]'))

    found = where(story, "12345678901234567890")

    assert verdict(found)[:2] == ["lost", "serialise"]
    assert found["first_without"] == 1
    assert "has it otherwise: 1.2345678901234567e+19" in found["why"]


def test_serialise_in_the_tool_when_what_it_hands_on_spells_it_otherwise(story: Story) -> None:
    story.make('[{"price": "12.50"}]', handed_on="[{'price': 12.5}]")
    story.ask(TASK, result("[{'price': 12.5}]"))

    assert verdict(where(story, "12.50")) == ["lost", "serialise", "tool", None, 1]


def test_budget_in_the_tool_when_it_does_not_hand_it_on(story: Story) -> None:
    story.make(ORDERS, handed_on=EARLY)
    story.ask(TASK)
    story.ask(TASK, result(EARLY))

    found = where(story)

    assert verdict(found) == ["lost", "budget", "tool", None, 2]
    assert found["layers"]["handed_on"] == [{"result": 1, "has": False, "respelled": None}]


def test_budget_in_the_harness_when_the_request_has_less_than_was_handed_on(
    story: Story,
) -> None:
    story.make(ORDERS, handed_on=ORDERS)
    mark = "\n..._This content has been truncated to stay below 20000 characters_...\n"
    story.ask(TASK, result(EARLY + mark + ORDERS[-100:]))

    found = where(story)

    assert verdict(found) == ["lost", "budget", "harness", None, 1]
    assert "MAX_LENGTH_TRUNCATE_CONTENT" in found["setting"]


def test_budget_of_somebody_when_the_tool_did_not_say(story: Story) -> None:
    story.make(ORDERS)
    story.ask(TASK, result(EARLY))

    assert verdict(where(story)) == ["lost", "budget", "unknown", None, 1]


def test_retain_when_a_later_request_has_lost_the_message(story: Story) -> None:
    story.make(ORDERS)
    story.ask(TASK, result(ORDERS))
    story.ask(TASK, result(ORDERS), said("which?"), {"role": "user", "content": "all"})
    story.ask(TASK, said("which?"), {"role": "user", "content": "all"}, said("ok"))

    found = where(story)

    assert verdict(found) == ["lost", "retain", "harness", 1, 3]
    assert found["why"].endswith(
        "Request 2 has it in message 1 (tool), 3 has not: the message is gone."
    )
    assert "max_history_turns" in found["advice"]
    assert [one["has"] for one in found["layers"]["requests"]] == [True, True, False]


def windowed(story: Story, count: int) -> None:
    """Thirty orders in a message, a look at three depots, twenty orders, a look at three again."""
    system = {"role": "system", "content": "You plan deliveries."}
    history: list[dict[str, Any]] = []
    for turn, pasted in enumerate((json.loads(ORDERS)[:30], json.loads(ORDERS)[30:])):
        history.append({"role": "user", "content": json.dumps(pasted)})
        story.ask(system, *history[-count:])
        for n in range(3):
            function = {"name": "stock", "arguments": "{}"}
            call = {"id": f"{turn}.{n}", "type": "function", "function": function}
            history += [
                {"role": "assistant", "content": None, "tool_calls": [call]},
                result(f"depot {turn}.{n} has room", f"{turn}.{n}"),
            ]
            story.ask(system, *history[-count:])
        history.append(said(f"noted, {turn}"))


def test_the_limit_of_the_history_has_a_number_and_a_unit(story: Story) -> None:
    windowed(story, 10)

    found = where(story, "ORD-0007")

    assert verdict(found) == ["lost", "retain", "harness", 1, 6]
    assert found["limit"] == {
        "unit": "messages",
        "least": 10,
        "most": 10,
        "requests": [6, 7, 8],
        "sure": True,
        "also": [],
    }
    assert found["left"]["roles"] == {"user": 1}
    assert "buffer_size" in found["setting"]
    lines = run(story.path, "ORD-0007").stdout.splitlines()
    assert (
        "  Limit: 10 messages, system texts aside: 3 requests (6, 7, 8) lost what was more; with 9 "
        "nothing had been lost." in lines
    )
    assert any(line.startswith("  Left there: 1 message (1 user), ") for line in lines)


def talk(story: Story, *questions: str) -> None:
    """Questions and answers, of which the model is given the last three messages."""
    history: list[dict[str, Any]] = []
    for number, question in enumerate(questions):
        history.append({"role": "user", "content": question})
        answer = f"To question {number}: not before the end of the week."
        story.ask(*history[-3:], says=answer)
        history.append(said(answer))


def test_limits_that_would_explain_one_loss_as_well_are_named(story: Story) -> None:
    talk(story, f"Where is {VALUE}?", "And when?", "And why?")

    found = where(story)

    assert (found["limit"]["unit"], found["limit"]["sure"]) == ("turns", False)
    assert "messages" in found["limit"]["also"]
    assert "would explain it as well" in run(story.path, VALUE).stdout


def test_a_value_that_comes_back_is_said_to_be_there_again(story: Story) -> None:
    talk(story, f"Where is {VALUE}?", "And when?", "And why?", f"Why is {VALUE} late?")

    found = where(story)

    assert (found["first_without"], found["back"]) == (3, 4)
    assert "Request 4 has it again." in run(story.path, VALUE).stdout


def test_retain_when_an_old_result_was_cleared(story: Story) -> None:
    story.make(ORDERS)
    story.ask(TASK, result(ORDERS))
    story.ask(TASK, result("[cleared]"), said("and now?"))

    found = where(story)

    assert verdict(found) == ["lost", "retain", "harness", 1, 2]
    assert "another text stands in its place" in found["why"]
    assert found["setting"] == "LangChain ContextEditingMiddleware: ClearToolUsesEdit"


def test_retain_when_a_message_of_the_caller_is_in_no_request(story: Story) -> None:
    # The incident of the field guide: thirty orders in one message, twenty in the next one, and a
    # history of five turns.
    story.make(json.dumps(json.loads(ORDERS)[:30]), kind="data", tool="first batch")
    story.make(json.dumps(json.loads(ORDERS)[30:]), kind="data", tool="second batch")
    second = {"role": "user", "content": json.dumps(json.loads(ORDERS)[30:])}
    story.ask(second, TASK)

    found = where(story, "ORD-0007")

    assert verdict(found) == ["lost", "retain", "harness", None, 1]
    assert found["layers"]["source"] == [{"result": 1, "tool": "first batch", "kind": "data"}]
    assert verdict(where(story)) == ["kept", None, "unknown", 1, None]


def test_summarise_when_a_summary_stands_in_its_place(story: Story) -> None:
    story.make(ORDERS)
    story.ask(TASK, result(ORDERS))
    summary = "The user asks about late orders; fifty orders were listed."
    story.ask({"role": "user", "content": f"Summarise this: {ORDERS}"}, says=summary)
    story.ask(TASK, {"role": "user", "content": f"Summary: {summary}"})

    found = where(story)

    assert verdict(found) == ["lost", "summarise", "harness", 1, 3]
    assert "which request 2 wrote; that was shown it." in found["why"]


def test_summarise_when_the_conversation_begins_anew_with_a_starved_summary(
    story: Story,
) -> None:
    story.make(ORDERS)
    story.ask(TASK, result(ORDERS))
    summary = "The user asks about late orders. Nothing else is known."
    story.ask({"role": "user", "content": f"Summarise: {TASK['content']}"}, says=summary)
    anew = f"Here is a summary of the conversation to date:\n{summary}"
    story.ask({"role": "user", "content": anew}, TASK)

    found = where(story)

    assert verdict(found) == ["lost", "summarise", "harness", 1, 3]
    assert "that was not even shown it" in found["why"]
    assert "SummarizationMiddleware" in found["setting"]


def test_handoff_when_the_parent_gets_the_reply_without_it(story: Story) -> None:
    story.make(ORDERS)
    child = {"role": "user", "content": "Look through the orders"}
    story.ask(child, result(ORDERS), says="Three of the orders are late, all from May.")
    story.ask(
        TASK, said("I ask"), result("Three of the orders are late, all from May.", call="sub")
    )

    found = where(story)

    assert verdict(found) == ["lost", "handoff", "harness", 1, 2]
    assert "it did not write it" in found["why"]


def test_serve_when_the_server_read_less_than_was_sent(story: Story) -> None:
    long = " ".join(f"line {n} of the notes" for n in range(900))
    story.make(ORDERS)
    story.ask(result(ORDERS), {"role": "user", "content": long}, read=700)

    found = where(story)

    assert verdict(found) == ["lost", "serve", "provider", 1, 1]
    assert "cannot be seen" in found["why"]


def test_a_server_that_read_everything_lost_nothing(story: Story) -> None:
    long = " ".join(f"line {n} of the notes" for n in range(900))
    story.make(ORDERS)
    story.ask(result(ORDERS), {"role": "user", "content": long}, read=6400)

    assert verdict(where(story)) == ["kept", None, "unknown", 1, None]


def test_what_a_declared_step_dropped_is_not_lost(story: Story) -> None:
    story.make(ORDERS)
    story.ledger.add_step(
        StepRecord(
            run="r",
            name="only open ones",
            taken_in=50,
            handed_out=49,
            dropped=[VALUE],
            reason="closed",
            at=2.0,
        )
    )
    rest = json.dumps([one for one in json.loads(ORDERS) if one["id"] != VALUE])
    story.ask(TASK, result(rest))

    found = where(story)

    assert verdict(found) == ["dropped-on-purpose", None, "tool", None, None]
    assert "Step only open ones dropped it on purpose: closed." in found["why"]


def test_a_result_that_no_request_carries_may_be_an_inner_step(story: Story) -> None:
    story.make(ORDERS)
    story.ask(TASK, said("done"))

    found = where(story)

    assert verdict(found) == ["unknown", None, "unknown", None, 1]
    assert "handed_on(text)" in found["advice"]


def test_a_run_that_ended_before_the_next_request_says_so(story: Story) -> None:
    story.ask(TASK)
    story.make(ORDERS)

    assert "no request was recorded after it" in where(story)["why"]


def test_what_is_nowhere_was_never_seen(story: Story) -> None:
    story.make(ORDERS)
    story.ask(TASK, result(ORDERS))

    found = where(story, "ORD-9999")

    assert verdict(found) == ["never-seen", None, "unknown", None, None]


def test_what_is_in_no_run_is_said_once_for_all_of_them(story: Story) -> None:
    for tag in ("a", "b", "c"):
        story.ledger.add_produced(
            ProducedRecord(run=tag, tool="t", kind="tool", arguments="{}", text=ORDERS, at=1.0)
        )

    said = run(story.path, "ORD-9999").stdout.splitlines()

    assert said[:3] == [
        "3 runs: a, b, c",
        "  never seen",
        "  It is in none of 3 recorded results and 0 requests.",
    ]
    assert len(said) == 4


def test_a_value_that_comes_with_the_second_request_and_stays_is_kept(story: Story) -> None:
    story.make(ORDERS)
    story.ask(TASK)
    story.ask(TASK, result(ORDERS))
    story.ask(TASK, result(ORDERS), said("done"))

    assert verdict(where(story)) == ["kept", None, "unknown", 2, None]


def test_the_five_layers_are_said_in_their_order(story: Story) -> None:
    story.make(ORDERS)
    story.ask(TASK, result(ORDERS))
    story.ask(TASK, said("which?"))

    lines = run(story.path, VALUE).stdout.splitlines()

    assert lines[:8] == [
        "run r",
        "  1 source       in 1 of 1 recorded result: 1 of list_orders",
        "  2 steps        no declared step dropped it",
        "  3 handed on    unknown: the tool did not say",
        "  4 request      first in request 1, message 1 (tool)",
        "  5 retention    in 1 of 2 requests (1); first without it: 2",
        "  lost           at boundary retain (harness)",
        "  Request 1 has it in message 1 (tool), 2 has not: the message is gone.",
    ]


def test_a_secret_is_followed_by_what_stands_for_it_and_never_shown(story: Story) -> None:
    story.make(f"the key is {KEY}")
    story.ask(TASK, result(f"the key is {KEY}"))
    story.ask(TASK, said("thanks"))

    done = run(story.path, KEY)
    document = json.loads(run(story.path, KEY, "--format", "json").stdout)

    assert done.stdout.startswith("The value is a secret: what stands for it in the ledger is")
    assert verdict(document["runs"][0]) == ["lost", "retain", "harness", 1, 2]
    assert (document["value"], document["redacted"]) == (None, True)
    assert KEY not in done.stdout + json.dumps(document)


def test_a_run_without_texts_says_that_nothing_can_be_followed(tmp_path: Path) -> None:
    place = tmp_path / "a.ledger"
    with Ledger(place) as ledger:
        held = hold(ledger, "r", read_policy({"default": "counts"}))
        told = Story(held.path)
        with told.ledger:
            told.make(ORDERS)
            told.ask(TASK, result(ORDERS))
        settle(held, ledger, at=9.0)

    refused = run(place, VALUE, "--run", "r")

    assert isinstance(refused.exception, LedgerError)
    assert "was recorded with --keep: its texts are not in" in str(refused.exception)
    assert "Not searched, because texts are not kept: 1 run." in run(place, VALUE).stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [((VALUE, "--run", "none"), "has no run 'none'"), ((" ",), "name a value that can be found")],
)
def test_what_cannot_be_followed_is_named(
    arguments: Sequence[str], said: str, story: Story
) -> None:
    story.make(ORDERS)

    done = run(story.path, *arguments)

    assert said in f"{done.exception}{done.stderr}"
