"""Histories made for tests, told once and written in the words of each provider."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Body = dict[str, Any]


@dataclass(frozen=True)
class Call:
    """A call of a tool and what it returned; None where the result is missing."""

    name: str
    arguments: Mapping[str, Any]
    result: str | None


@dataclass(frozen=True)
class User:
    """What a user said."""

    text: str


@dataclass(frozen=True)
class Reply:
    """What a model said, and its calls, at once."""

    text: str
    calls: tuple[Call, ...] = ()


Turn = User | Reply
SYSTEM = "You run the moves of a shop."


def chat(turns: Sequence[Turn]) -> Body:
    """OpenAI's chat completions."""
    messages: list[Body] = [{"role": "system", "content": SYSTEM}]
    for at, one in enumerate(turns):
        if isinstance(one, User):
            messages.append({"role": "user", "content": one.text})
            continue
        reply: Body = {"role": "assistant", "content": one.text}
        if one.calls:
            reply["tool_calls"] = [
                {
                    "id": f"c{at}-{n}",
                    "type": "function",
                    "function": {"name": call.name, "arguments": json.dumps(call.arguments)},
                }
                for n, call in enumerate(one.calls)
            ]
        messages.append(reply)
        messages += [
            {"role": "tool", "tool_call_id": f"c{at}-{n}", "content": call.result}
            for n, call in enumerate(one.calls)
            if call.result is not None
        ]
    return {"model": "gpt-4o", "messages": messages}


def responses(turns: Sequence[Turn]) -> Body:
    """OpenAI's Responses."""
    items: list[Body] = []
    for at, one in enumerate(turns):
        if isinstance(one, User):
            items.append({"type": "message", "role": "user", "content": one.text})
            continue
        if one.text:
            said = [{"type": "output_text", "text": one.text}]
            items.append({"type": "message", "role": "assistant", "content": said})
        items += [
            {
                "type": "function_call",
                "call_id": f"c{at}-{n}",
                "name": call.name,
                "arguments": json.dumps(call.arguments),
            }
            for n, call in enumerate(one.calls)
        ]
        items += [
            {"type": "function_call_output", "call_id": f"c{at}-{n}", "output": call.result}
            for n, call in enumerate(one.calls)
            if call.result is not None
        ]
    return {"model": "gpt-4o", "instructions": SYSTEM, "input": items}


def anthropic(turns: Sequence[Turn]) -> Body:
    """Anthropic's messages: the results of a reply stand in one message of the user's."""
    messages: list[Body] = []
    for at, one in enumerate(turns):
        if isinstance(one, User):
            messages.append({"role": "user", "content": one.text})
            continue
        blocks: list[Body] = [{"type": "text", "text": one.text}] if one.text else []
        blocks += [
            {"type": "tool_use", "id": f"c{at}-{n}", "name": call.name, "input": call.arguments}
            for n, call in enumerate(one.calls)
        ]
        messages.append({"role": "assistant", "content": blocks or one.text})
        results = [
            {"type": "tool_result", "tool_use_id": f"c{at}-{n}", "content": call.result}
            for n, call in enumerate(one.calls)
            if call.result is not None
        ]
        if results:
            messages.append({"role": "user", "content": results})
    return {"model": "claude-sonnet-4-5", "system": SYSTEM, "messages": messages}


def gemini(turns: Sequence[Turn]) -> Body:
    """Gemini's contents: calls have no ids, results stand in one message, in order."""
    contents: list[Body] = []
    for one in turns:
        if isinstance(one, User):
            contents.append({"role": "user", "parts": [{"text": one.text}]})
            continue
        parts: list[Body] = [{"text": one.text}] if one.text else []
        parts += [
            {"functionCall": {"name": call.name, "args": call.arguments}} for call in one.calls
        ]
        contents.append({"role": "model", "parts": parts or [{"text": ""}]})
        results = [
            {"functionResponse": {"name": call.name, "response": {"result": call.result}}}
            for call in one.calls
            if call.result is not None
        ]
        if results:
            contents.append({"role": "user", "parts": results})
    return {"systemInstruction": {"parts": [{"text": SYSTEM}]}, "contents": contents}


SPELLINGS: Mapping[str, Callable[[Sequence[Turn]], Body]] = {
    "openai-chat": chat,
    "openai-responses": responses,
    "anthropic": anthropic,
    "gemini": gemini,
}
LISTS = {
    "openai-chat": "messages",
    "openai-responses": "input",
    "anthropic": "messages",
    "gemini": "contents",
}


def messages_of(body: Body) -> list[Body]:
    """The messages of a body."""
    found: list[Body] = next(
        body[name] for name in ("messages", "input", "contents") if name in body
    )
    return found


def size(messages: object) -> int:
    """The characters of messages as compact JSON."""
    return len(json.dumps(messages, ensure_ascii=False, separators=(",", ":")))


def unpaired(messages: Sequence[Body]) -> list[str]:
    """Calls that are not answered right behind their reply, and results that answer none.

    Calls of the last reply may be open: their results are still to come.
    """
    faults: list[str] = []
    waiting: list[str] = []
    for one in messages:
        results = answered(one)
        faults += [f"result {name} answers none" for name in results if name not in waiting]
        waiting = [name for name in waiting if name not in results]
        if results:
            continue
        calls = called(one)
        # Items of one reply of the Responses API follow one another.
        same = "type" in one and one.get("role") != "user"
        if waiting and not same:
            faults.append(f"call {waiting} is not answered")
            waiting = []
        waiting += calls
    return faults


def called(one: Body) -> list[str]:
    """The calls of a message, by id, or by name where there are none."""
    if one.get("type") == "function_call":
        return [one["call_id"]]
    found = [each["id"] for each in one.get("tool_calls") or ()]
    for block in blocks(one):
        if block.get("type") == "tool_use":
            found.append(block["id"])
        if "functionCall" in block:
            found.append(block["functionCall"]["name"])
    return found


def answered(one: Body) -> list[str]:
    """The calls that a message answers."""
    if one.get("type") == "function_call_output":
        return [one["call_id"]]
    if one.get("role") == "tool":
        return [one["tool_call_id"]]
    found = []
    for block in blocks(one):
        if block.get("type") == "tool_result":
            found.append(block["tool_use_id"])
        if "functionResponse" in block:
            found.append(block["functionResponse"]["name"])
    return found


def blocks(one: Body) -> list[Body]:
    """The blocks of a message."""
    held = one.get("content") if "content" in one else one.get("parts")
    return [each for each in held if isinstance(each, dict)] if isinstance(held, list) else []
