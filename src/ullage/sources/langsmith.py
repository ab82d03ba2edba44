"""Runs of LangSmith, as its API and its bulk exports give them.

https://docs.langchain.com/langsmith/run-data-format. What was delivered stands in the inputs of an
`llm` run, what was produced in the outputs of the `tool` runs before it.
"""

from collections.abc import Iterator, Mapping

from ullage.sources.form import Form
from ullage.sources.messages import Entries, calls_of, is_message, said, unwrapped
from ullage.sources.opened import Opened, is_object
from ullage.sources.openinference import returned
from ullage.sources.otel_spans import given
from ullage.sources.record import Record
from ullage.sources.spans import first_values, values_in
from ullage.sources.times import seconds_of
from ullage.sources.turns import Ran, Turn, Turns
from ullage.transcript.finding import Source
from ullage.transcript.message import Message
from ullage.transcript.served import Usage
from ullage.wire.draft import Draft
from ullage.wire.members import Object, inside, listed, number, objects, text, written
from ullage.wire.openai_chat import NORMAL, STOPS
from ullage.wire.reply import Reply
from ullage.wire.request import Request

KINDS = ("llm", "chat", "tool", "chain", "retriever", "prompt", "parser", "embedding")
THREADS = ("thread_id", "session_id", "conversation_id")
RETURNED = ("output", "content", "result")


def is_run(value: object) -> bool:
    """Whether a value is a run."""
    return (
        is_object(value)
        and (text(value, "run_type") or "").lower() in KINDS
        and ("inputs" in value or "outputs" in value)
        and bool(text(value, "id"))
    )


def fits(opened: Opened) -> bool:
    """Whether a file holds runs, one by one or inside each other."""
    return any(map(is_run, first_values(opened)))


def records(opened: Opened) -> Iterator[Record]:
    """Yield the conversations of a file."""
    found = Turns()
    for run, source in runs_of(opened):
        found.records += 1
        kind = (text(run, "run_type") or "").lower()
        if kind in ("llm", "chat"):
            found.turns.append(turn(run, source))
        elif kind == "tool":
            add_tool(found, run, source)
    yield from given(opened, found, "langsmith", None)


def runs_of(opened: Opened) -> Iterator[tuple[Object, Source]]:
    """Give the runs of a file, those inside others too."""
    for value, source in values_in(opened):
        waiting = [value]
        while waiting:
            one = waiting.pop(0)
            if is_object(one) and is_run(one):
                yield one, source
                waiting += listed(one.get("child_runs"))


def session_of(run: Object) -> str:
    """Return the thread of a run, else its trace."""
    metadata = inside(inside(run, "extra"), "metadata")
    return text(metadata, *THREADS) or text(run, "trace_id", "id") or ""


def turn(run: Object, source: Source) -> Turn:
    """Read a turn of a model."""
    about = inside(inside(run, "extra"), "metadata")
    agent = text(about, "lc_agent_name", "langgraph_checkpoint_ns", "agent_name") or ""
    return Turn(
        session=session_of(run),
        # A namespace ends with the id of one step.
        agent=agent.partition(":")[0],
        at=seconds_of(run.get("start_time")) or 0.0,
        request=Request(messages=given_to(run), model=text(about, "ls_model_name")),
        reply=None if run.get("error") else reply_of(run),
        source=source,
    )


def given_to(run: Object) -> list[Message]:
    """Return the messages of a request; a batch has one inside the other."""
    inputs = inside(run, "inputs")
    held = listed(inputs.get("messages") or inputs.get("input"))
    inner = listed(held[0]) if held and isinstance(held[0], list) else held
    entries = Entries()
    for one in inner:
        if is_message(one):
            entries.add(one, Source())
    prompts = [one for one in listed(inputs.get("prompts")) if isinstance(one, str)]
    told = [Message(role="user", text=one) for one in prompts[:1]]
    return [one.message for one in entries.found] or told


def reply_of(run: Object) -> Reply | None:
    """Read what the model wrote; None where the run does not tell."""
    outputs = inside(run, "outputs")
    raw = said_by(outputs)
    if raw is None:
        return None
    draft = Draft(ended=True, known=True)
    draft.write("content", said(raw.get("content")))
    for place, call in enumerate(calls_of(raw)):
        one = draft.call(place)
        one.call_id, one.name = call.call_id, call.name
        one.arguments.append(call.arguments)
    about = inside(raw, "response_metadata")
    choice = next(iter(objects(outputs.get("choices"))), {})
    word = text(about, "finish_reason", "stop_reason") or text(choice, "finish_reason")
    draft.finish(word, STOPS if word in (*STOPS, *NORMAL) else {})
    draft.usage = usage_of(run, raw)
    return draft.done()


def said_by(outputs: Object) -> Object | None:
    """Return the message that a model wrote, in whichever of the shapes of outputs."""
    for first in listed(outputs.get("generations")):
        for one in objects(first) or objects([first]):
            held = unwrapped(inside(one, "message"))
            return held or {"role": "assistant", "content": text(one, "text") or ""}
    for one in objects(outputs.get("choices")):
        return inside(one, "message")
    for name in ("message", "output"):
        if isinstance(outputs.get(name), dict):
            return unwrapped(inside(outputs, name))
    return unwrapped(outputs) if "content" in outputs else None


def usage_of(run: Object, raw: Object) -> Usage:
    """Return the tokens of a turn: the run's own, else the message's."""
    held = inside(raw, "usage_metadata")
    details: Mapping[str, object] = inside(held, "input_token_details")
    return Usage(
        input=number(run, "prompt_tokens") or number(held, "input_tokens"),
        output=number(run, "completion_tokens") or number(held, "output_tokens"),
        cached=number(details, "cache_read"),
    )


def add_tool(found: Turns, run: Object, source: Source) -> None:
    """Add the run of a tool."""
    outputs = run.get("outputs")
    if not is_object(outputs) or not outputs:
        found.pass_over("tool run without outputs")
        return
    name = next((one for one in RETURNED if one in outputs), None)
    value = outputs[name] if name and len(outputs) == 1 else outputs
    inner = returned(value) if is_object(value) else None
    metadata = inside(run, "extra")
    call = text(metadata, "tool_call_id") or text(inside(metadata, "metadata"), "tool_call_id")
    found.ran.append(
        Ran(
            session=session_of(run),
            tool=text(run, "name") or "",
            call=(text(inner, "tool_call_id") if inner else None) or call,
            text=said(inner["content"]) if inner else written(value),
            at=seconds_of(run.get("end_time")) or 0.0,
            source=source,
        )
    )


LANGSMITH = Form(
    name="langsmith",
    what="runs of LangSmith, in a list, in each other, or one a line",
    fits=fits,
    records=records,
)
