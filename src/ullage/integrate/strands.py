"""Strands: an agent whose results are cut and whose requests are shortened.

    from ullage.integrate.strands import Fitting, fit

    agent = fit(Agent(model=model, tools=tools), Fitting(results=2_000, history=32_000))

Sync, async and streamed runs alike: results in the agent's hooks, requests in a copy of its model.
"""

import copy
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import ExitStack
from typing import Any, ClassVar, TypeVar

try:
    from strands import tool
    from strands.agent.conversation_manager import (
        NullConversationManager,
        SlidingWindowConversationManager,
    )
    from strands.hooks import AfterToolCallEvent, BeforeToolCallEvent
    from strands.models import Model
except ImportError as error:
    raise ImportError(
        f"ullage.integrate.strands needs Strands: pip install 'ullage[strands]' ({error})"
    ) from error

from ullage.integrate.adapters.adapter import Adapter
from ullage.integrate.adapters.entries import Fitted
from ullage.integrate.adapters.fitting import Fitting
from ullage.integrate.adapters.strands_messages import (
    KIND,
    as_anthropic,
    as_messages,
    text_in,
    text_of,
)
from ullage.tap.calls import Call

__all__ = ["Fitting", "fit"]

A = TypeVar("A")
OWN_TRIMS = (NullConversationManager, SlidingWindowConversationManager)
LIMITS = ("max_tokens", "max_completion_tokens", "max_output_tokens")
"""What models call the room for the reply."""


def fit(agent: A, fitting: Fitting) -> A:
    """Have an agent cut and record results, and shorten what its model is sent.

    `agent.messages` keeps every message: with `history` set, the sliding window that an agent has
    by default is taken off, which would drop the oldest of more than 40 without a word. A run fails
    with HistoryError where a history cannot be brought into its budget. Pinned messages stay.
    Raises ValueError for an agent that is fitted, or has another manager of its context.
    """
    fitted: Any = agent
    if isinstance(fitted.model, FittedModel):
        raise ValueError(  # noqa: TRY004  # it is of the right type, once
            "this agent is fitted already: fit() is called once for each agent"
        )
    if fitting.history is not None:
        without_window(fitted)
    adapter = Adapter(fitting)
    for one in adapter.own_tools():
        made = tool(name=one.name, description=one.description)(one.function)
        fitted.tool_registry.process_tools([made])
    Results(adapter).register(fitted.hooks)
    fitted.model = fitted_model(fitted.model, adapter)
    return agent


def without_window(agent: Any) -> None:
    """Take off the sliding window; whatever else shortens is somebody's choice, and acts first.

    What stands in its place bears its name: a session that is restored asks for the same one.
    """
    manager = agent.conversation_manager
    others = [one for one in (getattr(agent, "context_manager", None), manager) if one is not None]
    for one in others:
        if type(one) not in OWN_TRIMS:
            raise ValueError(
                f"{type(one).__name__} would shorten the history before Ullage does: give the "
                "agent NullConversationManager() and no context_manager, or fit it without history="
            )
    agent.conversation_manager = type(type(manager).__name__, (NullConversationManager,), {})()


class Results:
    """Stands around the calls of an agent's tools, by its hooks."""

    def __init__(self, adapter: Adapter) -> None:
        self._adapter = adapter
        self._open: dict[str, tuple[ExitStack, Call]] = {}

    def register(self, hooks: Any) -> None:
        """Add both hooks; the last one that is added sees a result first."""
        hooks.add_callback(BeforeToolCallEvent, self.before)
        hooks.add_callback(AfterToolCallEvent, self.after)

    def before(self, event: Any) -> None:
        """Open a call: what the tool's own code records is this call's."""
        use = event.tool_use
        stack = ExitStack()
        call = stack.enter_context(self._adapter.call(use["name"], use["toolUseId"]))
        self._open[use["toolUseId"]] = stack, call

    def after(self, event: Any) -> None:
        """Record a result, and leave in it what fits its budget; an error stays as it is."""
        use, result = event.tool_use, event.result
        stack, call = self._open.pop(use["toolUseId"], (None, None))
        if stack is not None:
            stack.close()
        if not isinstance(result, Mapping) or result.get("status") == "error":
            return
        call = call or Call(call_id=use["toolUseId"], tool=use["name"])
        texts = [text_in(one) for one in result["content"]]
        known = [one for one in texts if one is not None]
        handed = self._adapter.texts(call, use["input"], known)
        if handed.cut:
            left = iter(handed.texts)
            content = [
                block if text is None else {"text": next(left)}
                for block, text in zip(result["content"], texts, strict=True)
            ]
            event.result = {**result, "content": content}


class FittedModel(Model):  # type: ignore[misc]  # Strands is not there for mypy
    """What stands in front of a model's own class: its requests are shortened."""

    ullage: ClassVar[Adapter]

    async def stream(
        self,
        messages: Any,
        tool_specs: Any = None,
        system_prompt: str | None = None,
        *args: Any,
        **kwargs: Any,
    ) -> AsyncIterator[Any]:
        """Send what fits the budget of the history."""
        given = self.ullage.carried.among(messages, KIND)
        said = self.ullage.carried.marked(as_anthropic(given), in_blocks)
        fitted = await self.ullage.history_async(
            {
                "system": system_prompt or "",
                "messages": said,
                "tools": [definition(one) for one in tool_specs or ()],
                "max_tokens": reserve_of(self.get_config()),
            }
        )
        sent = sent_of(given, said, fitted)
        async for one in super().stream(sent, tool_specs, system_prompt, *args, **kwargs):
            yield one


def in_blocks(message: Mapping[str, Any]) -> str:
    """Return the texts of a message as it is measured."""
    return text_of({"content": [one for one in message["content"] if one["type"] == "text"]})


def sent_of(
    given: Sequence[Mapping[str, Any]], said: Sequence[Mapping[str, Any]], fitted: Fitted | None
) -> list[Mapping[str, Any]]:
    """Return the messages to send."""
    return list(given) if fitted is None else as_messages(given, said, fitted.entries)


def definition(spec: Mapping[str, Any]) -> dict[str, Any]:
    """Return a tool as it is measured."""
    schema = spec["inputSchema"]
    return {
        "name": spec["name"],
        "description": spec["description"],
        "input_schema": schema.get("json", schema),
    }


def reserve_of(config: Any) -> int:
    """Return the room for the reply that a model's settings name; 0 where they name none."""
    places = [config, config.get("params") or {}] if isinstance(config, Mapping) else []
    found = [place[name] for place in places for name in LIMITS if place.get(name)]
    return int(found[0]) if found else 0


def fitted_model(model: Any, adapter: Adapter) -> Any:
    """Return a copy of a model, of a class of the same name whose requests are shortened."""
    made = copy.copy(model)
    made.__class__ = type(type(model).__name__, (FittedModel, type(model)), {"ullage": adapter})
    return made
