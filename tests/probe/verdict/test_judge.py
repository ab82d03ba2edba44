"""The verdict on a case: toy harnesses that lose in one way each, and what is said of them."""

import json

import pytest
from tests.probe.toy import CHAT, FETCH, Raw, Told, Toy, whole

from ullage.probe.canary import evidence, payload, prompt
from ullage.probe.case import Case, Format, Kind
from ullage.probe.judging import probe_findings
from ullage.probe.observed import Observed
from ullage.probe.script import Call, Refusal, Turn
from ullage.probe.verdict.judge import Verdict, judge
from ullage.probe.verdict.length import Length
from ullage.probe.verdict.overflow import Overflow


def case(kind: Kind = "result", *, size: int = 33_000, format: Format = "json") -> Case:
    return Case(tag="t", kind=kind, size=size, format=format)


def prefix(text: str) -> str:
    return text[:8_000]


def middle(text: str) -> str:
    return f"{text[:4_000]}\n...truncated {len(text) - 8_000} characters...\n{text[-4_000:]}"


def test_a_harness_that_loses_nothing_has_lost_nothing() -> None:
    verdict = judge(Toy(case=case()).run())

    assert not verdict.lost
    assert verdict.worst is not None
    assert (verdict.worst.role, verdict.worst.request, verdict.worst.late) == ("tool", 2, False)
    assert verdict.handle is not None
    assert not verdict.handle.offered


def test_the_document_has_the_members_of_its_schema() -> None:
    found = judge(Toy(case=case(), cut=prefix).run()).to_dict()

    rows = json.dumps(payload(case(), 0).value)[:8_000].count("}")
    assert found["rows_produced"] == len(payload(case(), 0).places)
    assert found["rows_delivered"] == rows
    assert found["by_part"] == {
        "$.early_list": {"produced": 119, "delivered": rows, "partial": 1},
        "$.late_list": {"produced": 130, "delivered": 0, "partial": 0},
    }
    assert (found["valid"], found["side_lost"]) == (False, "tail")
    assert found["notice"] == {"grade": "none", "text": ""}
    assert (found["early_turns_kept"], found["summariser_rows"]) == (None, None)
    json.dumps(found)


def test_a_cut_in_the_middle_is_counted() -> None:
    worst = judge(Toy(case=case(), cut=middle).run()).worst

    assert worst is not None
    assert (worst.side_lost, worst.notice.grade) == ("middle", "counted")


def test_a_result_in_a_message_of_the_user_is_found() -> None:
    toy = Toy(case=case(), role="user", cut=lambda text: f"Observation:\n{text}")
    worst = judge(toy.run()).worst

    assert worst is not None
    assert (worst.role, worst.syntax, worst.lost) == ("user", "wrapped", False)


@pytest.mark.parametrize("text", ["", "gone", "[cleared]"])
def test_a_result_of_which_nothing_arrived_is_judged_by_its_message(text: str) -> None:
    worst = judge(Toy(case=case(), cut=lambda _: text).run()).worst

    assert worst is not None
    assert (worst.side_lost, worst.chars_given, worst.request) == ("all", len(text), 2)


def test_a_value_that_comes_a_request_later_is_late() -> None:
    toy = Toy(case=case())
    toy.messages.append({"role": "user", "content": "go"})
    toy.ask(FETCH)
    toy.fetch()
    result = toy.messages.pop()
    toy.messages.append({**result, "content": "wait"})
    toy.ask(Turn(text="waiting"))
    toy.messages.append({"role": "user", "content": result["content"]})
    toy.ask(Turn(text="done"))
    worst = judge(toy.observed()).worst

    assert worst is not None
    assert (worst.late, worst.request, worst.lost) == (True, 3, False)


def test_data_of_the_user_is_judged_in_the_users_message() -> None:
    whole_one = judge(Toy(case=case("user")).run())
    assert whole_one.worst is not None
    assert (whole_one.worst.syntax, whole_one.worst.role) == ("valid", "user")

    def cut(messages: list[Raw]) -> list[Raw]:
        return [{**one, "content": str(one["content"])[:9_000]} for one in messages]

    worst = judge(Toy(case=case("user"), trim=cut).run()).worst
    assert worst is not None
    assert (worst.side_lost, worst.syntax) == ("tail", "broken")


def test_words_before_the_users_are_no_part_of_the_first_line() -> None:
    one = case("user", format="ndjson")
    worst = judge(
        Toy(case=one, trim=lambda messages: [task(each) for each in messages]).run()
    ).worst

    assert worst is not None
    assert worst.rows_delivered == len(payload(one, 0).places)


