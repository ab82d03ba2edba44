"""What was elided and is missed."""

import json

from tests.history.rules.histories import Did, elide, history, put, ran, read
from tests.history.rules.outputs import listing, source

from ullage.history.regret import Regret, regret
from ullage.transcript.message import Message, ToolCall
from ullage.transcript.transcript import Entry, Transcript


def says(text: str) -> Message:
    return Message(role="assistant", text=text)


def calls(tool: str, **arguments: object) -> Message:
    call = ToolCall(call_id="late", name=tool, arguments=json.dumps(arguments))
    return Message(role="assistant", text="", calls=(call,))


def shown(text: str) -> Message:
    return Message(role="tool", text=text, answers="late")


LISTED = history(ran("ls -l cargo", listing()), Did("weather", {}, "fair"))


def after(*later: Message) -> Regret:
    return regret(LISTED, later, elided=elide(LISTED))["listings"]


def test_what_nobody_asks_for_is_not_missed() -> None:
    assert after(says("The orders are late.")) == Regret(elided=1, known=1)


def test_the_same_call_later_is_fetched_again() -> None:
    assert after(calls("bash", command="ls -l cargo")).fetched_again == 1


def test_two_more_of_the_same_call_are_one_result_that_is_missed() -> None:
    again = calls("bash", command="ls -l cargo")

    assert after(again, again).fetched_again == 1


def test_another_call_is_not_fetched_again() -> None:
    assert after(calls("bash", command="ls -l other")).fetched_again == 0


def test_a_name_that_stood_in_the_elided_text_only_is_cited() -> None:
    assert after(says("I look at cargo_017.csv now.")).cited_later == 1


def test_a_call_cites_what_its_arguments_name() -> None:
    assert after(calls("read_file", path="cargo_017.csv")).cited_later == 1


def test_a_name_that_was_shown_again_is_not_cited() -> None:
    assert after(shown("cargo_017.csv"), says("I look at cargo_017.csv now.")).cited_later == 0


def test_a_name_that_stands_elsewhere_is_not_cited() -> None:
    pieces = history(ran("ls -l cargo", listing()), Did("look", {"path": "cargo_017.csv"}, "ok"))

    found = regret(pieces, [says("cargo_017.csv is empty")], elided=elide(pieces))

    assert found["listings"].cited_later == 0


def test_a_name_that_was_left_in_the_text_is_not_cited() -> None:
    (one,) = elide(LISTED)
    left = [type(one)(index=2, text=f"{one.text}\ncargo_017.csv", rule=one.rule, why=one.why)]

    found = regret(LISTED, [says("cargo_017.csv is empty")], elided=left)

    assert found["listings"].cited_later == 0


def test_a_copy_that_stayed_is_not_missed() -> None:
    pieces = history(ran("make status", source(30)), ran("make status", source(30)))

    found = regret(
        pieces, [calls("bash", command="make status"), says("v17 v18")], elided=elide(pieces)
    )

    assert found["identical"] == Regret(elided=1, known=1)


def test_each_rule_has_its_own_figures() -> None:
    pieces = history(
        ran("ls -l cargo", listing()), read("a.py", source(40)), read("a.py", source(41))
    )

    found = regret(pieces, [calls("bash", command="ls -l cargo")], elided=elide(pieces))

    assert {rule: one.fetched_again for rule, one in found.items()} == {
        "superseded": 0,
        "listings": 1,
    }


def test_placeholders_of_a_history_are_recognised() -> None:
    once = put(LISTED, elide(LISTED))

    found = regret(once, [calls("bash", command="ls -l cargo"), says("cargo_017.csv")])

    assert found["listings"] == Regret(elided=1, fetched_again=1, known=0)


def test_placeholders_of_a_transcript_are_recognised() -> None:
    (one,) = elide(LISTED)
    messages = [
        *(piece.message for piece in LISTED),
        Message(role="tool", text=one.text, answers="call_0"),
        says("I look at cargo_017.csv now."),
        calls("bash", command="ls -l cargo"),
    ]
    whole = Transcript(
        session="s", form="by hand", entries=[Entry(message=message) for message in messages]
    )

    assert regret(whole)["listings"] == Regret(elided=1, fetched_again=1, cited_later=1, known=1)


def test_a_history_without_placeholders_has_no_regret() -> None:
    assert regret(LISTED, [says("cargo_017.csv")]) == {}
