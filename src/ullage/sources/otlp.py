"""OpenTelemetry spans of agents, in OTLP's JSON form, as records of a ledger.

Telemetry may itself cut: exporters limit the length of a value, and instrumentations leave messages
out. What comes from here says so with a fault of its run, and is no proof that a model was given a
cut text. https://github.com/open-telemetry/semantic-conventions-genai names the attributes.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeGuard

from ullage.ledger.records import ExchangeRecord, ProducedRecord

Object = Mapping[str, object]

MAY_BE_CUT = "its records were read from OpenTelemetry spans: texts may be cut by telemetry"
TURNS = frozenset({"chat", "generate_content", "text_completion"})
TOOL = "execute_tool"
PATH = "/v1/chat/completions"
"""What a turn is written as, whatever the provider's own spelling was."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unread:
    """A span whose texts are not there or do not parse, and why."""

    run: str
    why: str


def is_otlp(value: Object) -> bool:
    """Whether an object is what an exporter of spans writes or sends."""
    return isinstance(value.get("resourceSpans"), list)


def records(value: Object) -> Iterator[ExchangeRecord | ProducedRecord | Unread]:
    """Give the model's turns and the tools' results in one object, in its order.

    A run is a conversation, else a trace. Other spans are passed over.
    """
    for span in spans_in(value):
        attributes = attributes_of(span.get("attributes"))
        operation = text_of(attributes.get("gen_ai.operation.name"))
        run = text_of(attributes.get("gen_ai.conversation.id")) or text_of(span.get("traceId"))
        if operation in TURNS:
            yield turn(span, attributes, run)
        elif operation == TOOL:
            yield result(span, attributes, run)


def spans_in(value: Object) -> Iterator[Object]:
    """Give the spans, whatever their resource and scope."""
    for resource in objects(value.get("resourceSpans")):
        for scope in objects(resource.get("scopeSpans")):
            yield from objects(scope.get("spans"))


def turn(span: Object, attributes: Object, run: str) -> ExchangeRecord | Unread:
    """Return one turn of a model as an exchange."""
    given = parsed(attributes.get("gen_ai.input.messages"))
    if given is None:
        return unread(span, run, "gen_ai.input.messages")
    system = parsed(attributes.get("gen_ai.system_instructions")) or []
    said = parsed(attributes.get("gen_ai.output.messages")) or []
    first = [{"role": "system", "content": texts(system)}] if system else []
    request = {
        "model": attributes.get("gen_ai.request.model"),
        "messages": [*first, *(one for message in given for one in messages(message))],
    }
    status = attributes.get("http.response.status_code")
    start, end = seconds(span, "startTimeUnixNano"), seconds(span, "endTimeUnixNano")
    return ExchangeRecord(
        run=run,
        agent=text_of(attributes.get("gen_ai.agent.name")) or None,
        method="POST",
        path=PATH,
        upstream=text_of(attributes.get("server.address")) or "unknown",
        request_headers=[],
        request_body=dumped(request),
        status=status if isinstance(status, int) else 200,
        response_headers=[],
        response_body=dumped(reply(attributes, said)),
        started=start,
        first_byte=None,
        ended=max(start, end),
        error=failure(span),
        cohort=None,
    )


def reply(attributes: Object, said: Sequence[object]) -> Object:
    """Return a reply in the shape of chat completions."""
    finish = attributes.get("gen_ai.response.finish_reasons")
    reasons = finish if isinstance(finish, list) else []
    spoken = [one for message in said for one in messages(message)]
    usage = {
        "prompt_tokens": attributes.get("gen_ai.usage.input_tokens"),
        "completion_tokens": attributes.get("gen_ai.usage.output_tokens"),
    }
    return {
        "model": attributes.get("gen_ai.response.model"),
        "choices": [
            {"index": number, "message": one, "finish_reason": reason}
            for number, (one, reason) in enumerate(
                zip(spoken, [*reasons, *[None] * len(spoken)], strict=False)
            )
        ],
        "usage": {name: count for name, count in usage.items() if isinstance(count, int)},
    }