def task(message: Raw) -> Raw:
    """As a harness that writes its own words around a user's."""
    if message["role"] != "user":
        return message
    return {**message, "content": f"\nCurrent Task: {message['content']}\n\nAnswer all of it."}


def test_a_harness_that_never_calls_its_tool_has_no_payload() -> None:
    toy = Toy(case=case())
    toy.messages.append({"role": "user", "content": "go"})
    toy.ask(Turn(text="done"))
    verdict = judge(toy.observed())

    assert (verdict.deliveries, verdict.worst, verdict.rows_produced) == ((), None, 0)
    assert verdict.to_dict()["valid"] is None


def test_a_harness_that_asks_nothing_is_judged() -> None:
    verdict = judge(Observed(case=case("history")))

    assert (verdict.requests, verdict.history, verdict.lost) == (0, None, False)


def test_code_in_a_reply_calls_the_tool() -> None:
    toy = Toy(case=case(), role="user", cut=lambda text: f"Execution logs:\n{text[:9_000]}")
    toy.messages.append({"role": "user", "content": "go"})
    toy.send(toy.messages, Turn(text="<code>print(fetch_rows())</code>"), tools=False)
    toy.messages.append({"role": "assistant", "content": "<code>print(fetch_rows())</code>"})
    toy.fetch()
    toy.send(toy.messages, Turn(text="done"), tools=False)
    verdict = judge(toy.observed())

    assert verdict.acting == 2
    assert verdict.worst is not None
    assert (verdict.worst.role, verdict.worst.side_lost) == ("user", "tail")


# --- a hand-off


DELEGATE = Turn(calls=(Call(name="delegate", arguments={"task": "look"}),))


def handed_off(report: str, *, parent_sees: str, task: str) -> Verdict:
    one = case("handoff")
    made = payload(one, 0)
    toy = Toy(case=one)
    toy.payloads.append(made)
    child: list[Raw] = [{"type": "function", "function": {"name": "fetch_rows"}}]
    parent: list[Raw] = [{"type": "function", "function": {"name": "delegate"}}]
    turn = f"{one.tag} {task}"

    def ask(messages: list[Raw], tools: list[Raw], reply: Turn) -> None:
        toy.send(messages, reply)
        toy.asked[-1].body["tools"] = tools

    asked: Raw = {"role": "user", "content": turn}
    ask([asked], parent, DELEGATE)
    ask([asked], child, FETCH)
    result: Raw = {"role": "tool", "tool_call_id": "c", "content": made.text}
    ask([asked, result], child, Turn(text=report))
    if parent_sees:
        ask([asked, {"role": "tool", "content": parent_sees}], parent, Turn(text="done"))
    return judge(toy.observed())


def report_of(one: Case) -> str:
    return "\n".join(f"finding: {name} is slow" for name in evidence(payload(one, 0)))


def test_evidence_that_reaches_the_parent_is_counted() -> None:
    one = case("handoff")
    verdict = handed_off(report_of(one), parent_sees=report_of(one), task=prompt(one, 0))

    assert verdict.handoff is not None
    assert (verdict.handoff.planted, verdict.handoff.arrived) == (20, 20)
    assert verdict.handoff.task_given
    assert verdict.handoff.child_rows == len(payload(one, 0).places)
    assert verdict.handoff.child_rows_in_parent == 0
    assert not verdict.lost


def test_a_stub_loses_the_evidence() -> None:
    one = case("handoff")
    report = report_of(one)
    verdict = handed_off(report, parent_sees=report[:200], task="look")

    assert verdict.handoff is not None
    assert (verdict.handoff.planted, verdict.handoff.arrived) == (20, report[:200].count(" is"))
    assert verdict.handoff.by_part["$.late_list"][1] == 0
    assert (verdict.handoff.task_given, verdict.handoff.returned) == (False, True)
    assert verdict.lost


def test_an_agent_that_takes_over_returns_nothing() -> None:
    verdict = handed_off(report_of(case("handoff")), parent_sees="", task="look")

    assert verdict.handoff is not None
    assert not verdict.handoff.returned


def test_the_childs_own_rows_in_the_parent_are_counted() -> None:
    one = case("handoff")
    verdict = handed_off(report_of(one), parent_sees=payload(one, 0).text, task="look")

    assert verdict.handoff is not None
    assert verdict.handoff.child_rows_in_parent == len(payload(one, 0).places) - 20


# --- a reply stopped by its limit


STOPPED = Turn(text="The report begins with the first", finish_reason="length")


