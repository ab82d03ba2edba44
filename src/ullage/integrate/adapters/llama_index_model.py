"""LlamaIndex's models: a copy that is sent what fits the budget of a history."""

import copy
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, ClassVar

from llama_index.core.base.llms.types import ChatMessage

from ullage.integrate.adapters.adapter import Adapter
from ullage.integrate.adapters.llama_index_messages import KIND, as_chat, as_messages

LIMITS = ("max_tokens", "max_completion_tokens", "max_output_tokens")
"""What models call the room for the reply."""

SENDING: ContextVar[bool] = ContextVar("ullage_llama_index_sending", default=False)
"""Whether what is sent fits already: a request with tools goes through one without."""


class FittedModel:
    """What stands in front of a model's own class."""

    ullage: ClassVar[Adapter]
    ullage_own: ClassVar[Any]

    def chat(self, messages: Any, **kwargs: Any) -> Any:
        """Send what fits the budget of the history."""
        return super().chat(self._sent(messages, ()), **kwargs)  # type: ignore[misc]

    async def achat(self, messages: Any, **kwargs: Any) -> Any:
        """Do the same to a reply that is awaited."""
        sent = await self._sent_async(messages, ())
        return await super().achat(sent, **kwargs)  # type: ignore[misc]

    def stream_chat(self, messages: Any, **kwargs: Any) -> Any:
        """Do the same to a reply in pieces."""
        return super().stream_chat(self._sent(messages, ()), **kwargs)  # type: ignore[misc]

    async def astream_chat(self, messages: Any, **kwargs: Any) -> Any:
        """Do the same to a reply in pieces that are awaited."""
        sent = await self._sent_async(messages, ())
        return await super().astream_chat(sent, **kwargs)  # type: ignore[misc]

    def chat_with_tools(
        self, tools: Any, user_msg: Any = None, chat_history: Any = None, **kwargs: Any
    ) -> Any:
        """Do the same to a request with tools, which count."""
        sent = self._sent(asked(chat_history, user_msg), tools)
        with sending():
            return super().chat_with_tools(  # type: ignore[misc]
                tools, chat_history=sent, **kwargs
            )

    async def achat_with_tools(
        self, tools: Any, user_msg: Any = None, chat_history: Any = None, **kwargs: Any
    ) -> Any:
        """Do the same to a reply that is awaited."""
        sent = await self._sent_async(asked(chat_history, user_msg), tools)
        with sending():
            return await super().achat_with_tools(  # type: ignore[misc]
                tools, chat_history=sent, **kwargs
            )

    def stream_chat_with_tools(
        self, tools: Any, user_msg: Any = None, chat_history: Any = None, **kwargs: Any
    ) -> Any:
        """Do the same to a reply in pieces."""
        sent = self._sent(asked(chat_history, user_msg), tools)
        with sending():
            return super().stream_chat_with_tools(  # type: ignore[misc]
                tools, chat_history=sent, **kwargs
            )

    async def astream_chat_with_tools(
        self, tools: Any, user_msg: Any = None, chat_history: Any = None, **kwargs: Any
    ) -> Any:
        """Do the same to a reply in pieces that are awaited."""
        sent = await self._sent_async(asked(chat_history, user_msg), tools)
        with sending():
            return await super().astream_chat_with_tools(  # type: ignore[misc]
                tools, chat_history=sent, **kwargs
            )

    def as_structured_llm(self, *args: Any, **kwargs: Any) -> Any:
        """Return what makes an object of a text: it holds a conversation as one, and is no step."""
        plain: Any = copy.copy(self)
        plain.__class__ = self.ullage_own
        return plain.as_structured_llm(*args, **kwargs)

    def _sent(self, messages: Sequence[ChatMessage], tools: Sequence[Any]) -> list[ChatMessage]:
        if SENDING.get():
            return list(messages)
        given, document = self._read(messages, tools)
        fitted = self.ullage.history(document)
        return given if fitted is None else as_messages(given, document["messages"], fitted.entries)

    async def _sent_async(
        self, messages: Sequence[ChatMessage], tools: Sequence[Any]
    ) -> list[ChatMessage]:
        if SENDING.get():
            return list(messages)
        given, document = self._read(messages, tools)
        fitted = await self.ullage.history_async(document)
        return given if fitted is None else as_messages(given, document["messages"], fitted.entries)

    def _read(
        self, messages: Sequence[ChatMessage], tools: Sequence[Any]
    ) -> tuple[list[ChatMessage], Mapping[str, Any]]:
        """Return the messages of a request with what is handed on, and what is measured of it."""
        given = self.ullage.carried.among(messages, KIND)
        document: dict[str, Any] = {
            "messages": self.ullage.carried.marked(as_chat(given)),
            "tools": [one.metadata.to_openai_tool(skip_length_check=True) for one in tools or ()],
        }
        limits = (getattr(self, name, None) for name in LIMITS)
        limit = next((one for one in limits if isinstance(one, int)), None)
        return given, document if limit is None else {**document, "max_tokens": limit}


@contextmanager
def sending() -> Iterator[None]:
    """Have a model's other ways of sending leave what they are given as it is."""
    token = SENDING.set(True)
    try:
        yield
    finally:
        SENDING.reset(token)


def asked(
    history: Sequence[ChatMessage] | None, said: str | ChatMessage | None
) -> list[ChatMessage]:
    """Return a history with what is asked behind it."""
    if isinstance(said, str):
        said = ChatMessage(role="user", content=said)
    return [*(history or ()), *([said] if said else ())]


def fitted_model(model: Any, adapter: Adapter) -> Any:
    """Return a copy of a model whose class is made of ours and its own, and has that one's name."""
    own: Any = type(model)
    members = {
        "__module__": own.__module__,
        "__qualname__": own.__qualname__,
        "__doc__": own.__doc__,
    }
    kind: Any = type(own)
    made = kind(own.__name__, (FittedModel, own), members)
    made.ullage, made.ullage_own = adapter, own
    fitted = copy.copy(model)
    fitted.__class__ = made
    return fitted