def messages(message: object) -> Iterator[Object]:
    """Give one message of the conventions as messages of chat completions.

    Each result of a tool is a message of its own there.
    """
    if not is_object(message):
        return
    parts = objects(message.get("parts"))
    results = [one for one in parts if one.get("type") == "tool_call_response"]
    for one in results:
        given = one.get("response", one.get("result"))
        content = given if isinstance(given, str) else json.dumps(given, ensure_ascii=False)
        yield {"role": "tool", "tool_call_id": one.get("id"), "content": content}
    calls = [call(one) for one in parts if one.get("type") == "tool_call"]
    others = [one for one in parts if one not in results]
    if others or not results:
        found: dict[str, object] = {"role": message.get("role"), "content": texts(others)}
        yield {**found, "tool_calls": calls} if calls else found


def call(part: Object) -> Object:
    """Return one call of a tool."""
    given = part.get("arguments")
    text = given if isinstance(given, str) else json.dumps(given, ensure_ascii=False)
    return {
        "id": part.get("id"),
        "type": "function",
        "function": {"name": part.get("name"), "arguments": text},
    }


def texts(parts: Sequence[object]) -> str:
    """Return the texts of parts, one after the other."""
    found = [text_of(one.get("content")) for one in objects(parts) if one.get("type") == "text"]
    return "\n".join(found)


def result(span: Object, attributes: Object, run: str) -> ProducedRecord | Unread:
    """Return what a tool produced."""
    given = attributes.get("gen_ai.tool.call.result")
    if given is None:
        return unread(span, run, "gen_ai.tool.call.result")
    arguments = attributes.get("gen_ai.tool.call.arguments")
    return ProducedRecord(
        run=run,
        tool=text_of(attributes.get("gen_ai.tool.name")) or "unknown",
        kind="tool",
        arguments=as_text({} if arguments is None else arguments),
        text=as_text(given),
        at=seconds(span, "endTimeUnixNano"),
        agent=text_of(attributes.get("gen_ai.agent.name")) or None,
        call_id=text_of(attributes.get("gen_ai.tool.call.id")) or None,
    )


def unread(span: Object, run: str, name: str) -> Unread:
    """Say that a text is not there, or cut so that it is no JSON any more."""
    where = f"span {text_of(span.get('name'))!r}"
    return Unread(run=run, why=f"{where}: {name} is not there, or was cut by telemetry")


def failure(span: Object) -> str | None:
    """Return what a failed span says; None for one that did not fail."""
    status = span.get("status")
    if not is_object(status) or status.get("code") not in (2, "STATUS_CODE_ERROR"):
        return None
    return text_of(status.get("message")) or "failed"


def attributes_of(pairs: object) -> dict[str, object]:
    """Return attributes by name, without the names of their types."""
    return {text_of(pair.get("key")): plain(pair.get("value")) for pair in objects(pairs)}


def plain(value: object) -> object:
    """Take the name of its type off a value."""
    if not is_object(value):
        return None
    for kind, one in value.items():
        if kind == "intValue":
            return whole_number(one)
        if kind == "arrayValue" and is_object(one):
            return [plain(item) for item in objects(one.get("values"))]
        if kind == "kvlistValue" and is_object(one):
            return attributes_of(one.get("values"))
        return one
    return None


def parsed(value: object) -> list[object] | None:
    """Return a list that is given as such or as JSON; None where it is neither."""
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except ValueError:
            return None
    return value if isinstance(value, list) else None


def objects(value: object) -> list[Object]:
    """Return the objects in a list."""
    return [one for one in value if is_object(one)] if isinstance(value, list | tuple) else []


def is_object(value: object) -> TypeGuard[Object]:
    """Whether a value is a JSON object."""
    return isinstance(value, dict)


def text_of(value: object) -> str:
    """Return a text; an empty one for what is none."""
    return value if isinstance(value, str) else ""


def as_text(value: object) -> str:
    """Return a text as it is, anything else as JSON."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def seconds(span: Object, name: str) -> float:
    """Return a time in seconds since the epoch; 0 where there is none."""
    return (whole_number(span.get(name)) or 0) / 1e9


def whole_number(value: object) -> int | None:
    """Return a number that is given as such or in decimal digits; None for anything else."""
    digits = str(value)
    return int(digits) if re.fullmatch(r"-?[0-9]{1,19}", digits) else None


def dumped(value: Object) -> bytes:
    """Write a body as JSON."""
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass")