def stopped(*after: Raw, answer: str | None = None, error: str | None = None) -> Length:
    toy = Toy(case=case("length", size=0))
    toy.messages.append({"role": "user", "content": "Write."})
    toy.ask(STOPPED)
    if after:
        toy.messages += after
        toy.ask(Turn(text="the rest. done"))
    if answer is not None:
        toy.answers.append(answer)
    found = judge(toy.observed(error=error)).length
    assert found is not None
    return found


def test_a_stopped_reply_may_be_taken_for_whole() -> None:
    assert stopped(answer=STOPPED.text) == Length(reaction="taken-for-whole")


def test_a_warning_beside_a_stopped_reply_is_told() -> None:
    found = stopped(answer=f"{STOPPED.text} [stopped by the limit]")

    assert (found.reaction, found.told) == ("taken-for-whole", "[stopped by the limit]")


def test_the_model_may_be_asked_to_go_on() -> None:
    found = stopped({"role": "user", "content": "Please go on."}, answer="all")

    assert (found.reaction, found.further_requests, found.asked) == ("went-on", 1, "Please go on.")


def test_a_stopped_reply_may_be_thrown_away() -> None:
    toy = Toy(case=case("length", size=0))
    asked: list[Raw] = [{"role": "user", "content": "Write."}]
    toy.send(asked, STOPPED)
    toy.send(asked, Turn(text="done"))
    found = judge(toy.observed()).length

    assert found is not None
    assert found.reaction == "retried"


def test_a_stopped_reply_may_raise_or_be_withheld() -> None:
    raised = stopped(error="MaxTokens: stopped")
    assert (raised.reaction, raised.error) == ("raised", "MaxTokens: stopped")
    assert stopped(answer="I could not finish.").reaction == "withheld"


def test_a_case_without_a_stopped_reply_says_so() -> None:
    found = judge(Toy(case=case("length", size=0)).run()).length
    assert found is not None
    assert found.reaction == "never-stopped"


# --- a refused prompt


def refused(*sizes: int, error: str | None = None, notice: str = "") -> Overflow:
    """Ask with the result cut to each of these sizes; the last one is taken unless it raised."""
    one = Case(tag="o", kind="overflow", turns=2, size=9_000)
    toy = Toy(case=one)
    made = payload(one, 0)
    toy.payloads.append(made)
    for number, size in enumerate(sizes, 1):
        messages: list[Raw] = [
            {"role": "user", "content": prompt(one, 0) if size else notice},
            {"role": "tool", "tool_call_id": "c", "content": made.text[:size]},
            {"role": "user", "content": prompt(one, 1)},
        ]
        is_taken = number == len(sizes) and error is None
        toy.send(messages, Turn(text="done"), 200 if is_taken else 400)
    found = judge(toy.observed(error=error)).overflow
    assert found is not None
    return found


def test_a_refusal_may_reach_the_user() -> None:
    found = refused(9_000, error="BadRequest: too long")

    assert (found.reaction, found.refused, found.retries) == ("raised", 1, 0)


def test_a_refused_prompt_may_be_sent_again_unchanged() -> None:
    found = refused(9_000, 9_000, 9_000, error="BadRequest: too long")

    assert (found.reaction, found.refused, found.retries) == ("raised", 3, 2)


def test_a_refused_prompt_may_be_shortened_silently() -> None:
    found = refused(9_000, 4_000)

    assert (found.reaction, found.accepted, found.turns_gone) == ("shortened", True, 0)
    rows = payload(Case(tag="o", kind="overflow", turns=2, size=9_000), 0)
    assert found.rows_gone == len(rows.places) - rows.text[:4_000].count('"id": "row-')
    assert found.notice.grade == "none"


def test_a_refused_prompt_may_lose_turns_and_say_so() -> None:
    found = refused(9_000, 0, notice="Earlier messages were removed.")

    assert (found.reaction, found.turns_gone, found.accepted) == ("shortened", 1, True)
    assert (found.notice.grade, found.notice.text) == ("said", "Earlier messages were removed.")


@pytest.mark.parametrize(
    "error",
    [
        "The maximum is 20000 tokens, and your messages resulted in 24887.",
        "Error: Your input exceeds the context window of this model.",
    ],
)
def test_the_error_may_be_handed_to_the_user_as_the_answer(error: str) -> None:
    toy = Toy(case=Case(tag="o", kind="overflow", turns=2, size=9_000))
    long: Raw = {"role": "user", "content": prompt(toy.case, 0) * 2}
    reason = Refusal(status=400, kind="overflow", tokens=24_887, window=20_000)
    toy.send([long], Turn(refused=reason), 400)
    toy.answers.append(error)
    toy.send([{"role": "user", "content": prompt(toy.case, 1)}], Turn(text="done"))
    toy.answers.append("done")
    verdict = judge(toy.observed())

    assert verdict.overflow is not None
    assert (verdict.overflow.reaction, verdict.overflow.refused) == ("handed-on", 1)
    (found,) = probe_findings(verdict, [])
    assert (found.check, found.evidence["reaction"]) == ("overflow-ignored", "handed-on")


