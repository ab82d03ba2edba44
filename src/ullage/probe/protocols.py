"""The protocols that the scripted model speaks: for each, the functions that build its replies."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from ullage.probe import anthropic, gemini, openai_chat, openai_responses
from ullage.probe.request import ModelRequest
from ullage.probe.said import Json
from ullage.probe.script import Refusal, Turn
from ullage.wire.readers import Kind, Provider

Builder = Callable[[ModelRequest], Json]


@dataclass(frozen=True, slots=True, kw_only=True)
class Protocol:
    """How turns, errors and models are written; `other` are replies that need no turn."""

    whole: Callable[[Turn, ModelRequest], Json]
    events: Callable[[Turn, ModelRequest], Iterator[bytes]]
    error: Callable[[Refusal], Json]
    model_list: Callable[[list[str]], Json]
    one_model: Callable[[str], Json]
    other: Mapping[Kind, Builder]


PROTOCOLS: Mapping[Provider, Protocol] = {
    "openai-chat": Protocol(
        whole=openai_chat.whole,
        events=openai_chat.events,
        error=openai_chat.error,
        model_list=openai_chat.model_list,
        one_model=openai_chat.one_model,
        other={},
    ),
    "openai-responses": Protocol(
        whole=openai_responses.whole,
        events=openai_responses.events,
        error=openai_responses.error,
        model_list=openai_chat.model_list,
        one_model=openai_chat.one_model,
        other={"count": openai_responses.count, "compact": openai_responses.compacted},
    ),
    "anthropic": Protocol(
        whole=anthropic.whole,
        events=anthropic.events,
        error=anthropic.error,
        model_list=anthropic.model_list,
        one_model=anthropic.one_model,
        other={"count": anthropic.count},
    ),
    "gemini": Protocol(
        whole=gemini.whole,
        events=gemini.events,
        error=gemini.error,
        model_list=gemini.model_list,
        one_model=gemini.one_model,
        other={"count": gemini.count},
    ),
}
