"""A trim of a real body, in each provider's form: what is written is read back the same."""

import pytest
from tests.history import failures

from ullage.checks.compaction_checks import compaction_findings
from ullage.history.block import read_block, write_block
from ullage.history.forms.form import Form
from ullage.history.forms.table import form_of
from ullage.history.gauge import Gauge
from ullage.history.guard import guard_of
from ullage.history.piece import HistoryUnit
from ullage.history.trim import trim
from ullage.history.units import units_of
from ullage.wire.members import Object

TASK = "Rewrite the parser of the loader so that it reads late rows. Never push to main."
NEWEST = "Now write the docs page of the loader."
ROUNDS = 12


def output(number: int) -> str:
    """Return what the tool printed in one round."""
    stack = failures.among(failures.PYTHON) if number == 1 else ""
    return f"{stack}{f'row {number} ' * 60}"


def chat() -> Object:
    """Return a body of OpenAI's chat completions."""
    messages: list[object] = [
        {"role": "system", "content": "You are an agent."},
        {"role": "user", "content": TASK},
    ]
    for number in range(ROUNDS):
        call = {"name": "run", "arguments": f'{{"row": {number}}}'}
        messages += [
            {
                "role": "assistant",
                "content": None,
                "tool_calls": [{"id": f"c{number}", "type": "function", "function": call}],
            },
            {"role": "tool", "tool_call_id": f"c{number}", "content": output(number)},
        ]
    return {"model": "gpt-4o", "messages": [*messages, {"role": "user", "content": NEWEST}]}


def anthropic() -> Object:
    """Return a body of Anthropic's messages."""
    messages: list[object] = [{"role": "user", "content": TASK}]
    for number in range(ROUNDS):
        use = {"type": "tool_use", "id": f"c{number}", "name": "run", "input": {"row": number}}
        result = {"type": "tool_result", "tool_use_id": f"c{number}", "content": output(number)}
        messages += [
            {"role": "assistant", "content": [use]},
            {"role": "user", "content": [result]},
        ]
    return {
        "model": "claude-sonnet-4-5",
        "max_tokens": 100,
        "system": "You are an agent.",
        "messages": [*messages, {"role": "user", "content": NEWEST}],
    }


def responses() -> Object:
    """Return a body of OpenAI's Responses."""
    items: list[object] = [{"role": "user", "content": TASK}]
    for number in range(ROUNDS):
        arguments = f'{{"row": {number}}}'
        items += [
            {
                "type": "function_call",
                "call_id": f"c{number}",
                "name": "run",
                "arguments": arguments,
            },
            {"type": "function_call_output", "call_id": f"c{number}", "output": output(number)},
        ]
    return {
        "model": "gpt-4o",
        "instructions": "You are an agent.",
        "input": [*items, {"role": "user", "content": NEWEST}],
    }


def gemini() -> Object:
    """Return a body of Gemini."""
    contents: list[object] = [{"role": "user", "parts": [{"text": TASK}]}]
    for number in range(ROUNDS):
        call = {"name": "run", "args": {"row": number}}
        response = {"name": "run", "response": {"output": output(number)}}
        contents += [
            {"role": "model", "parts": [{"functionCall": call}]},
            {"role": "user", "parts": [{"functionResponse": response}]},
        ]
    contents.append({"role": "user", "parts": [{"text": NEWEST}]})
    return {"systemInstruction": {"parts": [{"text": "You are an agent."}]}, "contents": contents}


BODIES = {
    "openai-chat": chat,
    "anthropic": anthropic,
    "openai-responses": responses,
    "gemini": gemini,
}


def shortened(body: Object, form: Form, gauge: Gauge, over: int) -> Object:
    """Return a body trimmed by so much."""
    pieces = form.read(body, gauge)
    units = units_of(pieces)
    done = trim(
        pieces,
        units,
        guard_of(pieces, units),
        over,
        cost_of_block=lambda block: form.say("user", write_block(block), gauge).cost,
        unit=gauge.unit,
    )
    kept = [pieces[index] for index in done.kept]
    assert done.block is not None
    kept.insert(done.at, form.say("user", write_block(done.block), gauge))
    return form.write(body, kept)


@pytest.mark.parametrize("name", BODIES)
@pytest.mark.parametrize("unit", ["tokens", "chars", "messages"])
def test_a_trimmed_body_fits_and_our_audit_finds_nothing_lost(name: str, unit: HistoryUnit) -> None:
    body = BODIES[name]()
    form, gauge = form_of(body), Gauge(unit)
    before = form.read(body, gauge)
    over = sum(one.cost for one in before) // 2

    now = form.read(shortened(body, form, gauge, over), gauge)

    assert sum(one.cost for one in now) <= sum(one.cost for one in before) - over
    blocks = [block for one in now if (block := read_block(one.message.text)) is not None]
    assert [one.text for block in blocks for one in block.failures] == [failures.PYTHON]
    assert compaction_findings([one.message for one in before], [one.message for one in now]) == []


@pytest.mark.parametrize("name", BODIES)
def test_a_second_trim_counts_on_from_the_first(name: str) -> None:
    body = BODIES[name]()
    form, gauge = form_of(body), Gauge("chars")
    over = sum(one.cost for one in form.read(body, gauge)) // 3

    once = shortened(body, form, gauge, over)
    now = form.read(shortened(once, form, gauge, over), gauge)

    (block,) = [block for one in now if (block := read_block(one.message.text)) is not None]
    stay = len({one.place for one in now if one.place is not None and one.place >= 0}) - 1
    assert block.notice.of - block.notice.messages == stay
    assert [one.times for one in block.failures] == [1]