def test_a_model_that_refuses_nothing_is_said() -> None:
    found = judge(Toy(case=case("overflow")).run()).overflow
    assert found is not None
    assert found.reaction == "never-refused"


# --- a way back


def way_back(second: str | None) -> Verdict:
    notice = "\n\n[Showing the first 4000 characters. Full output: /tmp/rest-1.txt]"
    toy = Toy(case=case("handle"), cut=lambda text: text[:4_000] + notice)
    toy.messages.append({"role": "user", "content": "go"})
    toy.ask(FETCH)
    toy.fetch()
    if second is None:
        toy.ask(Turn(text="done"))
        return judge(toy.observed())
    toy.ask(Turn(calls=(Call(name="read_file", arguments={"path": "/tmp/rest-1.txt"}),)))
    toy.messages.append({"role": "tool", "tool_call_id": "call_1", "content": second})
    toy.ask(Turn(text="done"))
    return judge(toy.observed())


def test_a_way_back_that_is_followed_and_works() -> None:
    made = payload(case("handle"), 0)
    found = way_back(made.text[4_000:9_000]).handle

    assert found is not None
    assert (found.offered, found.followed, found.worked, found.dead) == (True, 1, True, False)
    assert found.names == ("/tmp/rest-1.txt",)
    assert found.rows_fetched == made.text[4_000:9_000].count('"id": "row-')


def test_a_way_back_that_is_dead() -> None:
    found = way_back("no such file").handle

    assert found is not None
    assert (found.followed, found.worked, found.dead) == (1, False, True)


@pytest.mark.parametrize(
    ("words", "names"),
    [
        ("stored as artifact `tool-result-L1y`; path `tool-result-L1y/result.md`", 2),
        ("saved under results/fetch_rows-1.txt, read it", 1),
        ("Full output: ullage get a1b2c3d4e5f60718", 1),
    ],
)
def test_the_names_in_a_way_back_are_found(words: str, names: int) -> None:
    toy = Toy(case=case("handle"), cut=lambda text: f"{text[:4_000]}\n[truncated, {words}]")
    found = judge(toy.run()).handle

    assert found is not None
    assert len(found.names) == names


def test_a_way_back_that_nobody_took() -> None:
    found = way_back(None).handle

    assert found is not None
    assert (found.offered, found.followed, found.dead) == (True, 0, False)


# --- a loop


def looped(*, removed: bool, capped: int) -> Verdict:
    toy = Toy(case=case(), cut=(lambda _: "[removed]") if removed else whole)
    toy.messages.append({"role": "user", "content": "go"})
    for _ in range(4):
        toy.ask(FETCH)
        toy.fetch()
    toy.ask(Turn(text="done"))
    seen = toy.observed()
    return judge(Observed(case=seen.case, asked=seen.asked, payloads=seen.payloads, capped=capped))


@pytest.mark.parametrize(("removed", "gone"), [(True, 3), (False, 0)])
def test_calls_that_are_made_again_are_counted(removed: bool, gone: int) -> None:
    found = looped(removed=removed, capped=7).loop

    assert (found.looped, found.capped, found.again, found.after_loss) == (True, 7, 3, gone)


def test_one_call_a_turn_is_no_loop() -> None:
    found = judge(Toy(case=Case(tag="t", kind="history", turns=3, size=2_000)).run()).loop

    assert (found.looped, found.again) == (False, 0)


def test_a_coding_cli_calls_its_shell() -> None:
    toy = Toy(case=case(), cut=prefix)
    shell = Turn(calls=(Call(name="bash", arguments={"command": "cat /data/rows.json"}),))
    toy.messages.append({"role": "user", "content": "go"})
    toy.ask(shell)
    toy.fetch()
    toy.ask(Turn(text="done"))
    verdict = judge(toy.observed())

    assert [one.side_lost for one in verdict.deliveries] == ["tail"]
    assert verdict.loop.again == 0


def test_requests_to_other_paths_are_left_out() -> None:
    toy = Toy(case=case())
    seen = toy.run()
    other = Told(number=9, body={"x": 1}, turn=None, path="/v1/embeddings")
    verdict = judge(Observed(case=seen.case, asked=[*seen.asked, other], payloads=seen.payloads))

    assert seen.asked[0].path == CHAT
    assert verdict.requests == 2
