"""What a sub-agent answered, and what its parent was given of it."""

from dataclasses import replace

from tests.checks.sessions import calls, gives, says, session, user

from ullage.checks.handoffs import Handoffs
from ullage.checks.transcripts import session_of
from ullage.transcript.finding import Finding

ANSWER = "The slow queries are in billing.py line 40, orders.py line 7 and users.py line 93."
FINDINGS = "\n".join(
    f"Finding {n}: query {n} of module m{n}.py takes {n}50 ms" for n in range(1, 8)
)


def found(answer: str, given: str, tool: str = "task") -> list[Finding]:
    parent = session(user("look"), calls("c1", tool), gives("c1", given), says("ok"), name="p")
    child = session(user("find slow queries"), says(answer), name="p/child")
    held = replace(child.transcript, parent="p", parent_call="c1")
    gathered = Handoffs()
    for one in (session_of(held), parent):
        gathered.add(one)
    return list(gathered.findings())


def test_an_answer_that_its_parent_was_given_is_not_lost() -> None:
    assert not found(ANSWER, f"{ANSWER}\n\nagentId: 17 (use it to go on)")


def test_an_answer_of_which_the_parent_got_a_stub_is_lost() -> None:
    (one,) = found(ANSWER, "The sub-agent is done.")

    assert (one.boundary, one.session, one.call_id) == ("handoff", "p", "c1")
    assert one.evidence["child"] == "p/child"
    assert one.evidence["produced_chars"] == len(ANSWER)


def test_marked_findings_are_counted() -> None:
    (one,) = found(FINDINGS, "7 findings were recorded.")

    assert (one.evidence["produced"], one.evidence["delivered"]) == (7, 0)
    assert not found(FINDINGS, f"Here they are:\n{FINDINGS}")


def test_a_word_that_says_that_it_is_done_can_be_said_in_other_words() -> None:
    assert not found("Done.", "The task was completed.")


def test_a_child_without_its_parent_says_nothing() -> None:
    gathered = Handoffs()
    child = session(user("x"), says(ANSWER), name="p/child")
    gathered.add(session_of(replace(child.transcript, parent="p", parent_call="c1")))

    assert not list(gathered.findings())
