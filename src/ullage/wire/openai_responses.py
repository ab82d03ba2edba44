"""OpenAI Responses: request bodies as messages, and the id by which a later request goes on.

Tolerant as the reader of chat completions is: what is not known is passed over and counted.
"""

from collections.abc import Mapping

from ullage.transcript.message import Message, ToolCall
from ullage.wire.openai_chat import ROLES, Request, events, read_object, text_of

PATH_END = "/responses"
RESULT_END = "_call_output"
CALLS = ("function_call", "custom_tool_call")
# Known items without a text of their own that is measured: reasoning is the model's, a reference
# names an item that the server holds, and what the server called itself never left it.
SILENT = ("reasoning", "item_reference", "compaction")
SILENT_END = ("_call", "_list_tools", "_approval_request", "_approval_response")


def is_responses(path: str) -> bool:
    """Whether a request target is one of this shape."""
    return path.partition("?")[0].endswith(PATH_END)


def read_request(body: bytes) -> Request:
    """Read a request body; one that is not JSON, or has no input, has no messages.

    `follows` is the reply, or the conversation, whose items the server puts before these.
    """
    document = read_object(body)
    instructions, given = document.get("instructions"), document.get("input")
    messages, strange = [], 0
    if isinstance(instructions, str):
        messages.append(Message(role="system", text=instructions))
    if isinstance(given, str):
        messages.append(Message(role="user", text=given))
    for item in given if isinstance(given, list) else []:
        message = read_item(item) if isinstance(item, dict) else None
        if message is not None:
            messages.append(message)
        elif not (isinstance(item, dict) and is_silent(item.get("type"))):
            strange += 1
    model = document.get("model")
    return Request(
        messages=messages,
        model=model if isinstance(model, str) else None,
        not_understood=strange,
        follows=followed(document),
    )


def read_item(item: Mapping[str, object]) -> Message | None:
    """Read one item of the input; None where it is no message, call or result."""
    kind, role = item.get("type", "message"), item.get("role")
    if kind == "message" and isinstance(role, str) and role in ROLES:
        return Message(role=ROLES[role], text=text_of(item.get("content")))
    if not isinstance(kind, str):
        return None
    call_id = item.get("call_id")
    known_id = call_id if isinstance(call_id, str) else None
    if kind.endswith(RESULT_END):
        return Message(role="tool", text=output_text(item.get("output")), answers=known_id)
    if kind in CALLS:
        arguments = item.get("arguments", item.get("input", ""))
        call = ToolCall(
            call_id=known_id, name=str(item.get("name", "")), arguments=str(arguments or "")
        )
        return Message(role="assistant", text="", calls=(call,))
    return None


def output_text(output: object) -> str:
    """Return the text of a result: a string, text parts, or what a shell printed."""
    if isinstance(output, list):
        return "".join(part_text(part) for part in output if isinstance(part, dict))
    return text_of(output)


def part_text(part: Mapping[str, object]) -> str:
    """Return the text of one part of a result."""
    return "".join(text_of(part.get(name)) for name in ("text", "stdout", "stderr"))


def is_silent(kind: object) -> bool:
    """Whether items of a type are known to carry nothing that is measured."""
    return isinstance(kind, str) and (kind in SILENT or kind.endswith(SILENT_END))


def followed(document: Mapping[str, object]) -> str | None:
    """Return the id of what a request goes on from, if the server keeps that."""
    previous, conversation = document.get("previous_response_id"), document.get("conversation")
    if isinstance(conversation, dict):
        conversation = conversation.get("id")
    return next((one for one in (previous, conversation) if isinstance(one, str)), None)


def reply_ids(body: bytes) -> tuple[str, ...]:
    """Return the ids by which a later request can follow a reply, streamed or not."""
    streamed = body.lstrip().startswith((b"data:", b"event:"))
    first = next(events(body), "") if streamed else None
    document = read_object(body if first is None else first.encode("utf-8", "surrogatepass"))
    response = document.get("response", document)
    if not isinstance(response, dict):
        return ()
    conversation = response.get("conversation")
    held = conversation.get("id") if isinstance(conversation, dict) else None
    return tuple(one for one in (response.get("id"), held) if isinstance(one, str))
