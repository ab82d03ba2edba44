"""Losses that show in requests and replies, as files of recorded exchanges; and look-alikes."""

import json
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from pairs import Files, Maker, Pair
from payloads import result
from words import ENDS, LANGUAGES, NEXT, TASKS, fill, noun, sentence

CHAT = "https://api.test/v1/chat/completions"
MESSAGES = "https://api.test/v1/messages"
RESPONSES = "https://api.test/v1/responses"
Body = dict[str, Any]
Step = tuple[str, Body, Any]
"""A URL, a request, and its reply: an object, or the text of a stream."""


def file(steps: Sequence[Step]) -> Files:
    """Write exchanges down, one a line."""
    lines = [
        json.dumps({"request": {"url": url, "body": asked}, "response": {"body": reply}})
        for url, asked, reply in steps
    ]
    return ["\n".join(lines).encode()]


def message(role: str, text: str) -> Body:
    """Return one message."""
    return {"role": role, "content": text}


def called(call_id: str, name: str, arguments: str) -> Body:
    """Return a message with one call."""
    function = {"name": name, "arguments": arguments}
    calls = [{"id": call_id, "type": "function", "function": function}]
    return {"role": "assistant", "content": None, "tool_calls": calls}


def history(draw: Random, turns: int, language: str) -> list[Body]:
    """Return a conversation of a chat, whole, that ends with a question."""
    out = [message("system", f"You are the {noun(draw)} desk. {sentence(draw)} {sentence(draw)}")]
    out.append(message("user", fill(draw, TASKS, language)))
    for turn in range(turns):
        for number in range(draw.randrange(0, 3)):
            one = f"call_{turn}_{number}_{draw.getrandbits(24):06x}"
            out.append(
                called(
                    one, "read_file", json.dumps({"path": f"src/{noun(draw)}_{turn}_{number}.py"})
                )
            )
            out.append({"role": "tool", "tool_call_id": one, "content": result(draw)})
        out.append(message("assistant", f"{fill(draw, ENDS, language)} {draw.randrange(10**6)}"))
        out.append(message("user", f"{fill(draw, NEXT, language)} {draw.randrange(10**6)}"))
    return out


def answer(said: Mapping[str, Any], finish: str = "stop", usage: Body | None = None) -> Body:
    """Return a reply of a chat."""
    reply: Body = {
        "object": "chat.completion",
        "choices": [
            {"index": 0, "finish_reason": finish, "message": {"role": "assistant", **said}}
        ],
    }
    return {**reply, "usage": usage} if usage else reply


def chats(
    draw: Random, change: Any, *, turns: int | None = None, model: str = "gpt-4o"
) -> list[Step]:
    """Go through a conversation request by request; `change` alters what a request carries."""
    whole = history(draw, turns or draw.randrange(4, 9), draw.choice(LANGUAGES))
    steps: list[Step] = []
    for at, one in enumerate(whole):
        if one["role"] != "assistant":
            continue
        said = {key: value for key, value in one.items() if key != "role"}
        finish = "tool_calls" if one.get("tool_calls") else "stop"
        asked = {"model": model, "messages": change(whole[:at])}
        steps.append((CHAT, asked, answer(said, finish)))
    return steps


def whole_history(messages: list[Body]) -> list[Body]:
    """Change nothing."""
    return messages


def trimmed(draw: Random) -> Files:
    """Send the newest turns only.

    One at the least besides the question: a request with nothing else is a new conversation's.
    """
    keep = draw.randrange(2, 4)

    def change(messages: list[Body]) -> list[Body]:
        users = [at for at, one in enumerate(messages) if one["role"] == "user"]
        begin = users[-keep] if len(users) > keep else 1
        return [messages[0], *messages[begin:]]

    return file(chats(draw, change, turns=draw.randrange(5, 10)))


def grown(draw: Random) -> Files:
    """Send all each time."""
    return file(chats(draw, whole_history))


def system_short(draw: Random) -> Files:
    """Cut the system text of later requests, or leave it out."""
    share, after = draw.choice((0, 0.3, 0.6)), draw.randrange(4, 9)

    def change(messages: list[Body]) -> list[Body]:
        if len(messages) < after:
            return messages
        text = messages[0]["content"]
        head = [message("system", text[: int(share * len(text))])] if share else []
        return [*head, *messages[1:]]

    return file(chats(draw, change, turns=6))


def prefix_changed(draw: Random) -> Files:
    """Write the time, or a number, into the front of each request."""
    old = draw.random() < 0.5
    count = iter(range(10**6))

    def change(messages: list[Body]) -> list[Body]:
        number = next(count)
        if old or len(messages) < 3:
            head = message("system", f"It is now 12:{number:02}. {messages[0]['content']}")
            return [head, *messages[1:]]
        return [messages[0], message("user", f"{messages[1]['content']} ({number})"), *messages[2:]]

    return file(chats(draw, change))


