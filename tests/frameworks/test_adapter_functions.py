"""A loop of one's own: what the clients of other providers have in the list of messages."""

import json
from typing import Any

from tests.frameworks.harness import module

from ullage.integrate.functions import Fitting, Ullage

TURNS = 8
ROWS = json.dumps([{"id": f"R-{number}", "days": number} for number in range(400)])
SIGNATURE = b"\x00\xff"


def shortened(messages: list[Any]) -> list[Any]:
    """Shorten a list that is far over its budget; what is sent of it is less, and not nothing."""
    sent = Ullage(Fitting(history=9_000, tier="T1")).shorten(messages)
    assert 3 < len(sent) < len(messages)
    return sent


def test_contents_of_gemini_are_sent_as_the_objects_that_they_are() -> None:
    types = module("google.genai.types")
    contents = [types.Content(role="user", parts=[types.Part(text="Go.")])]
    for number in range(TURNS):
        call = types.FunctionCall(name="rows", args={"page": number})
        asked = types.Part(function_call=call, thought_signature=SIGNATURE)
        response = {"result": f"{number}{ROWS}"}
        answer = types.Part.from_function_response(name="rows", response=response)
        contents.append(types.Content(role="model", parts=[asked]))
        contents.append(types.Content(role="user", parts=[answer]))

    sent = shortened(contents)

    assert all(one in contents for one in (sent[0], *sent[-2:]))
    assert sent[-2].parts[0].thought_signature == SIGNATURE  # as bytes, which JSON cannot hold


def test_blocks_of_anthropic_are_sent_as_the_objects_that_they_are() -> None:
    types = module("anthropic.types")
    messages: list[Any] = [{"role": "user", "content": "Go."}]
    for number in range(TURNS):
        use = types.ToolUseBlock(type="tool_use", id=f"c{number}", name="rows", input={})
        result = {"type": "tool_result", "tool_use_id": f"c{number}", "content": f"{number}{ROWS}"}
        messages.append({"role": "assistant", "content": [use]})
        messages.append({"role": "user", "content": [result]})

    sent = shortened(messages)

    assert sent[-2:] == messages[-2:]
    assert sent[-2] is messages[-2]
