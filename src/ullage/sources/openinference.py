"""Spans by OpenInference's conventions, as Phoenix and its instrumentations write them.

https://github.com/Arize-ai/openinference/tree/main/spec. What was delivered stands in the messages
of the next LLM span, what was produced in the output of the TOOL span before it.
"""

import re
from collections.abc import Iterator, Mapping

from ullage.sources.form import Form
from ullage.sources.opened import Opened
from ullage.sources.otel_spans import given
from ullage.sources.record import Record
from ullage.sources.spans import MAY_BE_CUT, Span, first_values, spans_in, spans_of
from ullage.sources.turns import Ran, Turn, Turns
from ullage.transcript.finding import Source
from ullage.wire.members import Object, compact, inside, read_object, text, written
from ullage.wire.readers import CHAT

KIND = "openinference.span.kind"
HIDDEN = "__REDACTED__"
"""What stands where an instrumentation was told to hide a text."""
MESSAGE = r"llm\.{}\.(\d{{1,6}})\.message\.(.+)"
INPUT = re.compile(MESSAGE.format("input_messages"))
OUTPUT = re.compile(MESSAGE.format("output_messages"))
PART = re.compile(r"contents\.(\d{1,6})\.message_content\.text")
CALL = re.compile(r"tool_calls\.(\d{1,6})\.tool_call\.(id|function\.name|function\.arguments)")
TOOL = re.compile(r"llm\.tools\.(\d{1,6})\.tool\.json_schema")


def fits(opened: Opened) -> bool:
    """Whether a file holds spans of which one is of these conventions."""
    return any(
        KIND in span.attributes
        for value in first_values(opened)
        for span in spans_in(value, Source())
    )


def records(opened: Opened) -> Iterator[Record]:
    """Yield the conversations of a file."""
    found = Turns()
    spans = list(spans_of(opened))
    above = {one.span: one for one in spans}
    for span in spans:
        found.records += 1
        kind = (text(span.attributes, KIND) or "").upper()
        if kind == "LLM":
            found.turns.append(turn(span, agent_of(span, above)))
        elif kind == "TOOL":
            add_tool(found, span)
    yield from given(opened, found, "openinference", MAY_BE_CUT)


def agent_of(span: Span, above: Mapping[str, Span]) -> str:
    """Return the name of the nearest agent around a span; an empty one where there is none."""
    passed: set[str] = set()
    while span.parent is not None and span.parent in above and span.parent not in passed:
        passed.add(span.parent)
        span = above[span.parent]
        if (text(span.attributes, KIND) or "").upper() == "AGENT":
            return text(span.attributes, "agent.name") or span.name
    return ""


def session_of(span: Span) -> str:
    """Return the session that a span belongs to, else its trace."""
    return text(span.attributes, "session.id") or span.trace


def turn(span: Span, agent: str) -> Turn:
    """Read a turn of a model."""
    attributes = span.attributes
    said = messages(attributes, OUTPUT)
    request = {
        "model": text(attributes, "llm.model_name"),
        "messages": messages(attributes, INPUT),
        "tools": [
            read_object(written(one)) for name, one in attributes.items() if TOOL.match(name)
        ],
    }
    reply = {
        "model": text(attributes, "llm.model_name"),
        "choices": [
            {"index": 0, "message": one, "finish_reason": text(attributes, "llm.finish_reason")}
            for one in said[:1]
        ],
        "usage": {
            "prompt_tokens": attributes.get("llm.token_count.prompt"),
            "completion_tokens": attributes.get("llm.token_count.completion"),
            "prompt_tokens_details": {
                "cached_tokens": attributes.get("llm.token_count.prompt_details.cache_read")
            },
        },
    }
    return Turn(
        session=session_of(span),
        agent=agent,
        at=span.begin,
        request=CHAT.request(request),
        reply=CHAT.read_reply(compact(reply).encode("utf-8", "surrogatepass")) if said else None,
        source=span.source,
    )


def messages(attributes: Mapping[str, object], pattern: re.Pattern[str]) -> list[Object]:
    """Return the messages whose members stand apart, as those of chat completions."""
    found: dict[int, dict[str, object]] = {}
    for name, value in attributes.items():
        at = pattern.fullmatch(name)
        if at is not None:
            found.setdefault(int(at[1]), {})[at[2]] = value
    return [message(found[number]) for number in sorted(found)]


def message(members: Mapping[str, object]) -> Object:
    """Return one message; its text may stand in parts."""
    parts: dict[int, str] = {}
    calls: dict[int, dict[str, object]] = {}
    for name, value in members.items():
        if (part := PART.fullmatch(name)) and isinstance(value, str):
            parts[int(part[1])] = value
        elif call := CALL.fullmatch(name):
            calls.setdefault(int(call[1]), {})[call[2]] = value
    content = members.get("content")
    whole = content if isinstance(content, str) else "".join(parts[at] for at in sorted(parts))
    role = text(members, "role") or ""
    found: dict[str, object] = {
        "role": {"human": "user", "ai": "assistant", "model": "assistant"}.get(role, role),
        "content": whole,
        "tool_call_id": members.get("tool_call_id"),
        "name": members.get("name"),
    }
    if calls:
        found["tool_calls"] = [
            {
                "id": calls[at].get("id"),
                "function": {
                    "name": calls[at].get("function.name"),
                    "arguments": calls[at].get("function.arguments", ""),
                },
            }
            for at in sorted(calls)
        ]
    return found


def add_tool(found: Turns, span: Span) -> None:
    """Add the run of a tool, if what it returned was not hidden."""
    attributes = span.attributes
    given_back = attributes.get("output.value")
    if not isinstance(given_back, str) or given_back == HIDDEN:
        found.pass_over("TOOL span without its output")
        return
    call = text(attributes, "tool.id", "tool_call.id", "gen_ai.tool.call.id")
    inner = returned(read_object(given_back) if given_back.lstrip().startswith("{") else {})
    found.ran.append(
        Ran(
            session=session_of(span),
            tool=text(attributes, "tool.name") or span.name,
            call=call or (text(inner, "tool_call_id") if inner else None),
            text=written(inner["content"]) if inner else given_back,
            at=span.end,
            source=span.source,
        )
    )


def returned(value: Object) -> Object | None:
    """Return the message that LangChain puts around what a tool returns; None where it is none."""
    for held in (inside(value, "kwargs"), inside(value, "data"), value):
        if "content" in held and "tool_call_id" in held:
            return held
    return None


OPENINFERENCE = Form(
    name="openinference",
    what="OpenInference spans, in OTLP's JSON, of Phoenix, or one a line",
    fits=fits,
    records=records,
)
