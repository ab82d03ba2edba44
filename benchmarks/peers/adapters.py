"""One adapter a tool: a factory imports the tool and returns `cut(text, budget, name)`.

`name` is the input's file name. Every setting that is not the tool's default is explained where it
is made. Several adapters call private functions: they hold for the versions in requirements/ only.
This module is imported in every tool's own environment: it needs the standard library only.
"""

import json
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

NPM = Path(__file__).resolve().parent / "work" / "npm"
QUESTION = "find anything unusual"
CLAUDE = "claude-sonnet-4-5-20250929"
O200K_MODEL = "gpt-4o"  # its vocabulary is o200k_base


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """How much may be delivered, in characters or in tokens of o200k_base."""

    limit: int
    unit: Literal["chars", "tokens"]

    @property
    def tokens(self) -> int:
        """The limit for a tool that counts tokens; four characters are taken as one."""
        return self.limit if self.unit == "tokens" else self.limit // 4


CHARS = Budget(limit=6_000, unit="chars")
TOKENS = Budget(limit=1_500, unit="tokens")


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivered:
    """A text, and whether the tool's own account says that something is gone."""

    text: str
    says: bool


Cutter = Callable[[str, Budget, str], str | Delivered]


def chat(result: str, question: str = QUESTION) -> list[dict[str, Any]]:
    """Wrap `result` as the last tool result of a short OpenAI-shaped conversation."""
    call = {"id": "c1", "type": "function", "function": {"name": "tool", "arguments": "{}"}}
    return [
        {"role": "user", "content": question},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c1", "content": result},
    ]


# ---- ours ----------------------------------------------------------------------------------------


def ullage() -> Cutter:
    """Cut with every option at its default."""
    from ullage import chars, cut, tokens

    def call(text: str, budget: Budget, name: str) -> Delivered:
        make = chars if budget.unit == "chars" else tokens
        done = cut(text, make(budget.limit))
        return Delivered(text=done.text, says=bool(done.notice))

    return call


# ---- baselines and npm packages: no Python environment of their own ------------------------------


def naive_prefix() -> Cutter:
    """Keep the first characters."""
    return lambda text, budget, name: text[: budget.limit]


def naive_headtail() -> Cutter:
    """Keep both ends, and say how much is gone between them."""

    def cut(text: str, budget: Budget, name: str) -> str:
        if len(text) <= budget.limit:
            return text
        half = budget.limit // 2 - 20
        return f"{text[:half]}\n[... {len(text) - budget.limit} chars ...]\n{text[-half:]}"

    return cut


def node(script: str) -> Cutter:
    """Run a script that reads the text from its standard input; the start of node is timed too."""
    executable = shutil.which("node")
    if executable is None:
        raise RuntimeError("node is not on PATH")

    def cut(text: str, budget: Budget, name: str) -> str:
        done = subprocess.run(
            [executable, "-e", script, str(budget.limit)],
            input=text,
            text=True,
            encoding="utf-8",
            capture_output=True,
            cwd=NPM,
            check=False,
        )
        if done.returncode != 0:
            raise ValueError(done.stderr.strip().split("\n")[-1][:100])
        return done.stdout

    return cut


def npm_truncate_json() -> Cutter:
    """Cut to valid JSON of at most so many bytes; it refuses what is not JSON."""
    return node(
        "const text = require('fs').readFileSync(0, 'utf8');"
        "const no = e => { console.error('refused: ' + e.name); process.exit(1) };"
        "import('truncate-json')"
        ".then(m => process.stdout.write(m.default(text, +process.argv[1]).jsonString))"
        ".catch(no)"
    )


def npm_json_truncate() -> Cutter:
    """Cut below a depth of ten, its own default; it has no size, and takes JSON only."""
    return node(
        "const module = require('json-truncate');"
        "const shorten = module.default || module.truncate || module;"
        "const text = require('fs').readFileSync(0, 'utf8');"
        "let value;"
        "try { value = JSON.parse(text) }"
        "catch (e) { console.error('refused: not JSON'); process.exit(1) }"
        "process.stdout.write(JSON.stringify(shorten(value, {maxDepth: 10})))"
    )


# ---- environment `headroom` ----------------------------------------------------------------------


def headroom_smart() -> Cutter:
    """Crush with the defaults; there is no size to give."""
    from headroom import SmartCrusher, SmartCrusherConfig

    crusher = SmartCrusher(SmartCrusherConfig())
    return lambda text, budget, name: str(crusher.crush(text, "", 1.0).compressed)


def headroom_lossy() -> Cutter:
    """Force the row-dropping path, which a default user does not always get."""
    from headroom import SmartCrusher, SmartCrusherConfig

    crusher = SmartCrusher(SmartCrusherConfig(lossless_min_savings_ratio=0.99))
    return lambda text, budget, name: str(crusher.crush(text, "", 1.0).compressed)


