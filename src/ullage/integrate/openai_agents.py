"""OpenAI Agents SDK: tools whose results are cut, and a filter that shortens requests.

    from ullage.integrate.openai_agents import Fitting, Ullage

    ullage = Ullage(Fitting(results=2_000, history=32_000))
    agent = Agent(name="clerk", tools=ullage.tools(tools))
    await Runner.run(agent, prompt, run_config=ullage.run_config())

For the Responses API and for chat completions: the SDK keeps one form for both.
"""

import copy
import functools
import inspect
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

try:
    from agents import FunctionTool, RunConfig, function_tool
except ImportError as error:
    raise ImportError(
        "ullage.integrate.openai_agents needs the OpenAI Agents SDK: "
        f"pip install 'ullage[openai-agents]' ({error})"
    ) from error
from pydantic import BaseModel

from ullage.integrate.adapters.adapter import Adapter
from ullage.integrate.adapters.carried import Kind
from ullage.integrate.adapters.entries import messages_of
from ullage.integrate.adapters.fitting import Fitting
from ullage.integrate.adapters.raised import Said, raise_to_warning
from ullage.tap.auto.blocks import text_in

if TYPE_CHECKING:
    from agents.run_config import CallModelData, ModelInputData

    from ullage.tap.calls import Call

__all__ = ["Fitting", "Ullage"]

TRIMS = (
    Said(logger="agents.extensions.tool_output_trimmer", begins="ToolOutputTrimmer: trimmed"),
    Said(logger="openai-agents.openai.compaction", begins="compact: done"),
)
OUTPUT = "function_call_output"
INNER = "_invoke_tool_impl"
"""Where the invoker of a decorated function keeps what calls it."""

Invoke = Callable[[Any, str], Awaitable[Any]]


KIND: Kind[Any] = Kind(
    is_user=lambda one: one.get("role") == "user",
    is_reply=lambda one: one.get("role") == "assistant" or is_call(one),
    text=lambda one: one.get("content") if isinstance(one.get("content"), str) else "",
    make=lambda text: {"role": "user", "content": text},
)


class Ullage:
    """Cuts and records what tools return, and shortens what the model is sent.

    A session keeps every item; only what is sent is shortened. Results of tools that `tools` was
    not given, such as those of MCP servers, are cut when they are sent, in each request alike.
    Raises HistoryError from the run where a history cannot be brought into its budget.
    """

    def __init__(self, fitting: Fitting) -> None:
        self.adapter = Adapter(fitting)
        for one in TRIMS:
            raise_to_warning(one)

    def tools(self, tools: Sequence[Any]) -> list[Any]:
        """Return the tools, functions and agents as tools among them, with their results cut.

        Behind them are Ullage's own, where the settings ask for them.
        """
        made = [
            fitted(self.adapter, one) if isinstance(one, FunctionTool) else one for one in tools
        ]
        own = [
            function_tool(
                one.function, name_override=one.name, description_override=one.description
            )
            for one in self.adapter.own_tools()
        ]
        return [*made, *own]

    def run_config(self, config: "RunConfig | None" = None) -> "RunConfig":
        """Return the settings of a run with the filter; one that is there already goes first."""
        config = config or RunConfig()
        earlier = config.call_model_input_filter

        async def filtered(data: "CallModelData[Any]") -> "ModelInputData":
            if earlier is not None:
                found = earlier(data)
                done = await found if inspect.isawaitable(found) else found
                data = replace(data, model_data=done)
            return await self(data)

        return replace(config, call_model_input_filter=filtered)

    async def __call__(self, data: "CallModelData[Any]") -> "ModelInputData":
        """Return what is to be sent: a `call_model_input_filter`."""
        given = data.model_data
        names = {one.get("call_id"): one.get("name") for one in given.input if is_call(one)}
        cut = [self._cut(one, names) for one in given.input]
        items = self.adapter.carried.among(cut, KIND)
        document = {
            "input": self.adapter.carried.marked(items),
            "instructions": given.instructions or "",
            "tools": [definition(one) for one in data.agent.tools if isinstance(one, FunctionTool)],
        }
        done = await self.adapter.history_async(document)
        sent = items if done is None else messages_of(items, done.entries)
        return replace(given, input=sent)

    def _cut(self, item: Any, names: Mapping[Any, Any]) -> Any:
        """Return an item with its output cut; one that is within the budget is left as it is."""
        output = item.get("output") if isinstance(item, Mapping) else None
        if not isinstance(output, str) or item.get("type") != OUTPUT:
            return item
        tool = names.get(item.get("call_id"))
        if self.adapter.is_own(tool):
            return item
        text = self.adapter.cut([output], tool=tool or "").text
        return item if text == output else {**item, "output": text}


