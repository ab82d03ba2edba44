"""Results cut by position, and slices that cut none."""

import ast
import textwrap

import pytest

from ullage.doctor.diagnosis import Item
from ullage.doctor.slices import slices_in


def slices(source: str) -> list[Item]:
    return list(slices_in(ast.parse(textwrap.dedent(source)), "tool.py"))


@pytest.mark.parametrize(
    ("source", "of", "limit", "loss"),
    [
        ("def f(rows):\n    return json.dumps(rows)[:6000]", "json.dumps(…)[:N]", "6000", "silent"),
        (
            "def f(rows):\n    return json.dumps(rows, indent=1)[:500]",
            "json.dumps(…)[:N]",
            "500",
            "silent",
        ),
        ("LIMIT = 6_000\ndef f(x):\n    return str(x)[:LIMIT]", "str(…)[:N]", "6000", "silent"),
        (
            "class T:\n    def f(self, x):\n        return str(x)[: self.limit]",
            "str(…)[:N]",
            "self.limit",
            "silent",
        ),
        (
            "async def f(u):\n    r = await get(u)\n    return r.text[:4000]",
            "text[:N]",
            "4000",
            "silent",
        ),
        ("def f(x):\n    out = str(x)[:2000]\n    return out", "str(…)[:N]", "2000", "silent"),
        ("def f(x):\n    return f'Result: {str(x)[:2000]}'", "str(…)[:N]", "2000", "silent"),
        ("def f(x):\n    return str(x)[:2000] + '... (truncated)'", "str(…)[:N]", "2000", "said"),
        (
            "def f(x):\n    out = str(x)[:2000]\n    return out + '... (truncated)'",
            "str(…)[:N]",
            "2000",
            "said",
        ),
        (
            "def f(x):\n    return {'role': 'tool', 'content': json.dumps(x)[:800]}",
            "json.dumps(…)[:N]",
            "800",
            "silent",
        ),
        (
            "def f(x):\n    return ToolMessage(content=str(x)[:5000])",
            "str(…)[:N]",
            "5000",
            "silent",
        ),
        ("def f(x):\n    return str(x)[:5000] if x else ''", "str(…)[:N]", "5000", "silent"),
        (
            "def f(x):\n    data = json.dumps(x)[:9000]\n"
            "    ask([{'role': 'user', 'content': f'Report: {data}'}])",
            "json.dumps(…)[:N]",
            "9000",
            "silent",
        ),
        (
            "def f(x):\n    ask([Message(content=json.dumps(x)[:9000])])",
            "json.dumps(…)[:N]",
            "9000",
            "silent",
        ),
        (
            "def f(x):\n    ask([{'content': {'output': json.dumps(x)[:9000]}}])",
            "json.dumps(…)[:N]",
            "9000",
            "silent",
        ),
    ],
)
def test_a_result_that_is_cut_by_position_is_found(
    source: str, of: str, limit: str, loss: str
) -> None:
    (found,) = slices(source)

    assert (found.of, found.values[0].value, found.loss) == (of, limit, loss)
    assert (found.key, found.boundary) == ("code.slice", "budget")
    assert found.severity == ("error" if loss == "silent" else "warning")


def test_the_fix_names_what_is_cut_and_the_limit() -> None:
    (found,) = slices("def f(rows):\n    return json.dumps(rows)[:6000]")

    assert found.remedy == "ullage.cut(rows, ullage.chars(6000)).text"
    assert found.line == 2


@pytest.mark.parametrize(
    "source",
    [
        "def f(x):\n    log.info(str(x)[:2000])\n    return str(x)",
        "def f(x):\n    raise ValueError(json.dumps(x)[:2000])",
        "def f(x):\n    try:\n        return g(x)\n"
        "    except OSError as e:\n        return str(e)[:2000]",
        "def f(x):\n    return str(x)[:8]",
        "def f(x):\n    return json.dumps(x)[:120]",
        "def f(t):\n    return str(datetime.now())[:10]",
        "def f(r):\n    return r.text[:200]",
        "def f(x):\n    return str(x)[:-1]",
        "def f(x):\n    return str(x)[1000:2000]",
        "def f(x):\n    return str(x)[::2000]",
        "def f(x):\n    return x[:2000]",
        "def f(x):\n    return len(str(x)[:2000])",
        "def f(x):\n    head = str(x)[:2000]\n    show(head)\n    return x",
        "print(str(x)[:2000])",
        "def f(x):\n    raise Failed(content=str(x)[:2000])",
        "def f(x):\n    log.info('got', extra={'sample': str(x)[:2000]})",
        "def f(x):\n    return str()[:2000]",
        "def f(x):\n    def g():\n        return 1\n    str(x)[:2000]\n    return g",
    ],
)
def test_a_slice_that_cuts_no_result_is_left_alone(source: str) -> None:
    assert slices(source) == []


def test_a_function_inside_a_function_is_read_once() -> None:
    source = "def f(x):\n    def g():\n        return str(x)[:3000]\n    return g"

    assert len(slices(source)) == 1
