"""Pydantic AI: a capability that cuts results and shortens requests.

    from ullage.integrate.pydantic_ai import Fitting, Ullage

    agent = Agent(model, tools=tools, capabilities=[Ullage(Fitting(results=2_000, history=32_000))])

Put it last in the list: the last one stands nearest to the tools and to the model.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

try:
    from pydantic_ai.capabilities import AbstractCapability
    from pydantic_ai.messages import (
        ModelRequest,
        ModelResponse,
        ToolReturn,
        UserPromptPart,
        is_multi_modal_content,
    )
    from pydantic_ai.tools import Tool
    from pydantic_ai.toolsets import FunctionToolset, WrapperToolset
except ImportError as error:
    raise ImportError(
        "ullage.integrate.pydantic_ai needs Pydantic AI: "
        f"pip install 'ullage[pydantic-ai]' ({error})"
    ) from error
from pydantic_core import to_jsonable_python

from ullage.cutter.decode import as_text
from ullage.integrate.adapters.adapter import Adapter
from ullage.integrate.adapters.carried import Kind
from ullage.integrate.adapters.entries import Entry
from ullage.integrate.adapters.fitting import Fitting
from ullage.integrate.adapters.pydantic_ai_messages import as_chat, as_messages

if TYPE_CHECKING:
    from pydantic_ai.models import ModelRequestContext
    from pydantic_ai.tools import RunContext
    from pydantic_ai.toolsets import AbstractToolset, ToolsetTool

    from ullage.tap.calls import Call

__all__ = ["Fitting", "Ullage"]


KIND: Kind[Any] = Kind(
    is_user=lambda one: any(isinstance(part, UserPromptPart) for part in one.parts),
    is_reply=lambda one: isinstance(one, ModelResponse),
    text=lambda one: text_alone(one),
    make=lambda text: ModelRequest(parts=[UserPromptPart(content=text)]),
)


class Ullage(AbstractCapability):  # type: ignore[misc]  # Pydantic AI is not there for mypy
    """Cuts and records what tools return, and shortens what the model is sent.

    The run's history keeps every message; with `replace_state` what was sent takes its place.
    Raises HistoryError from the model's request where a history cannot be brought into its budget.
    """

    def __init__(self, fitting: Fitting, *, replace_state: bool = False) -> None:
        self.adapter = Adapter(fitting)
        self.replace_state = replace_state

    def get_toolset(self) -> "FunctionToolset[Any] | None":
        """Return the tools of Ullage's that the agent is given."""
        own = self.adapter.own_tools()
        if not own:
            return None
        return FunctionToolset(
            [Tool(one.function, name=one.name, description=one.description) for one in own]
        )

    def get_wrapper_toolset(self, toolset: "AbstractToolset[Any]") -> "AbstractToolset[Any]":
        """Stand around the tools, inside every hook that runs after one of them."""
        return FittedToolset(wrapped=toolset, adapter=self.adapter)

    async def prepare_model_request(
        self, ctx: "RunContext[Any]", request_context: "ModelRequestContext"
    ) -> "ModelRequestContext":
        """Send what fits the budget of the history."""
        history = self.adapter.carried.among(request_context.messages, KIND)
        chat = as_chat(history)
        head = instructions_of(request_context)
        document = {
            **document_of(request_context),
            "messages": [*head, *self.adapter.carried.marked(chat.messages)],
        }
        fitted = await self.adapter.history_async(document)
        if fitted is not None and fitted.changed:
            entries = [one for one in map(behind(len(head)), fitted.entries) if one is not None]
            history = as_messages(history, chat, entries)
            if self.replace_state:
                ctx.messages[:] = history
        if history == request_context.messages:
            return request_context
        return replace(request_context, messages=history)


def text_alone(message: Any) -> str:
    """Return the text of a message that is one text of the user's, and nothing else."""
    contents = [getattr(part, "content", None) for part in message.parts]
    return contents[0] if len(contents) == 1 and isinstance(contents[0], str) else ""


def behind(head: int) -> Any:
    """Return what moves the place of an entry to the front by so many; None for those."""

    def moved(entry: Entry) -> Entry | None:
        if entry.place is None:
            return entry
        return None if entry.place < head else replace(entry, place=entry.place - head)

    return moved


def instructions_of(request: "ModelRequestContext") -> list[dict[str, Any]]:
    """Return the instructions of a request, which stand in none of its messages."""
    parts = request.model_request_parameters.instruction_parts or ()
    text = "\n\n".join(part.content for part in parts)
    return [{"role": "system", "content": text}] if text else []


def document_of(request: "ModelRequestContext") -> dict[str, Any]:
    """Return what is measured of a request beside its messages: its tools, room for the reply."""
    given = request.model_request_parameters
    tools = [
        {
            "type": "function",
            "function": {
                "name": tool.name,
                "description": tool.description or "",
                "parameters": tool.parameters_json_schema,
            },
        }
        for tool in [*given.function_tools, *given.output_tools]
    ]
    limit = (request.model_settings or {}).get("max_tokens")
    document: dict[str, Any] = {"tools": tools}
    return {**document, "max_tokens": limit} if isinstance(limit, int) else document


@dataclass
class FittedToolset(WrapperToolset):  # type: ignore[misc]  # see above
    """The tools of an agent, what they return recorded and cut."""

    adapter: Adapter

    async def call_tool(
        self,
        name: str,
        tool_args: dict[str, Any],
        ctx: "RunContext[Any]",
        tool: "ToolsetTool[Any]",
    ) -> Any:
        """Record a result as the tool made it, and hand on what fits its budget."""
        with self.adapter.call(name, ctx.tool_call_id) as call:
            made = await self.wrapped.call_tool(name, tool_args, ctx, tool)
        return handed_on(self.adapter, call, tool_args, made)


def handed_on(adapter: Adapter, call: "Call", arguments: Mapping[str, Any], made: Any) -> Any:
    """Return what a tool gave, cut to its budget: the very object where nothing is left out.

    What is cut is handed on as text; files, and what a tool says beside its result, stay.
    """
    if isinstance(made, ToolReturn):
        value = handed_on(adapter, call, arguments, made.return_value)
        return made if value is made.return_value else replace(made, return_value=value)
    if is_multi_modal_content(made):
        return made
    if isinstance(made, list) and any(map(is_multi_modal_content, made)):
        return cut_among_files(adapter, call, arguments, made)
    handed = adapter.texts(call, arguments, [text_of(made)])
    return handed.text if handed.cut else made


def cut_among_files(
    adapter: Adapter, call: "Call", arguments: Mapping[str, Any], made: list[Any]
) -> list[Any]:
    """Return a list of files and values with its values cut."""
    values = [one for one in made if not is_multi_modal_content(one)]
    handed = adapter.texts(call, arguments, [text_of(one) for one in values])
    if not handed.cut:
        return made
    left = iter(handed.texts)
    return [one if is_multi_modal_content(one) else next(left) for one in made]


def text_of(value: Any) -> str:
    """Return a value as the framework would write it: models and dataclasses as JSON."""
    if isinstance(value, str | bytes):
        return as_text(value)
    plain = to_jsonable_python(value, fallback=repr)
    return (
        plain
        if isinstance(plain, str)
        else json.dumps(plain, ensure_ascii=False, separators=(",", ":"))
    )
