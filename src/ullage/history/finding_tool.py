"""The tool with which a model records a finding, in the spelling of each provider."""

import json
from collections.abc import Mapping
from typing import Any, get_args

from ullage.history.described import Described, spelled
from ullage.wire.readers import Provider

NAME = "record_finding"
DESCRIPTION = (
    "Write down one finding as soon as you have it: what you found, in a sentence or two, with the "
    "names, ids and figures that it is about. It is kept at once, also if you are stopped later, "
    "and the next stage is given all findings. Record each finding once; do not wait for the end."
)
PARAMETERS: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "text": {"type": "string", "description": "The finding itself, complete in itself."},
        "evidence": {
            "type": "string",
            "description": "What it rests on: the lines, records or figures, word for word.",
        },
        "source": {
            "type": "string",
            "description": "Where that is found: a file and line, a call, a query.",
        },
    },
    "required": ["text"],
}


def definition(provider: Provider = "openai-chat") -> dict[str, Any]:
    """Return the tool as a request of a provider has it: one item of its `tools`.

    Raises ValueError for a provider that has no form here.
    """
    described = Described(name=NAME, description=DESCRIPTION, parameters=PARAMETERS)
    return spelled(described, provider)


def arguments_of(given: str | Mapping[str, object]) -> dict[str, str]:
    """Read the arguments of a call, as a text or parsed; what is no text is written as JSON.

    Raises ValueError, with words for the model, where there is no finding in them.
    """
    try:
        value = json.loads(given) if isinstance(given, str) else given
    except ValueError as error:
        raise ValueError(f"the arguments are not JSON: {error}") from error
    members = value if isinstance(value, Mapping) else {}
    found = {
        name: one if isinstance(one, str) else json.dumps(one, ensure_ascii=False)
        for name in PARAMETERS["properties"]
        if (one := members.get(name)) is not None
    }
    if not found.get("text", "").strip():
        raise ValueError("the member `text` is missing or empty: say in it what was found")
    return found


def message(text: str, provider: Provider = "openai-chat") -> dict[str, Any]:
    """Return a message of the user's as a request of a provider has it.

    Raises ValueError for a provider that has no form here.
    """
    if provider not in get_args(Provider):
        raise ValueError(f"provider {provider!r}: choose one of {', '.join(get_args(Provider))}")
    if provider == "gemini":
        return {"role": "user", "parts": [{"text": text}]}
    return {"role": "user", "content": text}
