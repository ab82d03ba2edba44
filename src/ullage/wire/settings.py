"""The settings of a request body, in any provider's spelling: no two of them clash."""

from collections.abc import Iterator, Mapping

from ullage.wire.members import NOTHING, Object, inside, number, objects, text
from ullage.wire.request import Scalar, Settings, ToolChoice

LIMITS = ("max_completion_tokens", "max_output_tokens", "max_tokens")
GEMINI_SETTINGS = ("generationConfig", "generation_config")
GEMINI_LIMITS = ("maxOutputTokens", "max_output_tokens")
CHOICES: Mapping[str, ToolChoice] = {
    "auto": "auto",
    "none": "none",
    "required": "required",
    "any": "required",
    "tool": "required",
    "function": "required",
    "AUTO": "auto",
    "NONE": "none",
    "ANY": "required",
}
JSON_ANSWERS = ("json_object", "json_schema")
# What stands for messages that the server adds, and no request shows.
PREFIXES = ("previous_response_id", "conversation", "cachedContent", "cached_content")


def settings_of(body: Object) -> Settings:
    """Return the settings of a request body."""
    return Settings(
        output_limit=output_limit(body),
        window=number(inside(body, "options"), "num_ctx") or number(body, "num_ctx"),
        truncation=text(body, "truncation"),
        context_edits=tuple(context_edits(body.get("context_management"))),
        stream=body.get("stream") is True,
        tool_choice=tool_choice(body),
        parallel_calls=parallel_calls(body),
        json_answer=wants_json(body),
        as_given=scalars(body),
    )


def output_limit(body: Object) -> int | None:
    """Return the largest output limit that a body sets, in tokens."""
    asked = [number(body, name) for name in LIMITS]
    asked += [number(inside(body, name), *GEMINI_LIMITS) for name in GEMINI_SETTINGS]
    return max((one for one in asked if one is not None), default=None)


def context_edits(raw: object) -> Iterator[str]:
    """Yield the kinds of clearing and compaction that the server was asked for."""
    asked = raw.get("edits") if isinstance(raw, dict) else raw
    for one in objects(asked):
        yield text(one, "type") or "untyped"


def tool_choice(body: Object) -> ToolChoice | None:
    """Return whether calls are asked for, allowed or forbidden."""
    raw = body.get("tool_choice")
    if isinstance(raw, str):
        return CHOICES.get(raw)
    if isinstance(raw, dict):
        return CHOICES.get(text(raw, "type") or "")
    config = inside(body, "toolConfig", "tool_config")
    calling = inside(config, "functionCallingConfig", "function_calling_config")
    return CHOICES.get(text(calling, "mode") or "")


def parallel_calls(body: Object) -> bool | None:
    """Return whether several calls at once are allowed."""
    asked = body.get("parallel_tool_calls")
    if isinstance(asked, bool):
        return asked
    forbidden = inside(body, "tool_choice").get("disable_parallel_tool_use")
    return not forbidden if isinstance(forbidden, bool) else None


def wants_json(body: Object) -> bool:
    """Whether the answer has to be JSON."""
    config = inside(body, *GEMINI_SETTINGS)
    if text(config, "responseMimeType", "response_mime_type") == "application/json":
        return True
    formats = (
        inside(body, "response_format"),
        inside(inside(body, "text"), "format"),
        inside(inside(body, "output_config"), "format"),
        inside(body, "output_format"),
    )
    return any(text(one, "type") in JSON_ANSWERS for one in formats)


def scalars(body: Object) -> dict[str, Scalar]:
    """Return the single values of a body, and those that stand one level below it."""
    found: dict[str, Scalar] = {}
    for prefix, held in (("", body), ("reasoning.", inside(body, "reasoning"))):
        for name, value in held.items():
            if value is None or isinstance(value, (str, int, float, bool)):
                found[prefix + name] = value
    return found


def unseen_of(body: Object) -> tuple[str, ...]:
    """Return the names of what stands for messages that the server adds and no request shows."""
    named = [name for name in PREFIXES if body.get(name)]
    # An object: a stored prompt by its id. A text is the whole prompt of older APIs.
    stored = ["prompt"] if inside(body, "prompt") else []
    referred = ["item_reference"] if any(map(is_reference, objects(body.get("input")))) else []
    return (*named, *stored, *referred)


def is_reference(item: Object) -> bool:
    """Whether an item only names one that the server holds."""
    return item.get("type") == "item_reference"


def followed(body: Object) -> str | None:
    """Return the id of the reply or conversation that a request goes on from."""
    conversation = body.get("conversation")
    held = conversation if isinstance(conversation, dict) else NOTHING
    return text(body, "previous_response_id", "conversation") or text(held, "id")
