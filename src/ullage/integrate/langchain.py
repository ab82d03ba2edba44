"""LangChain and LangGraph: a middleware that cuts results and shortens requests.

    from ullage.integrate.langchain import Fitting, UllageMiddleware

    agent = create_agent(
        model, tools, middleware=[UllageMiddleware(Fitting(results=2_000, history=32_000))]
    )

Put it last in the list: the last middleware is the nearest to the tool and to the model, so that no
other one cuts a result before it is recorded, or adds to a request after it was measured.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

try:
    from langchain.agents.middleware.types import (
        AgentMiddleware,
        ExtendedModelResponse,
        ModelRequest,
        ModelResponse,
    )
except ImportError as error:
    raise ImportError(
        f"ullage.integrate.langchain needs LangChain: pip install 'ullage[langchain]' ({error})"
    ) from error
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, RemoveMessage, ToolMessage
from langchain_core.tools import StructuredTool
from langchain_core.utils.function_calling import convert_to_openai_tool
from langgraph.graph.message import REMOVE_ALL_MESSAGES
from langgraph.types import Command

from ullage.integrate.adapters.adapter import Adapter
from ullage.integrate.adapters.carried import Kind
from ullage.integrate.adapters.entries import Fitted
from ullage.integrate.adapters.fitting import Fitting
from ullage.integrate.adapters.langchain_messages import as_chat, as_messages
from ullage.integrate.adapters.raised import Said, raise_to_warning
from ullage.integrate.adapters.results import Handed
from ullage.tap.auto.blocks import text_in
from ullage.tap.calls import Call

__all__ = ["Fitting", "UllageMiddleware"]

TRIMS = Said(logger="langchain.agents.middleware.summarization", begins="Summary prompt exceeded")
KIND: Kind[BaseMessage] = Kind(
    is_user=lambda one: one.type == "human",
    is_reply=lambda one: one.type == "ai",
    text=lambda one: one.content if isinstance(one.content, str) else "",
    make=lambda text: HumanMessage(content=text),
)
Reply = Any  # ModelResponse, AIMessage or ExtendedModelResponse: passed on as it comes


class UllageMiddleware(AgentMiddleware):  # type: ignore[misc]  # LangChain is not there for mypy
    """Cuts and records what tools return, and shortens what the model is sent.

    The graph's state keeps every message; with `replace_state` what was sent takes its place.
    For a graph of your own, `ToolNode` takes its `wrap_tool_call` and `awrap_tool_call`, and
    LangGraph's prebuilt agent its `pre_model_hook`.
    Raises HistoryError from the model's call where a history cannot be brought into its budget.
    """

    def __init__(self, fitting: Fitting, *, replace_state: bool = False) -> None:
        super().__init__()
        self.adapter = Adapter(fitting)
        self.replace_state = replace_state
        self.tools: list[Any] = own_tools(self.adapter)
        raise_to_warning(TRIMS)

    def wrap_tool_call(self, request: Any, handler: Callable[[Any], Any]) -> Any:
        """Record a result as the tool made it, and hand on what fits its budget."""
        asked = request.tool_call
        with self.adapter.call(asked["name"], asked["id"]) as call:
            made = handler(request)
        return handed_on(self.adapter, call, asked["args"], made)

    async def awrap_tool_call(self, request: Any, handler: Callable[[Any], Awaitable[Any]]) -> Any:
        """Do the same to a tool that is awaited."""
        asked = request.tool_call
        with self.adapter.call(asked["name"], asked["id"]) as call:
            made = await handler(request)
        return handed_on(self.adapter, call, asked["args"], made)

    def wrap_model_call(
        self, request: "ModelRequest[Any]", handler: Callable[["ModelRequest[Any]"], Reply]
    ) -> Reply:
        """Send what fits the budget of the history."""
        given = given_in(request, self.adapter)
        chat = self.adapter.carried.marked(as_chat(given))
        fitted = self.adapter.history(document_of(request, chat))
        sent = sent_of(given, chat, fitted)
        changed = with_messages(request, sent)
        reply = handler(changed)
        return reply if changed is request else self._kept(sent, reply)

    async def awrap_model_call(
        self,
        request: "ModelRequest[Any]",
        handler: Callable[["ModelRequest[Any]"], Awaitable[Reply]],
    ) -> Reply:
        """Do the same to a model that is awaited."""
        given = given_in(request, self.adapter)
        chat = self.adapter.carried.marked(as_chat(given))
        fitted = await self.adapter.history_async(document_of(request, chat))
        sent = sent_of(given, chat, fitted)
        changed = with_messages(request, sent)
        reply = await handler(changed)
        return reply if changed is request else self._kept(sent, reply)

    def pre_model_hook(self, state: Mapping[str, Any]) -> dict[str, Any]:
        """Return what a prebuilt graph is to send; its state keeps every message."""
        given = self.adapter.carried.among(state["messages"], KIND)
        chat = self.adapter.carried.marked(as_chat(given))
        sent = sent_of(given, chat, self.adapter.history({"messages": chat}))
        if self.replace_state:
            return {"messages": [RemoveMessage(id=REMOVE_ALL_MESSAGES), *sent]}
        return {"llm_input_messages": sent}

    def _kept(self, sent: Sequence[BaseMessage], reply: Reply) -> Reply:
        """Return the reply; with `replace_state` with what the state is to hold from now on."""
        if not self.replace_state:
            return reply
        inner = reply.model_response if isinstance(reply, ExtendedModelResponse) else reply
        if isinstance(inner, AIMessage):
            inner = ModelResponse(result=[inner])
        kept = [one for one in sent if one.type != "system"]
        messages = [RemoveMessage(id=REMOVE_ALL_MESSAGES), *kept, *inner.result]
        return ExtendedModelResponse(
            model_response=inner, command=Command(update={"messages": messages})
        )


def own_tools(adapter: Adapter) -> list[StructuredTool]:
    """Return the tools of Ullage's that the agent is given."""
    return [
        StructuredTool.from_function(one.function, name=one.name, description=one.description)
        for one in adapter.own_tools()
    ]