def short_served(draw: Random, *, short: bool) -> Files:
    """Have a server read a part of the prompt only, or all of it as it counts."""
    text = " ".join(sentence(draw) for _ in range(draw.randrange(300, 900)))
    tokens = len(text) // 4
    asked = {"model": "gpt-4o", "messages": [message("user", text)]}
    read = int(tokens * draw.uniform(0.05, 0.4)) if short else int(tokens * draw.uniform(0.95, 1.3))
    usage = {"prompt_tokens": read, "completion_tokens": 9}
    return file([(CHAT, asked, answer({"content": "I see."}, usage=usage))])


def one_reply(draw: Random, url: str, reply: Any, **more: Any) -> Files:
    """Return a conversation whose last request has a reply of its own."""
    steps = chats(draw, whole_history, turns=draw.randrange(1, 4))
    asked: Body = {"model": "gpt-4o", "messages": history(draw, 1, "en"), **more}
    if url == RESPONSES:
        asked = {"model": "gpt-4o", "input": sentence(draw), **more}
    if url == MESSAGES:
        asked = {
            "model": "claude-sonnet-4-5",
            "max_tokens": 900,
            **asked,
            "messages": [message("user", "x")],
        }
    return file([*steps, (url, asked, reply)])


def anthropic(stop: str, *content: Body, **more: Any) -> Body:
    """Return a reply of Anthropic."""
    usage = {"input_tokens": 9, "output_tokens": 5}
    return {
        "type": "message",
        "role": "assistant",
        "content": list(content),
        "stop_reason": stop,
        "usage": usage,
        **more,
    }


def text_block(text: str) -> Body:
    """Return a block of text."""
    return {"type": "text", "text": text}


def responded(status: str, *output: Body, **more: Any) -> Body:
    """Return a reply of the Responses API."""
    return {"object": "response", "status": status, "output": list(output), **more}


def said(text: str) -> Body:
    """Return a message of the Responses API."""
    return {
        "type": "message",
        "role": "assistant",
        "content": [{"type": "output_text", "text": text}],
    }


LIMIT: Body = {"incomplete_details": {"reason": "max_output_tokens"}}


def limited(draw: Random, *, empty: bool) -> Files:
    """Stop at the output limit, with something written or nothing."""
    text = "" if empty else sentence(draw)
    url, reply = draw.choice(
        (
            (CHAT, answer({"content": text or None}, "length")),
            (MESSAGES, anthropic("max_tokens", *([text_block(text)] if text else []))),
            (RESPONSES, responded("incomplete", *([said(text)] if text else []), **LIMIT)),
        )
    )
    return one_reply(draw, url, reply)


def ended(draw: Random) -> Files:
    """End as it should."""
    text = sentence(draw) + draw.choice(("", " and so on...", " (cut)"))
    call = {"type": "tool_use", "id": "t1", "name": "read", "input": {"path": "a"}}
    url, reply = draw.choice(
        (
            (CHAT, answer({"content": text})),
            (
                CHAT,
                answer(
                    {
                        key: value
                        for key, value in called("c", "read", '{"a": 1}').items()
                        if key != "role"
                    },
                    "tool_calls",
                ),
            ),
            (MESSAGES, anthropic("end_turn", text_block(text))),
            (MESSAGES, anthropic("tool_use", call)),
            (RESPONSES, responded("completed", said(text))),
            (CHAT, stream(draw, whole=True)),
        )
    )
    return one_reply(draw, url, reply)


def empty_reply(draw: Random) -> Files:
    """End as it should, with nothing written."""
    url, reply = draw.choice(
        (
            (CHAT, answer({"content": draw.choice(("", " ", None, "\n"))})),
            (MESSAGES, anthropic("end_turn")),
            (RESPONSES, responded("completed", {"type": "reasoning", "summary": []})),
        )
    )
    return one_reply(draw, url, reply)


def stopped(draw: Random) -> Files:
    """Be ended by a filter or a refusal."""
    url, reply = draw.choice(
        (
            (CHAT, answer({"content": sentence(draw)}, "content_filter")),
            (MESSAGES, anthropic("refusal", text_block(sentence(draw)))),
            (MESSAGES, anthropic("pause_turn", text_block(sentence(draw)))),
        )
    )
    return one_reply(draw, url, reply)


def malformed(draw: Random) -> Files:
    """Write arguments that do not parse, and stop as it should."""
    bad = draw.choice(('{"path": "a" "b"}', "{'path': 'a'}", '{"path": a.py}', '{"path": "a",, }'))
    call = {key: value for key, value in called("c", "read", bad).items() if key != "role"}
    return one_reply(draw, CHAT, answer(call, "tool_calls"))


def stream(draw: Random, *, whole: bool) -> str:
    """Return the events of a streamed reply, to their end or not."""
    deltas: list[Body] = [{"role": "assistant", "content": ""}]
    deltas += [{"content": word + " "} for word in sentence(draw).split()]
    rows = [{"choices": [{"index": 0, "delta": one, "finish_reason": None}]} for one in deltas]
    rows.append({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]})
    head = {"object": "chat.completion.chunk", "id": "c1", "model": "gpt-4o"}
    lines = [f"data: {json.dumps({**head, **one})}\n\n" for one in rows]
    if whole:
        return "".join(lines) + "data: [DONE]\n\n"
    return "".join(lines[: draw.randrange(2, len(lines) - 1)])