def headroom_compress() -> Cutter:
    """Compress a conversation; `protect_recent=0`, since the result is its last message.

    Prose and logs go to a model that would be downloaded: without it they come back unchanged.
    """
    from headroom import compress

    def cut(text: str, budget: Budget, name: str) -> str:
        messages = chat(text, "find anything unusual in this output")
        ratio = min(1, budget.limit / len(text))
        done = compress(messages, model=CLAUDE, protect_recent=0, target_ratio=ratio)
        return str(done.messages[-1]["content"])

    return cut


def headroom_densify() -> Cutter:
    """Densify a conversation; logs need the same model as `compress`."""
    from headroom import densify

    return lambda text, budget, name: str(densify(chat(text), model=CLAUDE).messages[-1]["content"])


def litellm_trim() -> Cutter:
    """Trim one message; `trim_ratio=1.0`, so that all of the budget may be used."""
    from litellm.utils import trim_messages

    def cut(text: str, budget: Budget, name: str) -> str:
        message = {"role": "user", "content": text}
        model = {"model": O200K_MODEL} if budget.unit == "tokens" else {}
        kept = trim_messages([message], max_tokens=budget.tokens, trim_ratio=1.0, **model)
        return str(kept[-1]["content"]) if kept else ""

    return cut


# ---- environment `small` -------------------------------------------------------------------------


def cendor_squeeze() -> Cutter:
    """Compress to a number of tokens, of the model's own vocabulary."""
    from cendor.squeeze import compress

    def cut(text: str, budget: Budget, name: str) -> str:
        model = O200K_MODEL if budget.unit == "tokens" else "gpt-4"
        done = compress(text, kind="auto", target_tokens=budget.tokens, model=model)
        return str(done[0])

    return cut


def tooltrim() -> Cutter:
    """Compress to a number of tokens, by cl100k_base."""
    from tooltrim import ToolCompressor

    tool = ToolCompressor(max_tokens=1500)
    return lambda text, budget, name: str(tool.compress(text, max_tokens=budget.tokens).text)


def tooltrim_query() -> Cutter:
    """Compress with the question that the model would be asked."""
    from tooltrim import ToolCompressor

    tool = ToolCompressor(max_tokens=1500)
    query = "find anything unusual error anomaly"

    def cut(text: str, budget: Budget, name: str) -> str:
        return str(tool.compress(text, max_tokens=budget.tokens, query=query).text)

    return cut


def leantokens() -> Cutter:
    """Compress one result without loss; there is no size to give."""
    from leantokens import compress_tool

    return lambda text, budget, name: str(compress_tool(text))


def leantokens_smart() -> Cutter:
    """Compress a request with both lossy steps on; both are off by default."""
    from leantokens import compress_request

    def cut(text: str, budget: Budget, name: str) -> str:
        use = {"type": "tool_use", "id": "c1", "name": "Bash", "input": {"command": "x"}}
        result = {"type": "tool_result", "tool_use_id": "c1", "content": text}
        body: dict[str, Any] = {
            "model": "claude-sonnet-4-5",
            "messages": [
                {"role": "user", "content": QUESTION},
                {"role": "assistant", "content": [use]},
                {"role": "user", "content": [result]},
            ],
        }
        done = compress_request(body, lossy=True, smart=True)
        done = done[0] if isinstance(done, tuple) else done
        done = done if isinstance(done, dict) and "messages" in done else body
        content = done["messages"][-1]["content"][0]["content"]
        return content if isinstance(content, str) else json.dumps(content)

    return cut


def leancontext() -> Cutter:
    """Reduce a text behind its own fidelity gate; there is no size to give."""
    from leancontext import reduce_text

    return lambda text, budget, name: str(reduce_text(text).text)


def trimtok() -> Cutter:
    """Compress a terminal's output or a tool's result.

    A second sight of a text becomes a reference, so each process starts with an empty store.
    """
    import trimtok as tool

    def cut(text: str, budget: Budget, name: str) -> str:
        if name.endswith(".log"):
            return str(tool.compress_terminal("cat build.log", text)[0])
        return str(tool.compress_tool_result("mcp_tool", text)[0])

    return cut


def binomialhash() -> Cutter:
    """Ingest a result and return its summary."""
    from binomialhash import BinomialHash

    def cut(text: str, budget: Budget, name: str) -> str:
        done = BinomialHash().ingest(text, "data")
        return done if isinstance(done, str) else json.dumps(done)

    return cut


def terse() -> Cutter:
    """Compress a JSON value; it has nothing for other text."""
    from terse import transforms

    def cut(text: str, budget: Budget, name: str) -> str:
        try:
            value = json.loads(text)
        except ValueError:
            return text
        return str(transforms.compress(value))

    return cut