def given_in(request: "ModelRequest[Any]", adapter: Adapter) -> list[BaseMessage]:
    """Return the messages of a request, its system message first, what is handed on among them."""
    system = [] if request.system_message is None else [request.system_message]
    return adapter.carried.among([*system, *request.messages], KIND)


def with_messages(request: "ModelRequest[Any]", sent: Sequence[BaseMessage]) -> "ModelRequest[Any]":
    """Return a request with other messages; the system message has a place of its own in it."""
    own = [one for one in sent if one is not request.system_message]
    return request if own == request.messages else request.override(messages=own)


def document_of(request: "ModelRequest[Any]", chat: list[dict[str, Any]]) -> dict[str, Any]:
    """Return what is measured of a request: its messages, its tools, the room for the reply."""
    document: dict[str, Any] = {
        "messages": chat,
        "tools": [convert_to_openai_tool(one) for one in request.tools],
    }
    limit = request.model_settings.get("max_tokens") or getattr(request.model, "max_tokens", None)
    return {**document, "max_tokens": limit} if isinstance(limit, int) else document


def sent_of(
    given: Sequence[BaseMessage], chat: Sequence[Mapping[str, Any]], fitted: Fitted | None
) -> list[BaseMessage]:
    """Return the messages to send."""
    return list(given) if fitted is None else as_messages(given, chat, fitted.entries)


def handed_on(adapter: Adapter, call: Call, arguments: object, made: Any) -> Any:
    """Return what a tool's call gave, the message that answers the call cut to its budget."""
    if isinstance(made, ToolMessage):
        return cut_message(adapter, call, arguments, made)
    if isinstance(made, Command):
        return cut_command(adapter, call, arguments, made)
    if isinstance(made, list):
        return [handed_on(adapter, call, arguments, one) for one in made]
    return made


def cut_command(adapter: Adapter, call: Call, arguments: object, made: Any) -> Any:
    """Return a command with its messages cut that answer the call; the rest is the graph's."""
    update = made.update
    messages = update.get("messages") if isinstance(update, Mapping) else None
    if not isinstance(messages, list):
        return made
    done = [
        cut_message(adapter, call, arguments, one)
        if isinstance(one, ToolMessage) and one.tool_call_id == call.call_id
        else one
        for one in messages
    ]
    return replace(made, update={**update, "messages": done})


def cut_message(adapter: Adapter, call: Call, arguments: object, made: ToolMessage) -> ToolMessage:
    """Return the message of a result; texts in its content are cut, its artifact is kept."""
    content = made.content
    if isinstance(content, str):
        handed = adapter.texts(call, arguments, [content])
        return noted(made, handed.text, handed) if handed.cut else made
    texts = [one if isinstance(one, str) else text_in(one) for one in content]
    handed = adapter.texts(call, arguments, [one for one in texts if one is not None])
    if not handed.cut:
        return made
    left = iter(handed.texts)
    blocks = [
        block
        if text is None
        else next(left)
        if isinstance(block, str)
        else {**block, "text": next(left)}
        for block, text in zip(content, texts, strict=True)
    ]
    return noted(made, blocks, handed)


def noted(made: ToolMessage, content: Any, handed: Handed) -> ToolMessage:
    """Return a message with another content, and what was left out in its metadata."""
    account = {
        "produced_chars": handed.produced_chars,
        "delivered_chars": len(handed.text),
        "notices": list(handed.notices),
    }
    metadata = {**made.response_metadata, "ullage": account}
    return made.model_copy(update={"content": content, "response_metadata": metadata})
