"""LangChain's messages as messages of a chat, and back."""

from collections.abc import Mapping, Sequence
from typing import Any

from langchain_core.messages import (
    AIMessage,
    BaseMessage,
    HumanMessage,
    SystemMessage,
    ToolMessage,
    convert_to_openai_messages,
)

from ullage.history.forms.markers import NAMES as MARKERS
from ullage.integrate.adapters.entries import Entry, sent_as

ROLES = {"system": SystemMessage, "user": HumanMessage, "assistant": AIMessage}
SAID_BY = {"human": "user", "ai": "assistant", "system": "system", "tool": "tool"}


def as_chat(messages: Sequence[BaseMessage]) -> list[dict[str, Any]]:
    """Return what a history says, a message for each; it is measured and not sent.

    Markers (`protected`, `source`, `include_in_trim`) are read from `additional_kwargs`.
    """
    return [chat_message(one) for one in messages]


def chat_message(message: BaseMessage) -> dict[str, Any]:
    """Return one message as a message of a chat."""
    made = convert_to_openai_messages([message])
    if len(made) != 1:  # one that holds several results of another provider
        made = [{"role": SAID_BY.get(message.type, "user"), "content": message.text}]
    given = message.additional_kwargs
    return {**made[0], **{name: given[name] for name in MARKERS if name in given}}


def as_messages(
    given: Sequence[BaseMessage], chat: Sequence[Mapping[str, Any]], entries: Sequence[Entry]
) -> list[BaseMessage]:
    """Return the messages that are to be sent: the very objects, where they say the same."""
    return sent_as(given, chat, entries, new=new_message, reworded=reworded)


def reworded(
    message: BaseMessage, chat: Mapping[str, Any], said: Mapping[str, Any] | None
) -> BaseMessage:
    """Return a message with another content; its id, artifact and calls stay."""
    if said is None or said.get("content") == chat.get("content"):
        return message
    noted = {**message.response_metadata, "ullage": {"shortened": True}}
    return message.model_copy(update={"content": said["content"], "response_metadata": noted})


def new_message(said: Mapping[str, Any]) -> BaseMessage:
    """Return a message of ours."""
    if said["role"] == "tool":
        return ToolMessage(content=said["content"], tool_call_id=said["tool_call_id"])
    return ROLES[said["role"]](content=said["content"])
