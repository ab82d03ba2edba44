"""A tool that a model is offered, in the spelling of each provider."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from ullage.wire.readers import Provider


@dataclass(frozen=True, slots=True, kw_only=True)
class Described:
    """A tool as any provider is told of it; `parameters` is a JSON schema."""

    name: str
    description: str
    parameters: Mapping[str, object]


def plain(one: Described) -> dict[str, Any]:
    """Return name, description and parameters under these names."""
    return {
        "name": one.name,
        "description": one.description,
        "parameters": dict(one.parameters),
    }


def openai_chat(one: Described) -> dict[str, Any]:
    """Return an item of `tools` of OpenAI's chat completions."""
    return {"type": "function", "function": plain(one)}


def openai_responses(one: Described) -> dict[str, Any]:
    """Return an item of `tools` of OpenAI's Responses."""
    return {"type": "function", **plain(one)}


def anthropic(one: Described) -> dict[str, Any]:
    """Return an item of `tools` of Anthropic's Messages."""
    return {
        "name": one.name,
        "description": one.description,
        "input_schema": dict(one.parameters),
    }


def gemini(one: Described) -> dict[str, Any]:
    """Return an item of `tools` of Gemini's generateContent."""
    return {"functionDeclarations": [plain(one)]}


SPELLINGS: Mapping[Provider, Callable[[Described], dict[str, Any]]] = {
    "openai-chat": openai_chat,
    "openai-responses": openai_responses,
    "anthropic": anthropic,
    "gemini": gemini,
}
"""How each form of request spells a tool."""


def spelled(one: Described, provider: Provider) -> dict[str, Any]:
    """Return an item of `tools`. Raises ValueError for a provider that has no form here."""
    if provider not in SPELLINGS:
        raise ValueError(f"provider {provider!r}: choose one of {', '.join(SPELLINGS)}")
    return SPELLINGS[provider](one)
