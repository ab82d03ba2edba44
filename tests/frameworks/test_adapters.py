"""The adapters inside real frameworks: what is recorded, what is sent, what a user writes."""

import json
from dataclasses import dataclass
from pathlib import Path

import pytest
from benchmarks.adapters.lines import lines_added
from tests.frameworks.adapted import answers, arguments_of, produced, ran
from tests.frameworks.harness import Server, skip_without

from ullage.wire.budget_table import budget_table

pytestmark = [pytest.mark.slow]

RESULTS = 2_000
HISTORY = 16_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A framework: what its programs are called and need, and how many lines Ullage takes."""

    name: str
    needs: tuple[str, ...]
    lines: int


CASES = [
    Case(name="agno", needs=("agno", "sqlalchemy"), lines=2),
    Case(name="functions", needs=("openai",), lines=4),
    Case(name="langchain", needs=("langchain", "langchain_openai"), lines=2),
    Case(name="llama_index", needs=("llama_index.core", "llama_index.llms.openai"), lines=2),
    Case(name="openai_agents", needs=("agents",), lines=4),
    Case(name="pydantic_ai", needs=("pydantic_ai",), lines=2),
    Case(name="strands", needs=("strands",), lines=2),
    Case(name="smolagents", needs=("smolagents",), lines=2),
]


@pytest.fixture(params=CASES, ids=lambda case: str(case.name))
def case(request: pytest.FixtureRequest) -> Case:
    found: Case = request.param
    skip_without(*found.needs)
    return found


def test_no_cut_of_the_framework_is_before_ours_and_the_wire_has_what_we_handed_on(
    case: Case, server: Server, tmp_path: Path
) -> None:
    made = ran(f"{case.name}_ullage", server, tmp_path)

    returned = produced()
    assert len(made.results) == len(returned)
    first: dict[str, str] = {}
    unnamed: list[str] = []
    for call, text in answers(made.bodies):
        if call is None:
            unnamed.append(text)
        else:
            first.setdefault(call, text)
    for one in made.results:
        value = returned[one.tool, arguments_of(one)["customer"]]
        assert one.text == value if isinstance(value, str) else json.loads(one.text) == value
        assert one.handed_on not in (None, one.text)  # each is over the budget
        if one.call_id is None:
            assert any(one.handed_on in text for text in [*unnamed, *first.values()]), made.stderr[
                :3000
            ]
        else:
            assert first[one.call_id] == one.handed_on, made.stderr[:3000]


def test_a_cut_result_is_valid_and_says_what_is_left_out(
    case: Case, server: Server, tmp_path: Path
) -> None:
    made = ran(f"{case.name}_ullage", server, tmp_path)

    for one in made.results:
        assert isinstance(json.loads(one.handed_on), type(json.loads(one.text)))
        assert "_ullage" in one.handed_on


def test_requests_stay_within_the_budget_and_every_prompt_is_answered(
    case: Case, server: Server, tmp_path: Path
) -> None:
    plain = ran(f"{case.name}_plain", server, tmp_path)
    fitted = ran(f"{case.name}_ullage", server, tmp_path)

    assert fitted.stdout == plain.stdout
    assert len(fitted.bodies) == len(plain.bodies)
    assert max(budget_table(body).count.tokens for body in plain.bodies) > 2 * HISTORY
    assert max(budget_table(body).count.tokens for body in fitted.bodies) <= HISTORY
    assert "elide by " in fitted.stderr


def test_the_lines_that_a_user_adds(case: Case) -> None:
    assert lines_added(case.name) == case.lines
