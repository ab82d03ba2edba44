"""What a program asks for: calls that lose context, and calls that only look like them."""

import textwrap
import warnings
from pathlib import Path

import pytest
from tests.doctor.site import environment, install, look_in

from ullage.doctor.diagnosis import Item


def usages(tmp_path: Path, source: str) -> list[Item]:
    python = environment(tmp_path / "env")
    program = tmp_path / "agent.py"
    program.write_text(textwrap.dedent(source), encoding="utf-8")
    return list(look_in(python, code=program).items)


MIDDLEWARE = "from langchain.agents.middleware import SummarizationMiddleware as S\n"
AUTOGEN = "from autogen_core.model_context import BufferedChatCompletionContext\n"
OPENAI = "from openai import OpenAI\nclient = OpenAI()\n"
LLAMA = "from llama_index.core.workflow import Context\n"
AGNO = "from agno.agent import Agent\n"


@pytest.mark.parametrize(
    ("source", "key", "boundary", "severity"),
    [
        (MIDDLEWARE + "S(model=m)", "langchain.summariser-input", "summarise", "error"),
        (
            "import langchain.agents.middleware as m\nm.ClearToolUsesEdit(keep=1)",
            "langchain.context-editing",
            "retain",
            "warning",
        ),
        (
            "import langchain.agents.middleware\n"
            "langchain.agents.middleware.ContextEditingMiddleware()",
            "langchain.context-editing",
            "retain",
            "warning",
        ),
        (
            "from langchain.agents.middleware import ShellToolMiddleware\nShellToolMiddleware()",
            "langchain.shell-output",
            "budget",
            "warning",
        ),
        (
            "from langchain_core.messages import trim_messages\ntrim_messages(x, max_tokens=9)",
            "langchain.trim-messages",
            "retain",
            "error",
        ),
        (
            AUTOGEN + "BufferedChatCompletionContext(buffer_size=10)",
            "autogen.buffered",
            "retain",
            "error",
        ),
        (
            "from autogen_core.model_context import HeadAndTailChatCompletionContext as H\nH(2, 6)",
            "autogen.head-and-tail",
            "retain",
            "warning",
        ),
        (
            "from strands.agent.conversation_manager import SlidingWindowConversationManager as W\n"
            "W()",
            "strands.window",
            "retain",
            "error",
        ),
        (
            "from agents.extensions import ToolOutputTrimmer\nToolOutputTrimmer()",
            "openai-agents.trimmer",
            "retain",
            "warning",
        ),
        (
            'from agents import ModelSettings\nModelSettings(truncation="auto")',
            "openai-agents.truncation",
            "serve",
            "error",
        ),
        (
            OPENAI + 'client.responses.create(input=x, truncation="auto")',
            "openai.truncation",
            "serve",
            "error",
        ),
        (
            "from llama_index.core.memory import ChatMemoryBuffer as B\n"
            "B.from_defaults(token_limit=1)",
            "llama-index.buffer",
            "retain",
            "error",
        ),
        (
            "from llama_index.core.memory import Memory\nMemory.from_defaults()",
            "llama-index.memory",
            "retain",
            "error",
        ),
        (
            LLAMA + "async def f(agent, ctx):\n    await agent.run('x', ctx=ctx)",
            "llama-index.context",
            "retain",
            "error",
        ),
        (AGNO + "Agent(db=db, session_id='s')", "agno.history", "retain", "error"),
        (AGNO + "Agent(add_history_to_context=True)", "agno.history-runs", "retain", "error"),
        (AGNO + "Agent(compress_tool_results=True)", "agno.compression", "summarise", "error"),
    ],
)
def test_a_layer_that_loses_context_is_found(
    source: str, key: str, boundary: str, severity: str, tmp_path: Path
) -> None:
    (found,) = usages(tmp_path, source)

    assert (found.key, found.boundary, found.severity) == (key, boundary, severity)
    assert found.path == str(tmp_path / "agent.py")
    assert found.line == source.count("\n") + 1
    assert found.remedy


