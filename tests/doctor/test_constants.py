"""Values read from source: where they stand, and what sums and names come to."""

import ast
import textwrap

import pytest

from ullage.doctor.constants import Found, by_pattern, by_symbol

SOURCE = textwrap.dedent(
    '''
    from typing import Final
    LIMIT: Final[int] = 16 * 1024
    SHARE = 0.25
    HALF = LIMIT / 2
    LESS = LIMIT - 384
    PLACEHOLDER = "[cleared]"
    LOOP = LOOP

    def cut(text, limit=LIMIT, /, *, side="head", size: int | None = None):
        """Cut."""
        kept = limit
        kept = settings().kept
        kept = 10_000
        return text

    class Memory(Base):
        tokens: int = 30_000
        ratio: float = Field(default=0.7, description="of them")
        first: int = Field(3, gt=0)
        blocks: list = Field(default_factory=list)
        keep = ("messages", LIMIT)
        size = -1

        if True:
            def __init__(self, window: int = 40, *, pins=None, factor=LIMIT * 0.1): ...

        async def load(self, page=100): ...
    '''
)


@pytest.mark.parametrize(
    ("symbol", "value"),
    [
        ("LIMIT", "16384"),
        ("SHARE", "0.25"),
        ("HALF", "8192"),
        ("LESS", "16000"),
        ("PLACEHOLDER", "'[cleared]'"),
        ("LOOP", "LOOP"),
        ("cut(limit)", "16384"),
        ("cut(side)", "'head'"),
        ("cut(size)", "None"),
        ("cut.kept", "10000"),
        ("Memory.tokens", "30000"),
        ("Memory.ratio", "0.7"),
        ("Memory.first", "3"),
        ("Memory.blocks", "Field(default_factory=list)"),
        ("Memory.keep", "('messages', 16384)"),
        ("Memory.size", "-1"),
        ("Memory.__init__(window)", "40"),
        ("Memory.__init__(pins)", "None"),
        ("Memory.__init__(factor)", "1638.4"),
        ("Memory.load(page)", "100"),
    ],
)
def test_a_value_is_read_without_running_anything(symbol: str, value: str) -> None:
    found = by_symbol(ast.parse(SOURCE), symbol)

    assert found is not None
    assert found.value == value


@pytest.mark.parametrize(
    "symbol",
    [
        "GONE",
        "Memory.gone",
        "Gone.tokens",
        "cut(gone)",
        "gone(limit)",
        "Memory(tokens)",
        "cut.gone",
    ],
)
def test_a_value_that_is_not_there_is_none(symbol: str) -> None:
    assert by_symbol(ast.parse(SOURCE), symbol) is None


def test_the_line_is_that_of_the_default() -> None:
    found = by_symbol(ast.parse(SOURCE), "Memory.tokens")

    assert found is not None
    assert SOURCE.splitlines()[found.line - 1].strip() == "tokens: int = 30_000"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("const LIMIT = 4e4;", "40000"),
        ("const LIMIT = 40_000;", "40000"),
        ("const LIMIT = 0.5;", "0.5"),
        ("const LIMIT = true;", "true"),
        ("\n\nconst LIMIT = 2000;", "2000"),
    ],
)
def test_a_pattern_reads_a_number_of_another_language(text: str, value: str) -> None:
    line = text.count("\n") + 1

    assert by_pattern(text, r"LIMIT = ([\w.]+)") == Found(value=value, line=line)


def test_a_pattern_that_matches_nothing_is_none() -> None:
    assert by_pattern("const OTHER = 1;", r"LIMIT = (\d+)") is None
