"""The verdict on a conversation: which turns and results are there, and by which limit."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.probe.policies import (
    Summarising,
    head_and_tail,
    last_messages,
    last_results,
    last_tokens,
    last_turns,
)
from tests.probe.toy import Toy, Trim, all_of

from ullage.probe.case import Case
from ullage.probe.script import Turn
from ullage.probe.verdict.cap import Cap, cap
from ullage.probe.verdict.history import History
from ullage.probe.verdict.judge import Verdict, judge


def case(turns: int = 12, size: int = 0) -> Case:
    return Case(tag=f"h{turns}-{size}", kind="history", turns=turns, size=size)


def judged(trim: Trim, *, turns: int = 12, size: int = 0) -> Verdict:
    return judge(Toy(case=case(turns, size), trim=trim).run())


def of(trim: Trim, *, turns: int = 12, size: int = 0) -> History:
    found = judged(trim, turns=turns, size=size).history
    assert found is not None
    return found


def limit(trim: Trim, *more: tuple[int, int]) -> Cap | None:
    shapes = more or ((12, 0), (50, 0), (12, 2_000), (12, 9_000))
    return cap([of(trim, turns=turns, size=size).held for turns, size in shapes])


@pytest.mark.parametrize("size", [0, 3_000])
def test_a_history_that_keeps_all_has_lost_nothing(size: int) -> None:
    verdict = judged(all_of, size=size)
    found = verdict.history

    assert found is not None
    assert found.kept == tuple(range(12))
    assert (found.first_loss, found.notice.grade, found.lost) == (None, "none", False)
    assert found.results == ("whole",) * (12 if size else 0)
    assert (verdict.early_turns_kept, found.early, found.late_kept) == (6, 6, 6)
    assert not verdict.lost
    assert limit(all_of) is None


def test_requests_and_bytes_are_counted_for_each_turn() -> None:
    found = of(all_of, turns=3, size=2_000)

    assert found.requests == (2, 2, 2)
    assert found.sizes[0] < found.sizes[1] < found.sizes[2]


@settings(max_examples=12, deadline=None)
@given(most=st.integers(1, 30), turns=st.integers(1, 20))
def test_the_turns_that_are_kept_are_named(most: int, turns: int) -> None:
    found = of(last_turns(most), turns=turns)

    assert found.kept == tuple(range(max(0, turns - most), turns))
    if turns > most:
        assert found.first_loss is not None
        assert (found.first_loss.turn, found.first_loss.during) == (0, most)
        assert found.first_loss.request == most + 1
        assert found.notice.grade == "none"
    else:
        assert found.first_loss is None


@settings(max_examples=8, deadline=None)
@given(most=st.integers(1, 11))
def test_a_limit_in_turns_is_found(most: int) -> None:
    found = limit(last_turns(most))

    assert found is not None
    assert (found.number, found.unit, found.acts) == (most, "turns", "window")
    assert all(unit.startswith("carried") or unit == "result-turns" for unit in found.others)


@settings(max_examples=8, deadline=None)
@given(most=st.integers(4, 40))
def test_a_limit_in_messages_is_found(most: int) -> None:
    found = limit(last_messages(most))

    assert found is not None
    assert (found.low, found.unit, found.acts) == (most, "messages", "window")
    assert found.others.keys() <= {"carried-messages", "result-turns"}
    assert found.certainty == ("likely" if found.others else "sure")


@settings(max_examples=4, deadline=None)
@given(most=st.integers(4_000, 9_000))
def test_a_limit_in_tokens_is_found(most: int) -> None:
    found = limit(last_tokens(most), (12, 0), (12, 1_500), (20, 3_000), (30, 2_000))

    assert found is not None
    assert found.acts == "window"
    assert "tokens" in (found.unit, *found.others)
    assert not {"turns", "messages", "results"} & {found.unit, *found.others}
    fits = {found.unit: found.within, **found.others}["tokens"]
    assert fits.low <= most <= fits.high
    assert f"{fits.low} to {fits.high} tokens" in str(found)


def test_a_limit_that_holds_between_turns_is_found() -> None:
    """As strands does: a turn may go beyond it, the next one begins with no more."""

    class Between:
        kept: list[dict[str, object]] | None = None

        def trim(self, messages: list[dict[str, object]]) -> list[dict[str, object]]:
            if messages[-1]["role"] == "user":
                while len(messages) - 1 > 16:
                    starts = [at for at, one in enumerate(messages) if one["role"] == "user"]
                    messages = messages[starts[1] :]
                self.kept = messages[:-1]
            gone = messages[-1 - (2 if messages[-1]["role"] == "tool" else 0) :]
            return [*(self.kept or []), *gone]

    shapes = ((12, 0), (50, 0), (12, 2_000), (30, 2_000))
    found = cap([of(Between().trim, turns=turns, size=size).held for turns, size in shapes])

    assert found is not None
    assert (found.unit, found.low) == ("carried-messages", 16)


def test_a_limit_on_the_turns_whose_results_are_whole_is_found() -> None:
    """As a trimmer does that leaves the results of the newest turns alone."""

    def trim(messages: list[dict[str, object]]) -> list[dict[str, object]]:
        starts = [at for at, one in enumerate(messages) if one["role"] == "user"]
        recent = starts[-2] if len(starts) > 2 else 0
        return [
            {**one, "content": str(one["content"])[:500]}
            if one["role"] == "tool" and at < recent
            else one
            for at, one in enumerate(messages)
        ]

    found = cap([of(trim, turns=turns, size=size).held for turns, size in ((12, 0), (12, 9_000))])

    assert found is not None
    assert (found.unit, found.number) == ("result-turns", 2)


def test_a_limit_in_results_is_found() -> None:
    found = limit(last_results(3), (12, 2_000), (12, 5_000), (5, 9_000))

    assert found is not None
    assert (found.number, found.unit) == (3, "results")
    assert found.certainty == "sure"


def test_what_takes_the_place_of_turns_is_a_notice_with_its_number() -> None:
    found = of(head_and_tail(2, 6))

    assert found.notice.grade == "counted"
    assert found.notice.text.startswith("Skipped ")
    assert found.kept == (0, 9, 10, 11)


@pytest.mark.parametrize("size", [0, 3_000])
def test_turns_that_are_dropped_silently_have_no_notice(size: int) -> None:
    assert of(last_messages(10), size=size).notice.grade == "none"


@pytest.mark.parametrize(
    ("instead", "grade"),
    [("[cleared]", "said"), ("", "none"), ("[see /tmp/result.txt: read it again]", "way-back")],
)
def test_results_that_are_cleared_are_told_from_those_that_are_gone(
    instead: str, grade: str
) -> None:
    found = of(last_results(3, instead), size=2_000)

    assert found.results == ("cleared",) * 9 + ("whole",) * 3
    assert found.kept == tuple(range(12))
    assert found.notice.grade == grade
    assert of(last_turns(4), size=2_000).results == ("gone",) * 8 + ("whole",) * 4


def test_a_preview_of_an_old_result_is_a_part_of_it() -> None:
    def trim(messages: list[dict[str, object]]) -> list[dict[str, object]]:
        return [
            {**one, "content": f"[Trimmed: {str(one['content'])[:400]}]"}
            if one["role"] == "tool" and at < len(messages) - 8
            else one
            for at, one in enumerate(messages)
        ]

    found = of(trim, size=2_000)

    assert found.results[0] == "partial"
    assert found.notice.grade == "said"
    assert "Trimmed" in found.notice.text


def starved(shown: int) -> Verdict:
    policy = Summarising(trigger=10_000, keep=6, shown=shown)
    toy = Toy(case=case(12, 3_000), trim=policy.trim, before=policy.before)
    return judge(toy.run())


def test_a_summariser_that_is_shown_nothing_is_starved() -> None:
    verdict = starved(0)

    assert verdict.auxiliary
    assert verdict.acting == 24
    assert {one.guess for one in verdict.auxiliary} == {"summariser"}
    assert all(one.starved for one in verdict.auxiliary if one.rows_replaced)
    assert any(one.starved for one in verdict.auxiliary)
    assert verdict.summariser_rows == 0


def test_a_summariser_that_is_shown_all_of_it_is_not() -> None:
    verdict = starved(1_000_000)

    replacing = [one for one in verdict.auxiliary if one.rows_replaced]
    assert replacing
    assert all(one.rows_seen_of_them == one.rows_replaced for one in replacing)
    assert all(one.turns_seen_of_them == one.turns_replaced for one in replacing)
    assert verdict.summariser_rows == sum(one.rows_replaced for one in replacing)


def test_what_was_shown_is_counted_over_the_whole_case() -> None:
    starving, whole = starved(0), starved(1_000_000)

    assert starving.shown is not None
    assert starving.shown.starved
    assert starving.history is not None
    gone = starving.history.results.count("gone")
    assert starving.shown.rows_gone == gone * starving.deliveries[0].rows_produced
    assert starving.shown.rows_shown == 0
    assert whole.shown is not None
    assert not whole.shown.starved
    assert whole.shown.rows_shown == whole.shown.rows_gone > 0


def test_what_was_shown_for_an_earlier_summary_counts() -> None:
    """As summarisers do that are shown a result while the acting model still has it."""
    toy = Toy(case=case(6, 3_000))
    asked: list[dict[str, object]] = []

    def before(_: Toy, old: list[dict[str, object]], new: list[dict[str, object]]) -> None:
        fresh = [one for one in old if one not in asked]
        asked.extend(fresh)
        text = "\n".join(str(one["content"]) for one in fresh)
        prompted: dict[str, object] = {"role": "user", "content": f"Write a summary:\n{text}"}
        toy.send([prompted], Turn(text="noted"), tools=False)

    toy.trim, toy.before = last_turns(2), before
    verdict = judge(toy.run())

    assert verdict.shown is not None
    assert (verdict.shown.turns_gone, verdict.shown.turns_shown) == (4, 4)
    assert not verdict.shown.starved


def test_what_went_in_the_last_turn_may_be_shown_to_a_later_writer() -> None:
    toy = Toy(case=case(6, 3_000))

    def before(_: Toy, old: list[dict[str, object]], new: list[dict[str, object]]) -> None:
        gone = "\n".join(str(one["content"]) for one in old[:-8])
        prompted: dict[str, object] = {"role": "user", "content": f"Write a summary:\n{gone}"}
        toy.send([prompted], Turn(text="noted"), tools=False)

    def trim(messages: list[dict[str, object]]) -> list[dict[str, object]]:
        is_last = len(toy.answers) == 5 and messages[-1]["role"] == "tool"
        return messages[-3:] if is_last else messages[-7:]

    toy.trim, toy.before = trim, before
    verdict = judge(toy.run())

    assert verdict.shown is not None
    assert verdict.shown.rows_shown < verdict.shown.rows_gone
    assert not verdict.shown.starved


def test_a_result_that_is_cut_in_its_place_is_not_what_a_summary_stands_for() -> None:
    toy = Toy(case=case(4, 3_000))

    def before(_: Toy, old: list[dict[str, object]], new: list[dict[str, object]]) -> None:
        prompted: dict[str, object] = {"role": "user", "content": "Write a summary: nothing"}
        toy.send([prompted], Turn(text="noted"), tools=False)

    def trim(messages: list[dict[str, object]]) -> list[dict[str, object]]:
        return [{**one, "content": str(one["content"] or "")[:900]} for one in messages[:-1]] + [
            messages[-1]
        ]

    toy.trim, toy.before = trim, before
    verdict = judge(toy.run())

    assert verdict.history is not None
    assert "partial" in verdict.history.results
    assert verdict.shown is not None
    assert (verdict.shown.rows_gone, verdict.shown.starved) == (0, False)


def test_where_nobody_was_asked_for_a_summary_nobody_starved() -> None:
    assert judged(last_turns(2), size=3_000).shown is None


def test_a_summary_is_said_to_the_model_and_its_trigger_is_found() -> None:
    verdict = starved(0)

    assert verdict.history is not None
    assert verdict.history.notice.grade == "said"
    assert "summary" in verdict.history.notice.text
    found = cap([verdict.history.held])
    assert found is not None
    assert found.acts == "trigger"
    assert "characters" in (found.unit, *found.others)


def test_a_title_is_no_request_of_the_acting_model() -> None:
    toy = Toy(case=case(2, 2_000))
    asked: dict[str, object] = {
        "role": "user",
        "content": f"Generate a title for this conversation: {toy.case.tag}",
    }
    toy.send([asked], Turn(text="A title"), tools=False)
    verdict = judge(toy.run())

    assert [one.guess for one in verdict.auxiliary] == ["title"]
    assert (verdict.requests, verdict.acting) == (5, 4)
    assert verdict.summariser_rows is None


def test_what_was_dropped_because_it_was_too_long_was_not_shown_either() -> None:
    toy = Toy(case=case(4, 3_000))
    steps = 0

    def trim(messages: list[dict[str, object]]) -> list[dict[str, object]]:
        nonlocal steps
        steps += 1
        if steps == 5:  # without asking anybody
            messages[:4] = [{"role": "user", "content": "It was too long to summarise."}]
            toy.messages = list(messages)
        return messages

    def before(_: Toy, old: list[dict[str, object]], new: list[dict[str, object]]) -> None:
        if steps == 6:
            asked: dict[str, object] = {"role": "user", "content": "Write a summary: nothing"}
            toy.send([asked], Turn(text="done"), tools=False)

    toy.trim, toy.before = trim, before
    verdict = judge(toy.run())

    assert [one.starved for one in verdict.auxiliary] == [True]
    assert verdict.auxiliary[0].rows_replaced == verdict.deliveries[0].rows_produced
    assert (verdict.auxiliary[0].turns_replaced, verdict.summariser_rows) == (1, 0)
