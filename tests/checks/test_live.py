"""A ledger that is read while it grows: the figures are those of reading it all at once."""

import json
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ullage import Ledger
from ullage.checks.live import IDLE, Since, View, Watching
from ullage.checks.live_figures import Fill, tools_of
from ullage.checks.measure import measure_run
from ullage.checks.run import GATHERERS, run_checks, session_findings
from ullage.errors import LedgerError
from ullage.ledger.prune import Limits, prune
from ullage.ledger.records import ExchangeRecord, ProducedRecord, StepRecord

NOW = 1_700_000_000.0
RULES = {"role": "system", "content": "the rules"}
Act = tuple[str, int, int]


class Program:
    """Runs that write a ledger: results, requests that carry them, and what else there is."""

    def __init__(self, ledger: Ledger) -> None:
        self.ledger = ledger
        self.at = NOW
        self.made: dict[str, list[tuple[int, str]]] = {}
        self.history: dict[str, list[dict[str, Any]]] = {}

    def act(self, what: str, run: str, number: int) -> None:
        self.at += 1
        getattr(self, what)(run, number)

    def produce(self, run: str, number: int, *, at: float | None = None) -> None:
        done = len(self.made.setdefault(run, []))
        rows = [{"id": f"{run}-{done}-{i}", "note": "n" * 20} for i in range(5 + number * 7)]
        text = json.dumps(rows)
        record = ProducedRecord(
            run=run,
            tool=f"tool{number % 2}",
            kind="tool",
            arguments="{}",
            text=text,
            at=self.at if at is None else at,
            key="id",
            call_id=f"c{done}" if number % 3 else None,
        )
        self.made[run].append((self.ledger.add_produced(record), text))

    def hand_on(self, run: str, number: int) -> None:
        for result, text in self.made.get(run, [])[number : number + 1]:
            with suppress(ValueError):  # pruning took the result away
                self.ledger.hand_on(result, text if number % 2 else text[: len(text) // 2])

    def ask(self, run: str, number: int, *, at: float | None = None, usage: bool = False) -> None:
        messages = self.history.setdefault(run, [RULES, {"role": "user", "content": f"go {run}"}])
        carried = {one.get("tool_call_id") for one in messages}
        for done, (_, text) in enumerate(self.made.get(run, [])):
            if f"c{done}" not in carried:
                call = {"id": f"c{done}", "type": "function", "function": FUNCTION}
                messages.append({"role": "assistant", "content": None, "tool_calls": [call]})
                content = text[: len(text) // 2] if number % 2 else text
                messages.append({"role": "tool", "tool_call_id": f"c{done}", "content": content})
        ended = self.at if at is None else at
        reply = {
            "choices": [
                {
                    "index": 0,
                    "finish_reason": "length" if number == 3 else "stop",
                    "message": {"role": "assistant", "content": "ok"},
                }
            ],
            **({"usage": {"prompt_tokens": 64_000, "completion_tokens": 1}} if usage else {}),
        }
        self.ledger.add_exchange(
            ExchangeRecord(
                run=run,
                method="POST",
                path="/v1/chat/completions",
                upstream="http://127.0.0.1:9",
                request_headers=[],
                request_body=json.dumps(
                    {"model": "gpt-4o" if number != 4 else "own", "messages": messages}
                ).encode(),
                status=500 if number == 2 else 200,
                response_headers=[("content-type", "application/json")],
                response_body=json.dumps(reply).encode(),
                started=ended - 0.5,
                first_byte=ended,
                ended=ended,
            )
        )

    def step(self, run: str, number: int) -> None:
        self.ledger.add_step(
            StepRecord(
                run=run,
                name="de-duplicate",
                taken_in=3,
                handed_out=1,
                dropped=[f"{run}-{number}-1", f"{run}-{number}-2"],
                reason="seen before",
                at=self.at,
            )
        )

    def fault(self, run: str, number: int) -> None:
        self.ledger.add_fault(run, f"disk {number} was full", self.at)

    def prune(self, run: str, number: int) -> None:
        if number == 0:
            prune(self.ledger.session, Limits(oldest=self.at), self.at)


FUNCTION = {"name": "tool0", "arguments": "{}"}


@contextmanager
def program() -> Iterator[Program]:
    with tempfile.TemporaryDirectory() as folder, Ledger(Path(folder) / "a.ledger") as ledger:
        yield Program(ledger)


def watching(ledger: Ledger, *, run: str | None = None, since: Since = "all") -> Watching:
    return Watching(ledger, run=run, since=since, timer=lambda: 0.0)


def at_most(count: int) -> Callable[[], bool]:
    """Say after so many records that it is enough."""
    left = iter(range(count))
    return lambda: next(left, None) is None


def to_the_end(one: Watching, now: float, enough: Callable[[], bool]) -> View:
    view = one.look(now, enough)
    for _ in range(1000):
        after = one.look(now)
        if after == view:
            return view
        view = after
    raise AssertionError("it never ends")


acts = st.tuples(
    st.sampled_from(["produce", "produce", "ask", "ask", "hand_on", "step", "fault", "prune"]),
    st.sampled_from(["a", "b"]),
    st.integers(0, 4),
)
looks = st.tuples(st.just("look"), st.just(""), st.integers(0, 3))


@settings(max_examples=100, deadline=None)
@given(st.lists(st.one_of(acts, acts, looks), max_size=24))
def test_read_in_portions_the_figures_are_those_of_reading_all_at_once(
    events: Sequence[tuple[str, str, int]],
) -> None:
    with program() as writes:
        followed = watching(writes.ledger)
        for what, run, number in events:
            if what == "look":
                followed.look(writes.at, at_most(number))
            else:
                writes.act(what, run, number)
        portions = to_the_end(followed, writes.at, lambda: False)
        whole = watching(writes.ledger).look(writes.at)

        assert replace(portions, gone=0) == whole
        measured = {run: measure_run(writes.ledger, run) for run in whole.runs}
        found = [one.measurement for one in measured.values()]
        results = [one for each in found for one in each.results]
        assert {one.tool: one for one in whole.tools} == {
            one.tool: one for one in tools_of(results)
        }
        assert whole.unknown == sum(one.unknown for one in found)
        assert whole.requests.all == sum(one.requests.all for one in found)
        findings = [one for each in found for one in run_checks(each)]
        for each in measured.values():
            findings += [one for session in each.sessions for one in session_findings(session)]
            for gatherer in [make() for make in GATHERERS.values()]:
                for session in each.sessions:
                    gatherer.add(session)
                findings += gatherer.findings()
        assert whole.severities == Counter(one.severity for one in findings)


def test_only_what_is_new_is_read_again() -> None:
    with program() as writes:
        for _ in range(5):
            writes.act("ask", "a", 0)
        followed = watching(writes.ledger)
        followed.look(writes.at)
        live = followed._shown["a"].live
        assert live is not None
        read = live.going.counts["all"]
        writes.act("ask", "a", 0)
        followed.look(writes.at)

        assert (read, live.going.counts["all"]) == (5, 6)


def test_a_look_that_has_had_enough_says_how_much_is_left() -> None:
    with program() as writes:
        for _ in range(5):
            writes.act("ask", "a", 0)

        view = watching(writes.ledger).look(writes.at, at_most(1))

        assert (view.left, view.there) == (3, 5)
        assert view.requests.all == 0, "half a run has no figures"


def test_a_look_that_ends_with_the_last_record_has_not_seen_that_it_was_the_last() -> None:
    with program() as writes:
        writes.act("ask", "a", 0)
        followed = watching(writes.ledger)
        early, late = followed.look(writes.at, at_most(0)), followed.look(writes.at)

        assert (early.left, early.reading, early.requests.all) == (0, True, 0)
        assert (late.reading, late.requests.all) == (False, 1)


def test_now_shows_the_runs_of_the_last_hour_and_counts_the_older_ones() -> None:
    with program() as writes:
        writes.ask("old", 0, at=NOW - 7200)
        writes.ask("fresh", 0, at=NOW - 60)

        view = watching(writes.ledger, since="now").look(NOW)

        assert (view.runs, view.older) == (["fresh"], 1)


def test_now_shows_the_newest_run_where_none_is_of_the_last_hour() -> None:
    with program() as writes:
        writes.ask("older", 0, at=NOW - 9000)
        writes.ask("old", 0, at=NOW - 7200)

        assert watching(writes.ledger, since="now").look(NOW).runs == ["old"]


def test_an_older_run_that_goes_on_is_read_from_its_beginning() -> None:
    with program() as writes:
        writes.ask("old", 0, at=NOW - 7200)
        writes.ask("fresh", 0, at=NOW)
        followed = watching(writes.ledger, since="now")
        followed.look(NOW)
        writes.ask("old", 0, at=NOW + 1)

        view = followed.look(NOW + 1)

        assert (sorted(view.runs), view.requests.all) == (["fresh", "old"], 3)


def test_a_run_that_ended_long_ago_is_let_go_as_soon_as_it_is_measured() -> None:
    with program() as writes:
        writes.ask("old", 0, at=NOW - IDLE - 1)
        writes.ask("fresh", 0, at=NOW)
        followed = watching(writes.ledger)
        view = followed.look(NOW)

        assert (sorted(view.runs), view.requests.all) == (["fresh", "old"], 2)
        assert [run for run, one in followed._shown.items() if one.live is not None] == ["fresh"]


def test_a_run_whose_texts_were_let_go_is_read_again_when_it_goes_on() -> None:
    with program() as writes:
        writes.act("produce", "a", 1)
        writes.act("ask", "a", 1)
        followed = watching(writes.ledger)
        followed.look(writes.at)
        followed.look(writes.at + IDLE + 1)
        assert followed._shown["a"].live is None
        writes.act("ask", "a", 0)

        view = followed.look(writes.at)

        assert view == watching(writes.ledger).look(writes.at)
        assert view.requests.all == 2


def test_one_run_is_followed_alone() -> None:
    with program() as writes:
        followed = watching(writes.ledger, run="b")
        assert followed.look(NOW).runs == []
        writes.act("ask", "a", 0)
        writes.act("ask", "b", 0)

        assert followed.look(writes.at).runs == ["b"]


def test_the_fill_is_the_providers_count_of_the_published_window() -> None:
    with program() as writes:
        writes.ask("a", 0, usage=True)

        (one,) = watching(writes.ledger).look(NOW).newest

        assert (one.tokens, one.by, one.window, one.share) == (64_000, "reported", 128_000, 0.5)


def test_a_window_that_is_not_known_is_not_guessed() -> None:
    with program() as writes:
        writes.ask("a", 4)

        (one,) = watching(writes.ledger).look(NOW).newest

        assert isinstance(one, Fill)
        assert (one.by, one.window, one.share) == ("estimate", None, None)


def test_requests_of_the_last_minute_are_counted_until_it_is_over() -> None:
    with program() as writes:
        writes.ask("a", 0, at=NOW - 59)
        writes.ask("a", 0, at=NOW)
        followed = watching(writes.ledger)

        assert [followed.look(NOW + more).minute for more in (0, 2, 61)] == [2, 1, 0]


def test_the_newest_findings_come_first() -> None:
    with program() as writes:
        writes.act("ask", "a", 3)
        writes.act("ask", "b", 3)

        found = watching(writes.ledger).look(writes.at).findings

        assert [one.at for one in found] == sorted((one.at for one in found), reverse=True)
        assert found[0].finding.session == "b"


def test_a_measurement_that_took_long_is_not_repeated_at_once_and_its_age_is_said() -> None:
    seconds = [0.0]

    def timer() -> float:
        seconds[0] += 1  # so long does everything take
        return seconds[0]

    with program() as writes:
        writes.act("ask", "a", 0)
        followed = Watching(writes.ledger, run=None, since="all", timer=timer)
        first = followed.look(writes.at)
        writes.act("ask", "a", 0)
        early = followed.look(writes.at + 2)
        seconds[0] += 100
        late = followed.look(writes.at + 100)

        assert [one.requests.all for one in (first, early, late)] == [1, 1, 2]
        assert [one.behind for one in (first, early, late)] == [0.0, 3.0, 0.0]


def test_a_ledger_that_was_removed_is_an_error_that_says_so(tmp_path: Path) -> None:
    place = tmp_path / "a.ledger"
    Ledger(place).close()
    with Ledger.read(place) as ledger:
        followed = watching(ledger)
        followed.look(NOW)
        place.unlink()

        with pytest.raises(LedgerError, match="is gone"):
            followed.look(NOW)


def test_a_ledger_in_whose_place_another_one_is_now_is_an_error(tmp_path: Path) -> None:
    place, other = tmp_path / "a.ledger", tmp_path / "b.ledger"
    Ledger(place).close()
    Ledger(other).close()
    with Ledger.read(place) as ledger:
        followed = watching(ledger)
        other.replace(place)

        with pytest.raises(LedgerError, match="replaced by another file"):
            followed.look(NOW)


def test_a_schema_that_became_newer_meanwhile_is_an_error() -> None:
    with program() as writes:
        followed = watching(writes.ledger)
        followed.look(NOW)
        with writes.ledger.session.reading() as db:
            db.execute("PRAGMA user_version = 99")

        with pytest.raises(LedgerError, match="upgrade ullage"):
            followed.look(NOW)


def test_a_run_that_was_taken_out_is_no_longer_shown() -> None:
    with program() as writes:
        writes.ask("old", 0, at=NOW - 100)
        writes.ask("fresh", 0, at=NOW)
        followed = watching(writes.ledger)
        followed.look(NOW)
        prune(writes.ledger.session, Limits(oldest=NOW - 50), NOW)

        view = followed.look(NOW)

        assert (view.runs, view.gone, view.requests.all) == (["fresh"], 1, 1)
