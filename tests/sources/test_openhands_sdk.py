"""Events of the OpenHands SDK, and the logs of its completions."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.sources.agent_files import Record, calls, judged, lines, only, packed, post, pre, texts

from ullage.checks.measure import measure_exchanges
from ullage.sources.files import files_in, read_bytes, read_file
from ullage.sources.record import Damaged
from ullage.transcript.transcript import Transcript
from ullage.wire.exchange import Exchange


def text(said: str) -> list[Record]:
    return [{"type": "text", "text": said, "cache_prompt": False}]


def event(key: str, kind: str, source: str = "agent", **more: object) -> Record:
    return {"id": key, "timestamp": "2026-01-01T00:00:00", "source": source, "kind": kind, **more}


def ran(step: int) -> list[Record]:
    """An action and what came of it: the events `a…` and `o…`."""
    call = {"id": f"call_{step}", "name": "terminal", "arguments": f'{{"command": "run {step}"}}'}
    named = {"tool_name": "terminal", "tool_call_id": f"call_{step}"}
    held = {"content": text(f"out {step}"), "is_error": False, "kind": "TerminalObservation"}
    return [
        event(
            f"a{step}",
            "ActionEvent",
            thought=text(f"I do {step}"),
            action={"command": f"run {step}", "kind": "TerminalAction"},
            tool_call=call,
            llm_response_id=f"r{step}",
            **named,
        ),
        event(
            f"o{step}",
            "ObservationEvent",
            "environment",
            action_id=f"a{step}",
            observation=held,
            **named,
        ),
    ]


BEGIN = [
    event(
        "s", "SystemPromptEvent", system_prompt=text("You fix.")[0], tools=[{"title": "terminal"}]
    ),
    event(
        "u",
        "MessageEvent",
        "user",
        llm_message={"role": "user", "content": text("Fix it.")},
        extended_content=text(" Gently."),
    ),
]
HISTORY = [*BEGIN, *ran(1), *ran(2), *ran(3)]
WHOLE = [
    "You fix.",
    "Fix it. Gently.",
    *(f"{word} {step}" for step in (1, 2, 3) for word in ("I do", "out")),
]


def condensed(key: str, forgotten: Sequence[str], **more: object) -> Record:
    return event(
        key,
        "Condensation",
        "environment",
        forgotten_event_ids=[*forgotten],
        llm_response_id="r",
        **more,
    )


def test_a_conversation_is_its_events() -> None:
    state = event("x", "ConversationStateUpdateEvent", "environment", value={})
    one = only(lines([*HISTORY, state, event("y", "HologramEvent")]))

    assert texts(one, range(8)) == WHOLE
    assert calls(one) == [
        ("terminal", f"out {step}", f'{{"command": "run {step}"}}') for step in (1, 2, 3)
    ]
    assert (one.agent, one.tools, one.records) == ("OpenHands SDK", ("terminal",), 10)
    assert one.unread == {"HologramEvent": 1}


def test_what_was_forgotten_gives_way_to_the_summary() -> None:
    asked = event("q", "CondensationRequest", "environment", reason="context_limit")
    condensation = condensed("c1", ["a1", "o1", "a2", "o2"], summary="Ran 1, 2.", summary_offset=2)
    one = only(lines([*HISTORY, asked, condensation, *ran(4)]))

    assert pre(one) == WHOLE
    assert post(one) == ["You fix.", "Fix it. Gently.", "Ran 1, 2.", "I do 3", "out 3"]
    (compaction,) = one.compactions
    assert (compaction.act, compaction.trigger) == ("summarise", "context_limit")
    assert texts(one, one.context(len(one.entries)))[-2:] == ["I do 4", "out 4"]


@pytest.mark.parametrize("named", [True, False], ids=["by its name", "by a random id"])
def test_an_older_summary_is_forgotten_with_what_it_stands_among(named: bool) -> None:
    first = condensed("c1", ["a1", "o1"], summary="Ran 1.", summary_offset=2)
    old = "c1-summary" if named else "6f1e0c9a"
    second = condensed("c2", [old, "a2", "o2"], summary="Ran 1, 2.", summary_offset=2)
    one = only(lines([*HISTORY, first, *ran(4), second]))

    assert pre(one, 1) == [
        "You fix.",
        "Fix it. Gently.",
        "Ran 1.",
        *(f"{word} {step}" for step in (2, 3, 4) for word in ("I do", "out")),
    ]
    assert post(one, 1) == [
        "You fix.",
        "Fix it. Gently.",
        "Ran 1, 2.",
        *(f"{word} {step}" for step in (3, 4) for word in ("I do", "out")),
    ]


def test_a_condensation_without_a_summary_only_trims() -> None:
    one = only(lines([*HISTORY, condensed("c1", ["a1", "o1"])]))

    assert one.compactions[0].act == "trim"
    assert post(one) == [*WHOLE[:2], *WHOLE[4:]]


def test_errors_and_refusals_are_results_that_failed() -> None:
    named = {"tool_name": "terminal", "tool_call_id": "call_1"}
    failed = event("e", "AgentErrorEvent", error="no such tool", **named)
    refused = event("r", "UserRejectObservation", rejection_reason="no", **named)
    one = only(lines([*HISTORY[:3], failed, refused]))

    assert [text for _, text, _ in calls(one)] == ["no such tool", "Action rejected: no"]
    assert [entry.failed for entry in one.entries[-2:]] == [True, True]


def test_the_call_that_ends_a_run_is_the_answer() -> None:
    finish = event(
        "f",
        "ActionEvent",
        thought=[],
        tool_name="finish",
        tool_call_id="c",
        tool_call={"id": "c", "name": "finish", "arguments": "{}"},
        action={"message": "All is mended.", "kind": "FinishAction"},
    )
    one = only(lines([*HISTORY, finish]))

    assert judged(one).answer == 8
    assert one.entries[8].message.text == "All is mended."


def conversation(folder: Path) -> Path:
    """Write a conversation as the SDK keeps it: a folder with a file for each event."""
    events = folder / "c0ffee" / "events"
    events.mkdir(parents=True)
    for number, one in enumerate(HISTORY):
        name = f"event-{number:05}-{number:08x}-0000.json"
        (events / name).write_bytes(packed(one))
    return folder / "c0ffee"


def found_in(folder: Path) -> list[object]:
    return [one for path in files_in(folder) for one in read_file(path).records]


def test_a_folder_of_event_files_is_one_conversation(tmp_path: Path) -> None:
    folder = conversation(tmp_path)

    (one,) = found_in(folder)

    assert isinstance(one, Transcript)
    assert (one.session, one.records) == ("c0ffee", 8)
    assert texts(one, range(8)) == WHOLE
    assert len({entry.source.path for entry in one.entries}) == 8


def test_a_torn_event_file_is_told_and_the_others_are_read(tmp_path: Path) -> None:
    folder = conversation(tmp_path)
    torn = sorted((folder / "events").iterdir())[3]
    torn.write_bytes(torn.read_bytes()[:50])

    damaged, one = found_in(folder / "events")[:2]

    assert isinstance(damaged, Damaged)
    assert isinstance(one, Transcript)
    assert len(one.entries) == 7


def log(step: int, *, calling: bool) -> Record:
    """The log of a completion, whose prompt holds the results of the steps before it."""
    raw: list[Record] = [{"role": "user", "content": "Fix it."}]
    sent: list[Record] = [{"role": "user", "content": "Fix it. PLEASE follow the format."}]
    for one in range(step):
        function = {"name": "terminal", "arguments": f'{{"command": "run {one}"}}'}
        call = {"id": f"call_{one}", "type": "function", "function": function}
        raw += [
            {"role": "assistant", "content": "I look.", "tool_calls": [call]},
            {
                "role": "tool",
                "name": "terminal",
                "tool_call_id": f"call_{one}",
                "content": f"{one}",
            },
        ]
        sent += [
            {"role": "assistant", "content": f"I look.\n<function=terminal>{one}</function>"},
            {"role": "user", "content": f"EXECUTION RESULT of [terminal]:\n{one}"},
        ]
    message = {"role": "assistant", "content": "Done."}
    reply = {
        "id": f"r{step}",
        "model": "gpt-4o",
        "object": "chat.completion",
        "choices": [{"index": 0, "finish_reason": "stop", "message": message}],
        "usage": {"prompt_tokens": 100, "completion_tokens": 7},
    }
    prompts: Record = {"messages": raw} if calling else {"messages": sent, "raw_messages": raw}
    more = {"tools": [], "kwargs": {}, "context_window": 65_536, "cost": 0.1, "latency_sec": 1.5}
    return {**prompts, **more, "response": reply, "timestamp": 1_757_015_000.5 + step}


@pytest.mark.parametrize("calling", [True, False])
def test_a_folder_of_completions_is_its_prompts_in_their_order(
    tmp_path: Path,
    calling: bool,
) -> None:
    for step in range(4):
        name = f"litellm_proxy__gpt-4o-{1_757_015_000 + step}.972.json"
        (tmp_path / name).write_bytes(packed(log(step, calling=calling)))

    found = [one for one in found_in(tmp_path) if isinstance(one, Exchange)]
    (session,) = measure_exchanges(iter(found)).sessions

    assert [one.number for one in found] == [1, 2, 3, 4]
    assert session.window == 65_536
    wrapped = "" if calling else "EXECUTION RESULT of [terminal]:\n"
    assert [(one.tool, one.text) for one in session.results] == [
        ("terminal", f"{wrapped}{step}") for step in range(3)
    ]


def test_a_log_without_its_raw_messages_shows_its_results_by_their_first_words() -> None:
    document = {**log(2, calling=False), "raw_messages": None}
    (exchange,) = read_records(document)

    assert isinstance(exchange, Exchange)
    assert exchange.request is not None
    assert [one.name for one in exchange.request.messages if one.role == "tool"] == [
        "terminal",
        "terminal",
    ]


def read_records(document: object) -> list[object]:
    return list(read_bytes(packed(document), "x").records)