@pytest.mark.parametrize(
    "source",
    [
        MIDDLEWARE + "S(model=m, trim_tokens_to_summarize=None)",
        "def SummarizationMiddleware(): ...\nSummarizationMiddleware()",
        "from ours import SummarizationMiddleware\nSummarizationMiddleware()",
        MIDDLEWARE + "isinstance(x, S)",
        "import langchain\nfrom ours import SummarizationMiddleware as S\nS()",
        MIDDLEWARE + "# S(model=m)\ntext = 'S(model=m)'",
        "from autogen_core.model_context import UnboundedChatCompletionContext as U\nU()",
        'from agents import ModelSettings\nModelSettings(truncation="disabled")',
        OPENAI + "client.responses.create(input=x)",
        OPENAI + 'client.images.create(truncation="auto")',
        'client.responses.create(input=x, truncation="auto")',
        LLAMA + "agent.run('x')",
        LLAMA + "class A(B):\n    def run(self, ctx):\n        return super().run(ctx=ctx)",
        LLAMA + "agent.run('x', ctx=None)",
        LLAMA + "agent.run('x', ctx=ctx, memory=memory)",
        LLAMA + "agent.run('x', ctx=ctx, **more)",
        "agent.run('x', ctx=ctx)",
        AGNO + "Agent()",
        AGNO + "Agent(db=db, add_history_to_context=wanted)",
        AGNO + "Agent(db=db, **settings)",
        AGNO + "Agent(compress_tool_results=False)",
        AGNO + "Agent(add_history_to_context=True, num_history_messages=400)",
        "from agno.team import Team\nTeam(db=db)",
        "from .langchain import SummarizationMiddleware\nSummarizationMiddleware()",
    ],
)
def test_what_only_looks_like_one_is_not(source: str, tmp_path: Path) -> None:
    assert usages(tmp_path, source) == []


def test_an_argument_is_shown_as_it_is_written(tmp_path: Path) -> None:
    (found,) = usages(tmp_path, AUTOGEN + "BufferedChatCompletionContext(LIMIT * 2)")

    assert [(one.name, one.value) for one in found.values] == [("buffer_size", "LIMIT * 2")]


def test_an_argument_that_is_left_out_has_the_installed_default(tmp_path: Path) -> None:
    python = environment(tmp_path / "env")
    source = "\n_DEFAULT_TRIM_TOKEN_LIMIT = 4321\n"
    file = "langchain/agents/middleware/summarization.py"
    install(python, "langchain", "1.5.2", {file: source})
    program = tmp_path / "agent.py"
    program.write_text(MIDDLEWARE + "S(model=m)", encoding="utf-8")

    found = look_in(python, code=program).items[0]

    assert found.path == str(program)
    assert [(one.value, one.line) for one in found.values] == [("4321", 2)]


def test_a_folder_is_read_without_what_is_not_its_own(tmp_path: Path) -> None:
    python = environment(tmp_path / "project" / "env")
    for name in ("env/lib", ".venv", "node_modules/x", "__pycache__", "app"):
        path = tmp_path / "project" / name / "agent.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(AUTOGEN + "BufferedChatCompletionContext(5)", encoding="utf-8")

    found = look_in(python, code=tmp_path / "project")

    assert (found.code, len(found.items)) == (1, 1)


@pytest.mark.parametrize("content", [b"def f(:\n", b"x = '\xff'\n", b"a\x00b"])
def test_a_program_that_cannot_be_read_is_named(content: bytes, tmp_path: Path) -> None:
    python = environment(tmp_path / "env")
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "old.py").write_bytes(content)

    found = look_in(python, code=tmp_path / "src")

    assert (found.code, found.unread) == (0, [str(tmp_path / "src" / "old.py")])


def test_what_the_compiler_warns_of_in_a_program_is_not_passed_on(tmp_path: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        (found,) = usages(tmp_path, AUTOGEN + "BufferedChatCompletionContext('\\d')")

    assert found.key == "autogen.buffered"