def is_call(item: Any) -> bool:
    """Whether an item is a call of a function."""
    return isinstance(item, Mapping) and item.get("type") == "function_call"


def fitted(adapter: Adapter, tool: "FunctionTool") -> "FunctionTool":
    """Return a copy of a tool that records its result, and hands on what fits the budget.

    The SDK's own invoker stays around it: it answers errors, and checks arguments for an approval.
    """
    made = copy.copy(tool)
    inner = getattr(made.on_invoke_tool, INNER, None)
    if inner is None:
        made.on_invoke_tool = around(adapter, tool.name, made.on_invoke_tool)
    else:
        invoker = copy.copy(made.on_invoke_tool)
        setattr(invoker, INNER, around(adapter, tool.name, inner))
        made.on_invoke_tool = invoker
    return made


def around(adapter: Adapter, name: str, invoke: Invoke) -> Invoke:
    """Return what calls a tool, its result cut; what the SDK has noted about it stays noted."""

    @functools.wraps(invoke)
    async def invoke_fitted(context: Any, arguments: str) -> Any:
        with adapter.call(name, getattr(context, "tool_call_id", None)) as call:
            value = await invoke(context, arguments)
        return handed_on(adapter, call, arguments, value)

    return invoke_fitted


def handed_on(adapter: Adapter, call: "Call", arguments: str, value: Any) -> Any:
    """Return what a tool gave: a text, or content blocks whose texts are cut.

    What is neither is handed on as JSON: the SDK would write it as Python does.
    """
    blocks = value if isinstance(value, list | tuple) else [value]
    if blocks and all(map(is_block, blocks)):
        return cut_blocks(adapter, call, arguments, value, list(blocks))
    handed = adapter.result(call, arguments, plain(value))
    return value if isinstance(value, str) and not handed.cut else handed.text


def is_block(value: Any) -> bool:
    """Whether a value is content that the SDK knows: a text, an image, a file."""
    kind = value.get("type") if isinstance(value, dict) else getattr(value, "type", None)
    return kind in ("text", "input_text", "image", "input_image", "file", "input_file")


def cut_blocks(
    adapter: Adapter, call: "Call", arguments: str, value: Any, blocks: list[Any]
) -> Any:
    """Return content with its texts cut; images and files stay."""
    texts = [text_in(one) for one in blocks]
    handed = adapter.texts(call, arguments, [one for one in texts if one is not None])
    if not handed.cut:
        return value
    left = iter(handed.texts)
    return [
        one if text is None else said(one, next(left))
        for one, text in zip(blocks, texts, strict=True)
    ]


def said(block: Any, text: str) -> Any:
    """Return a text block with another text."""
    if isinstance(block, dict):
        return {**block, "text": text}
    return block.model_copy(update={"text": text})


def plain(value: Any) -> Any:
    """Return a model as what JSON can hold."""
    return value.model_dump(mode="json") if isinstance(value, BaseModel) else value


def definition(tool: "FunctionTool") -> dict[str, Any]:
    """Return a tool as a request defines it."""
    return {
        "type": "function",
        "name": tool.name,
        "description": tool.description,
        "parameters": tool.params_json_schema,
        "strict": tool.strict_json_schema,
    }
