"""Real tool results, cut at six budgets. The corpora are read from outside the repository."""

import ast
import json
import tarfile
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from tests.shared import shared

from ullage import chars, cut
from ullage.cutter import spans
from ullage.cutter.layers import as_it_is, is_document, peel

BUDGETS = (500, 1_000, 2_000, 4_000, 6_000, 8_000)
# More are found than were counted by hand: repeated histories hold a result more than once.
FEWEST = 1_300


def documents(name: str, data: bytes) -> Iterator[Any]:
    lines = data.split(b"\n") if name.endswith(".jsonl") else [data]
    for line in lines if name.endswith((".json", ".jsonl", ".traj")) else []:
        try:
            yield json.loads(line)
        except ValueError:
            continue  # torn lines and odd encodings are other tests' matter


def texts(content: Any) -> Iterator[str]:
    if isinstance(content, str):
        yield content
    for part in content if isinstance(content, list) else []:
        if isinstance(part, dict):
            yield from texts(part.get("text") or part.get("content") or part.get("output"))


def results(document: Any) -> Iterator[str]:
    waiting = [document]
    while waiting:
        value = waiting.pop()
        if isinstance(value, list):
            waiting += value
        elif isinstance(value, dict):
            if value.get("role") == "tool":
                yield from texts(value.get("content"))
            elif value.get("type") in ("tool_result", "function_call_output"):
                yield from texts(value.get("content") or value.get("output"))
            elif isinstance(value.get("observation"), str):
                yield value["observation"]
            waiting += [one for one in value.values() if isinstance(one, dict | list)]


def is_json_result(text: str) -> bool:
    layer = peel(text)
    if layer is not None:
        return is_document(layer.inner)
    return text.lstrip()[:1] in ("{", "[") and spans.is_json(text)


@cache
def json_results() -> list[str]:
    path = shared("corpora/permissive.tgz")
    found = []
    with tarfile.open(path) as archive:
        for member in archive:
            file = archive.extractfile(member) if member.isfile() else None
            for document in documents(member.name, file.read()) if file else ():
                found += [text for text in results(document) if is_json_result(text)]
    return found


def value_of(source: str, text: str) -> Any:
    """The JSON value of a result, its wrapping taken off again."""
    layer = peel(source)
    if layer is None:
        return json.loads(text)
    inner = text[len(layer.before) : len(text) - len(layer.after)]
    if layer.write is not as_it_is:
        quote = layer.before[-1]
        literal = quote + inner + quote
        inner = ast.literal_eval(literal) if "TextContent" in layer.before else json.loads(literal)
    return json.loads(inner)


@pytest.mark.slow
@pytest.mark.parametrize("budget", BUDGETS)
def test_no_real_json_result_is_broken_or_over_budget(budget: int) -> None:
    all_results = json_results()
    assert len(all_results) > FEWEST
    for text in all_results:
        done = cut(text, chars(budget))
        assert len(done.text) <= budget
        if done.account.below_floor:
            assert budget < done.account.floor
            continue
        assert type(value_of(text, done.text)) is type(value_of(text, text))
        for part in done.account.parts:
            left_out = sum(last - first + 1 for first, last in part.left_out)
            assert part.produced == part.delivered + left_out
