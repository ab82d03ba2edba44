"""What a compaction would have to do: the arithmetic, and what each rule would take."""

import json
from typing import Any

import pytest
from tests.history.spelled import Body, Call, Reply, User, chat

from ullage.counting.count import count
from ullage.history.dry_run import dry_run
from ullage.history.recall import MemoryStore

PROGRESS = "\n".join(f"Downloading pack.whl ({n}%)" for n in range(100)) + "\nexit code: 0"


def words(tokens: int) -> str:
    """A text of exactly so many tokens."""
    text = "word" + " word" * (tokens - 1)
    assert count(text).tokens == tokens
    return text


def tools(tokens: int) -> list[Body]:
    """Tool definitions of exactly so many tokens."""

    def made(length: int) -> list[Body]:
        function = {"name": "look", "description": "word" + " word" * length}
        return [{"type": "function", "function": function}]

    frame = count(json.dumps(made(0)[0], separators=(",", ":"))).tokens
    found = made(tokens - frame)
    size = count(json.dumps(found[0], separators=(",", ":"))).tokens
    assert size == tokens
    return found


def test_the_arithmetic_of_a_window_comes_out() -> None:
    # A window of 128k, 8k fixed, a history of 180k: 120k are left for it, 60k must go.
    messages: list[Body] = [{"role": "user", "content": words(1_000)}]
    messages += [
        {"role": ("assistant", "user")[n % 2], "content": words(1_000)} for n in range(179)
    ]
    body = {"messages": messages, "tools": tools(8_000)}

    found = dry_run(body, 128_000)

    assert (found.fixed, found.history, found.reserve) == (8_000, 180_000, 0)
    assert found.must_remove == 60_000
    assert (found.rules_remove, found.model_needed) == (0, True)


def run_of(results: int) -> Body:
    turns: list[Any] = [User("Install the packs.")]
    for n in range(results):
        turns.append(
            Reply("", (Call("bash", {"command": f"pip install p{n}"}, f"{n}\n{PROGRESS}"),))
        )
    return chat(turns)


def test_what_each_rule_would_take_is_said_and_the_sum_is_what_rules_can_take() -> None:
    found = dry_run(run_of(9), 4_000)

    assert found.rules
    assert sum(one.cost for one in found.rules) == found.rules_remove
    assert {one.rule for one in found.rules} >= {"progress"}
    assert sum(one.results for one in found.rules if one.rule == "progress") == 6
    assert found.after_rules == found.tokens - found.rules_remove
    assert (found.model_needed, found.trim_needed) == (False, False)


@pytest.mark.parametrize(("gate", "needed"), [(None, True), (0.1, True), (50.0, False)])
def test_the_gate_decides_whether_a_model_is_needed(gate: float | None, needed: bool) -> None:
    found = dry_run(run_of(9), 1_000, gate=gate)

    assert found.after_rules > 1_000
    assert (found.model_needed, found.trim_needed) == (needed, not needed)


def test_what_never_leaves_is_measured_alone() -> None:
    pinned = dry_run(run_of(9), 100, protect=["role:tool"])
    plain = dry_run(run_of(9), 100)

    assert pinned.protected > 5_000 > plain.protected
    assert (pinned.possible, plain.possible) == (False, True)


def test_the_largest_parts_are_named_with_their_calls() -> None:
    found = dry_run(run_of(3), 4_000)

    assert found.largest[0].what.startswith('result of bash({"command": "pip install p')
    assert [one.tokens for one in found.largest] == sorted(
        (one.tokens for one in found.largest), reverse=True
    )


def test_nothing_is_kept_and_nobody_is_asked() -> None:
    store = MemoryStore()

    def model(_: object) -> str:
        raise AssertionError("a dry run asks nobody")

    found = dry_run(run_of(9), 1_000, store=store, summariser=model)

    assert found.model_needed
    assert list(store.listing()) == []
