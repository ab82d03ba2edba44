"""How replies of every shape ended, and what they cost: each case by hand."""

from typing import Any

import pytest
from tests.wire.bodies import CALLED, body, candidate, response, said

from ullage.wire import counted
from ullage.wire.readers import ANTHROPIC, CHAT, GEMINI, RESPONSES
from ullage.wire.reply import AppliedEdit, Reply


def chat(finish: str | None, **message: Any) -> Reply:
    choice = {"index": 0, "finish_reason": finish, "message": {"role": "assistant", **message}}
    return CHAT.read_reply(body({"choices": [choice]}))


def responses(*output: Any, status: str = "completed", **more: Any) -> Reply:
    return RESPONSES.read_reply(body(response(status, output=list(output), **more)))


def messages(stop: str | None, *content: Any, **more: Any) -> Reply:
    document = {"type": "message", "content": list(content), "stop_reason": stop, **more}
    return ANTHROPIC.read_reply(body(document))


def gem(finish: str | None, *parts: Any, **more: Any) -> Reply:
    return GEMINI.read_reply(body(candidate(*parts, finish=finish, **more)))


def call(arguments: Any) -> dict[str, Any]:
    return {"id": "c", "type": "function", "function": {"name": "f", "arguments": arguments}}


TEXT = {"type": "text", "text": "a"}
USE = {"type": "tool_use", "id": "c", "name": "f", "input": {"a": 1}}
CUT_CALL = {**CALLED, "arguments": '{"a'}
LIMIT = {"incomplete_details": {"reason": "max_output_tokens"}}
FILTER = {"incomplete_details": {"reason": "content_filter"}}


@pytest.mark.parametrize(
    ("reply", "label"),
    [
        (chat("stop", content="a"), "complete"),
        (chat("tool_calls", content=None, tool_calls=[call("{}")]), "complete"),
        (chat("tool_calls", content=None, tool_calls=[call("")]), "complete"),
        (chat("function_call", function_call={"name": "f", "arguments": "{}"}), "complete"),
        (chat("stop", content=None, refusal="I cannot"), "complete"),
        (chat("stop", content=None, audio={"data": "x"}), "complete"),
        (chat("length", content="a"), "cut-by-limit"),
        (chat("length", content=None), "cut-by-limit"),
        (chat("length", content=None, tool_calls=[call('{"a')]), "cut-by-limit"),
        (chat("content_filter", content="a"), "cut-by-server"),
        (chat("tool_calls", content=None, tool_calls=[call('{"a": two"}')]), "malformed"),
        (chat("stop", content=" \n"), "empty"),
        (chat("stop", content=None, reasoning_content="long thoughts"), "empty"),
        (CHAT.read_reply(b'{"choices": []}'), "malformed"),
        (CHAT.read_reply(b'{"error": "no"}'), "cut-by-server"),
        (responses(said("a")), "complete"),
        (responses(CALLED), "complete"),
        (responses({**CALLED, "type": "custom_tool_call", "input": "*** patch"}), "complete"),
        (responses({"type": "image_generation_call"}), "complete"),
        (responses(said("a"), status="incomplete", **LIMIT), "cut-by-limit"),
        (responses(CUT_CALL, status="incomplete", **LIMIT), "cut-by-limit"),
        (responses(said("a"), status="incomplete", **FILTER), "cut-by-server"),
        (responses(status="failed", error={"message": "x"}), "cut-by-server"),
        (responses(status="cancelled"), "cut-by-server"),
        (responses(CUT_CALL), "malformed"),
        (responses({"type": "reasoning", "summary": []}), "empty"),
        (responses(status="queued"), "empty"),
        (messages("end_turn", TEXT), "complete"),
        (messages("stop_sequence", TEXT), "complete"),
        (messages("tool_use", USE), "complete"),
        (messages("tool_use", {**USE, "input": {}}), "complete"),
        (messages("max_tokens", TEXT), "cut-by-limit"),
        (messages("model_context_window_exceeded", TEXT), "cut-by-limit"),
        (messages("pause_turn", {"type": "server_tool_use", "id": "s"}), "cut-by-server"),
        (messages("refusal", TEXT), "cut-by-server"),
        (messages("compaction", {"type": "compaction", "content": "S"}), "cut-by-server"),
        (messages("end_turn"), "empty"),
        (messages("end_turn", {"type": "thinking", "thinking": "long"}), "empty"),
        (ANTHROPIC.read_reply(b'{"type": "error", "error": {"message": "x"}}'), "cut-by-server"),
        (gem("STOP", {"text": "a"}), "complete"),
        (gem("STOP", {"functionCall": {"name": "f"}}), "complete"),
        (gem("STOP", {"inlineData": {"mimeType": "image/png"}}), "complete"),
        (gem("MAX_TOKENS", {"text": "a"}), "cut-by-limit"),
        (gem("MAX_TOKENS"), "cut-by-limit"),
        (gem("SAFETY"), "cut-by-server"),
        (gem("A_WORD_OF_TOMORROW", {"text": "a"}), "cut-by-server"),
        (gem("MALFORMED_FUNCTION_CALL"), "malformed"),
        (gem("STOP", {"text": "x", "thought": True}), "empty"),
        (gem("STOP", {"thoughtSignature": "x"}), "empty"),
        (GEMINI.read_reply(body({"promptFeedback": {"blockReason": "OTHER"}})), "cut-by-server"),
        (GEMINI.read_reply(body([{"error": {"message": "x"}}])), "cut-by-server"),
    ],
)
def test_a_reply_is_labelled(reply: Reply, label: str) -> None:
    assert reply.label == label
    assert reply.not_understood == 0