def truncate_middle() -> Cutter:
    """Keep both ends of a text."""
    from tool_output_truncate import truncate_middle as tool

    return lambda text, budget, name: str(tool(text, budget.limit))


def toon() -> Cutter:
    """Write a JSON value, or the rows of NDJSON, in the TOON notation."""
    import toons

    def cut(text: str, budget: Budget, name: str) -> str:
        try:
            value = json.loads(text)
        except ValueError:
            try:
                value = [json.loads(line) for line in text.split("\n") if line]
            except ValueError:
                return text
        return str(toons.dumps(value))

    return cut


# ---- environment `langchain` ---------------------------------------------------------------------


def langchain_messages(text: str) -> list[Any]:
    """Wrap `text` as the last tool result of a conversation."""
    from langchain_core.messages import AIMessage, HumanMessage, ToolMessage

    call = AIMessage("", tool_calls=[{"name": "t", "args": {}, "id": "c1"}])
    return [HumanMessage(QUESTION), call, ToolMessage(text, tool_call_id="c1")]


def langchain_count(budget: Budget) -> Callable[[list[Any]], int]:
    """Return the counter to hand to langchain: exact for tokens, else four characters a token."""
    if budget.unit == "chars":
        return lambda messages: sum(len(str(message.content)) for message in messages) // 4
    import tiktoken

    encode = tiktoken.get_encoding("o200k_base").encode_ordinary
    return lambda messages: sum(len(encode(str(message.content))) for message in messages)


def langchain_trim() -> Cutter:
    """Trim a conversation to its last tokens, a message in part where needed."""
    from langchain_core.messages import trim_messages

    def cut(text: str, budget: Budget, name: str) -> str:
        kept = trim_messages(
            langchain_messages(text),
            max_tokens=budget.tokens,
            token_counter=langchain_count(budget),
            strategy="last",
            allow_partial=True,
        )
        return "\n".join(str(message.content) for message in kept)

    return cut


def langchain_contextedit() -> Cutter:
    """`keep=0`, where the default is 3: with one result in the history 3 would keep it whole."""
    from langchain.agents.middleware.context_editing import ClearToolUsesEdit

    def cut(text: str, budget: Budget, name: str) -> str:
        messages = langchain_messages(text)
        edit = ClearToolUsesEdit(trigger=budget.tokens, keep=0)
        edit.apply(messages, count_tokens=langchain_count(budget))
        return str(messages[-1].content)

    return cut


def deepagents_evict() -> Cutter:
    """Render the eviction at any size; by default it starts at 20,000 tokens."""
    from deepagents.middleware import _message_eviction as eviction

    return lambda text, budget, name: str(
        eviction._render_too_large_tool_msg(
            tool_call_id="call_1", file_path="/large_tool_results/call_1", content_str=text
        )
    )


# ---- environment `pydantic` ----------------------------------------------------------------------


def pydantic_truncate() -> Cutter:
    """Keep both ends of a text."""
    from pydantic_ai_harness.tool_output_limits._payload import TruncationStrategy, truncate_text

    return lambda text, budget, name: str(
        truncate_text(text, budget.limit, TruncationStrategy.head_tail)
    )


def pydantic_spill() -> Cutter:
    """Store a result and show a preview of 2,000 characters, where the default is 1,000."""
    from pydantic_ai_harness.tool_output_limits import _capability as capability

    def cut(text: str, budget: Budget, name: str) -> str:
        try:
            value = json.loads(text)
        except ValueError:
            value = text
        unit = capability._Unit(binary=None, text=text, data=None, value=value, suffix="")
        hint = "Read it with read_tool_result(handle='h1')"
        return str(
            capability._build_spill_preview("h1", unit, 2000, over_tokens=False, read_hint=hint)
        )

    return cut


ENVIRONMENTS: dict[str, tuple[Callable[[], Cutter], ...]] = {
    "ullage": (ullage,),
    "plain": (naive_prefix, naive_headtail),
    "npm": (npm_truncate_json, npm_json_truncate),
    "pydantic": (pydantic_truncate, pydantic_spill),
    "langchain": (deepagents_evict, langchain_trim, langchain_contextedit),
    "small": (
        cendor_squeeze,
        tooltrim,
        tooltrim_query,
        leantokens,
        leantokens_smart,
        leancontext,
        trimtok,
        binomialhash,
        terse,
        truncate_middle,
        toon,
    ),
    "headroom": (
        headroom_smart,
        headroom_lossy,
        headroom_compress,
        headroom_densify,
        litellm_trim,
    ),
}
FACTORIES = {factory.__name__: factory for group in ENVIRONMENTS.values() for factory in group}
COUNT_TOKENS = {
    factory.__name__
    for factory in (
        ullage,
        langchain_trim,
        langchain_contextedit,
        cendor_squeeze,
        tooltrim,
        tooltrim_query,
        litellm_trim,
    )
}
