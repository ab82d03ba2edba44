"""A loop of your own: tools whose results are cut, and requests that fit.

    from ullage.integrate.functions import Fitting, Ullage

    ullage = Ullage(Fitting(results=2_000, history=32_000))

    @ullage.tool
    def list_orders(customer: str) -> dict: ...

    client.chat.completions.create(**ullage.shorten(body))

For any client: what is shortened is a request in the form of OpenAI (chat, Responses), Anthropic or
Gemini, or its list of messages.
"""

import functools
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar, cast

from ullage.history import finding_tool, recall_tool
from ullage.history.described import Described, spelled
from ullage.history.forms.form import Form, need_list
from ullage.history.forms.markers import without_markers
from ullage.history.forms.table import as_body, form_of
from ullage.integrate.adapters.adapter import Adapter
from ullage.integrate.adapters.carried import Kind
from ullage.integrate.adapters.entries import Fitted, messages_of
from ullage.integrate.adapters.fitting import Fitting
from ullage.tap.arguments import Written, naming
from ullage.tap.calls import Call
from ullage.wire.readers import Provider

__all__ = ["Fitting", "Ullage"]

History = TypeVar("History", list[Any], dict[str, Any])

PARAMETERS: Mapping[str, Mapping[str, object]] = {
    recall_tool.NAME: recall_tool.PARAMETERS,
    finding_tool.NAME: finding_tool.PARAMETERS,
}


class Ullage:
    """Cuts and records what your tools return, and shortens what the model is sent.

    `tools` are Ullage's own, by name, where the settings ask for them: `recall`, `record_finding`.
    They are plain functions that return text. One object serves many conversations.
    """

    def __init__(self, fitting: Fitting) -> None:
        self.adapter = Adapter(fitting)
        self.tools: dict[str, Callable[..., str]] = {
            one.name: one.function for one in self.adapter.own_tools()
        }

    def tool(
        self, function: Callable[..., Any] | None = None, /, *, name: str | None = None
    ) -> Callable[..., Any]:
        """Return a function whose result is recorded, and handed on as text that fits.

        Works bare (`@ullage.tool`) and with the `name` under which the model calls it. Name,
        docstring and parameters stay, so that a schema can be made of it. What is no text is
        handed on as JSON. For plain and async functions; raises TypeError for a generator.
        """
        if function is None:
            return lambda function: fitted(self.adapter, function, name)
        return fitted(self.adapter, function, name)

    def shorten(self, history: History) -> History:
        """Return a request, or its list of messages, that fits the budget of a history.

        Nothing that is given is changed: keep your own list, and shorten it before each request.
        What was done to its beginning is remembered. Raises HistoryError where it cannot be done,
        LoadError for what is no history.
        """
        asked = self._carried(history)
        return sent_of(history, asked, self.adapter.history(asked.body))

    async def shorten_async(self, history: History) -> History:
        """Do the same without holding an event loop while a summariser is asked."""
        asked = self._carried(history)
        return sent_of(history, asked, await self.adapter.history_async(asked.body))

    def definitions(self, provider: Provider = "openai-chat") -> list[dict[str, Any]]:
        """Return Ullage's own tools as items of a request's `tools`.

        Raises ValueError for a provider that has no form here.
        """
        return [
            spelled(
                Described(
                    name=one.name, description=one.description, parameters=PARAMETERS[one.name]
                ),
                provider,
            )
            for one in self.adapter.own_tools()
        ]

    def _carried(self, history: list[Any] | dict[str, Any]) -> "Asked":
        """Return a request with what was handed on among its messages, marked as protected."""
        form = form_of(plain(history))
        body = dict(as_body(history)) if isinstance(history, dict) else {form.list_member: history}
        found = body.get(form.list_member)
        given = (
            [form.say_raw("user", found)]
            if isinstance(found, str)
            else need_list(body, form.list_member)
        )
        kind = kind_of(form)
        among = self.adapter.carried.among(given, kind)
        said = self.adapter.carried.marked([plain(one) for one in among], kind.text)
        return Asked(
            given=among, member=form.list_member, body={**plain(body), form.list_member: said}
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A request: `given` are its messages as they came, in `body` all of it is what JSON holds."""

    given: list[Any]
    member: str
    body: dict[str, Any]


def sent_of(history: History, asked: Asked, done: Fitted | None) -> History:
    """Return what is sent, in the shape in which it was given."""
    sent = (
        messages_of(asked.given, done.entries)
        if done
        else [without_markers(one) for one in asked.given]
    )
    if isinstance(history, list):
        return sent
    return cast("History", {**history, asked.member: sent})


def plain(value: Any) -> Any:
    """Return what an SDK's object says as JSON would hold it; what holds no such is as it was."""
    if hasattr(value, "model_dump"):
        return value.model_dump(mode="json", by_alias=True, exclude_none=True)
    if isinstance(value, list):
        return [plain(one) for one in value]
    if isinstance(value, dict):
        return {name: plain(one) for name, one in value.items()}
    return value


def fitted(adapter: Adapter, function: Callable[..., Any], name: str | None) -> Callable[..., Any]:
    """Return a function that records its result, and hands on what fits the budget."""
    tool = name or str(getattr(function, "__name__", type(function).__name__))
    if not callable(function):
        raise TypeError(f"a tool is a function, got {function!r}")
    if inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function):
        raise TypeError(f"{tool} is a generator; decorate the function that returns the result")
    named = naming(function)

    if inspect.iscoroutinefunction(function):

        @functools.wraps(function)
        async def call_async(*args: Any, **kwargs: Any) -> str:
            with adapter.call(tool) as call:
                value = await function(*args, **kwargs)
            return handed_on(adapter, call, named(args, kwargs), value)

        return call_async

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> str:
        with adapter.call(tool) as under_way:
            value = function(*args, **kwargs)
        return handed_on(adapter, under_way, named(args, kwargs), value)

    return call


def handed_on(adapter: Adapter, call: Call, named: Written, value: object) -> str:
    """Return what a tool gave as text that fits."""
    arguments = named if isinstance(named, str) else named()
    return adapter.result(call, arguments, value).text


def kind_of(form: Form) -> Kind[Any]:
    """Return how the messages of a form are told from each other, and one is made."""

    def roles(message: Any) -> list[str]:
        pieces = form.split({form.list_member: [plain(message)]})
        return ["tool" if one.is_result else one.message.role for one in pieces]

    def text(message: Any) -> str:
        pieces = form.split({form.list_member: [plain(message)]})
        return "".join(one.message.text for one in pieces)

    return Kind(
        is_user=lambda one: "user" in roles(one),
        is_reply=lambda one: "assistant" in roles(one),
        text=text,
        make=lambda said: form.say_raw("user", said),
    )