def test_arguments_that_do_not_parse_are_named() -> None:
    reply = chat("tool_calls", tool_calls=[call("{}"), call('{"a": two"}')])

    assert [one.arguments for one in reply.malformed_calls] == ['{"a": two"}']
    assert not reply.calls_usable


def test_what_is_thought_is_counted_and_is_no_answer() -> None:
    thought = {"type": "reasoning", "summary": [{"type": "summary_text", "text": "12345"}]}

    for reply in (
        chat("stop", content="a", reasoning_content="12345"),
        responses(thought, said("a")),
        messages("end_turn", {"type": "thinking", "thinking": "12345"}, TEXT),
        gem("STOP", {"text": "12345", "thought": True}, {"text": "a"}),
    ):
        assert (reply.reasoning_chars, reply.message.text) == (5, "a")


def test_a_word_or_a_block_of_tomorrow_is_counted_and_does_not_raise() -> None:
    assert chat("because", content="a").not_understood == 1
    assert messages("because", TEXT, {"type": "song"}).not_understood == 2
    assert responses(said("a"), {"type": "song"}).not_understood == 1
    assert gem("STOP", {"text": "a"}, {"song": 1}).not_understood == 1


def test_usage_is_all_that_was_read_and_written() -> None:
    details = {"cached_tokens": 40}
    reasoning = {"reasoning_tokens": 5}
    usage: Any = {
        "prompt_tokens": 90,
        "prompt_tokens_details": details,
        "completion_tokens": 12,
        "completion_tokens_details": reasoning,
    }
    document = {"choices": [{"message": {"content": "a"}, "finish_reason": "stop"}], "usage": usage}
    found = CHAT.read_reply(body(document)).usage
    assert found is not None
    assert (found.input, found.output, found.cached, found.reasoning) == (90, 12, 40, 5)

    usage = {
        "input_tokens": 30,
        "cache_creation_input_tokens": 20,
        "cache_read_input_tokens": 40,
        "output_tokens": 12,
    }
    found = messages("end_turn", TEXT, usage=usage).usage
    assert found is not None
    assert (found.input, found.cached, found.cache_written, found.output) == (90, 40, 20, 12)

    usage = {
        "promptTokenCount": 80,
        "toolUsePromptTokenCount": 10,
        "candidatesTokenCount": 7,
        "thoughtsTokenCount": 5,
    }
    found = gem("STOP", {"text": "a"}, usageMetadata=usage).usage
    assert found is not None
    assert (found.input, found.output, found.reasoning) == (90, 12, 5)


def test_a_reply_without_usage_has_none() -> None:
    assert chat("stop", content="a").usage is None
    assert messages("end_turn", TEXT).usage is None


PASSES = [
    {"type": "compaction", "input_tokens": 100, "cache_read_input_tokens": 55_000},
    {"type": "message", "input_tokens": 229, "output_tokens": 5},
]


def test_a_compaction_is_told_by_its_block_and_its_pass_and_the_passes_are_summed() -> None:
    block = {"type": "compaction", "content": "The user asked for hello."}
    usage = {"input_tokens": 229, "output_tokens": 5, "iterations": PASSES}

    reply = messages("end_turn", block, TEXT, usage=usage, context_management={"applied_edits": []})

    assert reply.applied_edits == ()
    assert reply.compaction is not None
    assert (reply.compaction.blocks, reply.compaction.iterations) == (1, 1)
    assert reply.compaction.text == "The user asked for hello."
    assert reply.message.text == "a"
    assert reply.usage is not None
    assert reply.usage.input == 55_329


def test_a_pass_alone_shows_a_compaction() -> None:
    reply = messages("end_turn", TEXT, usage={"input_tokens": 1, "iterations": PASSES})

    assert reply.compaction is not None
    assert (reply.compaction.blocks, reply.compaction.iterations) == (0, 1)


def test_edits_that_the_server_applied_are_read() -> None:
    edit = {
        "type": "clear_tool_uses_20250919",
        "cleared_tool_uses": 8,
        "cleared_input_tokens": 50_000,
    }

    reply = messages("end_turn", TEXT, context_management={"applied_edits": [edit]})

    assert reply.applied_edits == (
        AppliedEdit(
            kind="clear_tool_uses_20250919", cleared_tool_uses=8, cleared_input_tokens=50_000
        ),
    )


def test_a_compacted_history_is_no_answer() -> None:
    kept = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "task"}]}
    item = {"type": "compaction", "encrypted_content": "x"}

    reply = RESPONSES.read_reply(body({"object": "response.compaction", "output": [kept, item]}))

    assert (reply.label, reply.message.text) == ("complete", "")
    assert reply.compaction is not None
    assert (reply.compaction.blocks, reply.compaction.text) == (1, None)


def test_the_settings_that_a_reply_repeats_are_kept() -> None:
    reply = responses(said("a"), truncation="auto", reasoning={"effort": "low"})

    assert (reply.echoes["truncation"], reply.echoes["reasoning.effort"]) == ("auto", "low")


def test_a_background_reply_that_is_still_to_come_is_pending() -> None:
    assert responses(status="in_progress").pending
    assert not responses(said("a")).pending


@pytest.mark.parametrize("document", [{"input_tokens": 7}, {"totalTokens": 7}])
def test_a_count_is_read_as_usage(document: Any) -> None:
    reply = counted.read_reply(body(document))

    assert reply.usage is not None
    assert (reply.usage.input, reply.label) == (7, "complete")


def test_a_count_that_was_refused_is_the_server_s() -> None:
    reply = counted.read_reply(body({"error": {"message": "no such model"}}))

    assert (reply.label, reply.error, reply.usage) == ("cut-by-server", "no such model", None)