def torn(draw: Random) -> Files:
    """Break off a stream."""
    return one_reply(draw, CHAT, stream(draw, whole=False), stream=True)


def ignored(draw: Random) -> Files:
    """Have a reply contradict a setting."""
    more, reply = draw.choice(
        (
            (
                {"max_tokens": 5},
                answer(
                    {"content": sentence(draw)},
                    usage={"prompt_tokens": 9, "completion_tokens": 900},
                ),
            ),
            (
                {"tool_choice": "none"},
                answer(
                    {"content": None, "tool_calls": called("c", "f", "{}")["tool_calls"]},
                    "tool_calls",
                ),
            ),
            (
                {"response_format": {"type": "json_object"}},
                answer({"content": f"Sure: {sentence(draw)}"}),
            ),
            ({"stream": True}, answer({"content": sentence(draw)})),
        )
    )
    return one_reply(draw, CHAT, reply, **more)


def obeyed(draw: Random) -> Files:
    """Have a reply that fits the settings."""
    usage = {"prompt_tokens": 9, "completion_tokens": 90}
    more, reply = draw.choice(
        (
            ({"max_tokens": 500}, answer({"content": sentence(draw)}, usage=usage)),
            ({"tool_choice": "auto"}, answer({"content": sentence(draw)})),
            ({"response_format": {"type": "json_object"}}, answer({"content": '{"a": 1}'})),
            ({"stream": True}, stream(draw, whole=True)),
        )
    )
    return one_reply(draw, CHAT, reply, **more)


def edited(draw: Random) -> Files:
    """Have the server clear or summarise what the request still shows."""
    clear = {
        "type": "clear_tool_uses_20250919",
        "cleared_tool_uses": draw.randrange(1, 30),
        "cleared_input_tokens": 9_000,
    }
    reply = draw.choice(
        (
            anthropic("end_turn", text_block("a"), context_management={"applied_edits": [clear]}),
            anthropic("end_turn", {"type": "compaction", "content": "Summary"}, text_block("a")),
        )
    )
    return one_reply(draw, MESSAGES, reply)


def unseen(draw: Random) -> Files:
    """Go on from what the server keeps."""
    more = draw.choice(({"previous_response_id": "resp_1"}, {"conversation": "conv_1"}))
    return one_reply(draw, RESPONSES, responded("completed", said(sentence(draw))), **more)


def copied_mark(draw: Random, *, mark: bool) -> Files:
    """Write a file that ends with a mark of a cut; or one that speaks of cutting."""
    text = result(draw, 900, ["code", "prose", "markdown"])
    marks = (
        "[...truncated, 3,120 characters omitted]",
        "... [output truncated: 812 more lines]",
        "[4096 characters omitted]",
    )
    end = draw.choice(marks) if mark else draw.choice(("", "# truncate later", "print('...')"))
    arguments = json.dumps({"path": f"{noun(draw)}.md", "content": f"{text}\n{end}"})
    call = {
        key: value for key, value in called("c9", "write_file", arguments).items() if key != "role"
    }
    return one_reply(draw, CHAT, answer(call, "tool_calls"))


def damaged(draw: Random, *, torn_line: bool) -> Files:
    """Tear a line of a log."""
    (data,) = grown(draw)
    lines = bytes(data).split(b"\n") if isinstance(data, bytes) else []
    if torn_line:
        at = draw.randrange(len(lines))
        half = lines[at][: draw.randrange(20, len(lines[at]) - 5)]
        lines[at] = draw.choice((half, half + lines[at], b"\0" * 40))
    return [b"\n".join(lines) + b"\n"]


def with_flag(make: Any, **flags: bool) -> Maker:
    """Return a maker with its switches set."""
    return lambda draw: make(draw, **flags)


PAIRS = (
    Pair(check="message-lost", kind="in requests", loss=trimmed, alike=grown),
    Pair(check="system-shortened", kind="in requests", loss=system_short, alike=grown),
    Pair(check="prefix-broken", loss=prefix_changed, alike=grown),
    Pair(
        check="served-short",
        loss=with_flag(short_served, short=True),
        alike=with_flag(short_served, short=False),
    ),
    Pair(check="output-cut", loss=with_flag(limited, empty=False), alike=ended),
    Pair(check="output-cut-empty", loss=with_flag(limited, empty=True), alike=ended),
    Pair(check="output-empty", loss=empty_reply, alike=ended),
    Pair(check="output-stopped", loss=stopped, alike=ended),
    Pair(check="arguments-malformed", loss=malformed, alike=ended),
    Pair(check="stream-incomplete", loss=torn, alike=ended),
    Pair(check="setting-ignored", loss=ignored, alike=obeyed),
    Pair(check="context-edited", loss=edited, alike=ended),
    Pair(check="prefix-unknown", loss=unseen, alike=ended),
    Pair(
        check="mark-in-arguments",
        loss=with_flag(copied_mark, mark=True),
        alike=with_flag(copied_mark, mark=False),
    ),
    Pair(
        check="damaged-line",
        loss=with_flag(damaged, torn_line=True),
        alike=with_flag(damaged, torn_line=False),
    ),
)
