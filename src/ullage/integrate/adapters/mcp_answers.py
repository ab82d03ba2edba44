"""What an MCP server answers a call with: texts are cut, and structured content stays as they are.

Clients show their model the texts, the structured content, or both: both must fit, and say the
same. A structured content that breaks the output schema of its tool is an error to clients, so what
cannot be cut within the schema goes on whole, and a warning says so.
"""

import json
import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ullage.integrate.adapters.adapter import Adapter
from ullage.integrate.adapters.fitting import Fitting
from ullage.integrate.adapters.results import Handed
from ullage.tap.auto.blocks import text_in
from ullage.tap.calls import Call
from ullage.tap.mcp.results import CALL_ID, compact

LOGGER = logging.getLogger("ullage.integrate")
NOTICE = "_ullage"
"""Where a cut says in JSON what it left out."""

WRAPPED = "result"
"""The only member of a structured content that was made of what is no object."""

Json = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """The content blocks of an answer, as the server's package has them, and what it structures."""

    content: Sequence[Any]
    structured: Json | None


def adapter_of(fitting: Fitting) -> Adapter:
    """Return the adapter of a server. Raises ValueError for settings that it cannot meet."""
    if fitting.history is not None:
        raise ValueError(
            "history= is set, but an MCP server is never sent a history: leave it out here, and "
            "shorten the history in the agent that makes the requests"
        )
    return Adapter(fitting)


def call_id_of(context: Any) -> str | None:
    """Return the model's name for a call, where the client says it, as Claude Code does."""
    try:
        meta = context.request_context.meta
    except (AttributeError, LookupError, ValueError):  # outside of a request
        return None
    found = meta.get(CALL_ID) if isinstance(meta, Mapping) else getattr(meta, CALL_ID, None)
    return found if isinstance(found, str) else None


def fitted(
    adapter: Adapter, call: Call, arguments: object, given: Answer, schema: Json | None
) -> Answer:
    """Record an answer as the tool made it, and return what fits.

    It is the very answer that was given where nothing of it is cut.
    """
    said = said_of(given)
    structured = given.structured
    if structured is None:
        handed = adapter.texts(call, arguments, said)
    elif step := in_step(said, structured):
        made: list[Json] = []

        def may_go(handed: Handed) -> bool:
            made.extend(valid(step(handed.text), schema, call.tool))
            return bool(made)

        handed = adapter.texts(call, arguments, said, may_go=may_go)
        structured = made[0] if made else structured
    else:
        handed = adapter.texts(call, arguments, said)
        structured = cut_alone(adapter, call, arguments, structured, schema)
    if not handed.cut and structured is given.structured:
        return given
    content = with_texts(given.content, handed.texts) if handed.cut else given.content
    return Answer(content=content, structured=structured)


def said_of(given: Answer) -> list[str]:
    """Return the texts of an answer; several that are a record each as the list that they are.

    Where there is no text it is the structured content that the model is shown.
    """
    said = [text for one in given.content if (text := said_in(one)) is not None]
    if not said and given.structured is not None:
        return [compact(given.structured)]
    if len(said) > 1 and all(isinstance(read(one), dict | list) for one in said):
        return [f"[{','.join(said)}]"]
    return said


def cut_alone(
    adapter: Adapter, call: Call, arguments: object, structured: Json, schema: Json | None
) -> Json:
    """Return a structured content that says what no text does, cut by itself."""
    handed = adapter.cut([compact(structured)], tool=call.tool or "", arguments=arguments)
    if not handed.cut or adapter.is_own(call.tool):
        return structured
    return next(valid(objects(handed.text), schema, call.tool), structured)


def said_in(block: Any) -> str | None:
    """Return the text of a block or of the resource in it; None where it is no text."""
    alone = text_in(block)
    if alone is not None or getattr(block, "type", None) != "resource":
        return alone
    text = getattr(block.resource, "text", None)
    return text if isinstance(text, str) else None


def with_texts(content: Sequence[Any], texts: Sequence[str]) -> Sequence[Any]:
    """Return blocks with these texts; an image, a link stays.

    What was put together as one list stands in the first one of its blocks.
    """
    found = []
    left = iter(texts)
    for block in content:
        if said_in(block) is None:
            found.append(block)
        elif (text := next(left, None)) is not None:
            found.append(with_text(block, text))
    return found


def with_text(block: Any, text: str) -> Any:
    """Return a block with another text."""
    if text_in(block) is not None:
        return block.model_copy(update={"text": text})
    return block.model_copy(update={"resource": block.resource.model_copy(update={"text": text})})


def in_step(said: Sequence[str], structured: Json) -> Callable[[str], Iterator[Json]] | None:
    """Return what makes the structured content of a cut text.

    None where it is not what the text says.
    """
    if len(said) != 1:
        return None
    value = read(said[0])
    if value == structured:
        return objects
    if set(structured) != {WRAPPED}:
        return None
    if structured[WRAPPED] == said[0]:
        return lambda text: iter([{WRAPPED: text}])
    return wrapped if structured[WRAPPED] == value else None


def objects(text: str) -> Iterator[Json]:
    """Yield a cut object, and without its notice, for a schema that allows no other member."""
    value = read(text)
    if isinstance(value, dict):
        yield value
        yield unnoticed(value)[1]


def wrapped(text: str) -> Iterator[Json]:
    """Yield what a cut text holds as a member beside its notice, and without that."""
    notice, pure = unnoticed(read(text))
    yield {NOTICE: notice, WRAPPED: pure}
    yield {WRAPPED: pure}


def valid(found: Iterator[Json], schema: Json | None, tool: str | None) -> Iterator[Json]:
    """Yield what a client takes that validates, as the SDK's does; a warning says if it is none."""
    some = False
    for one in found:
        if is_valid(one, schema):
            some = True
            yield one
    if not some:
        LOGGER.warning(
            "a result of %s goes on whole: no cut of it is valid under the tool's output schema; "
            "declare none (output_schema=None, structured_output=False) to have it cut",
            tool,
        )


def unnoticed(value: Any) -> tuple[Any, Any]:
    """Return the notice of a cut value, and the value without it."""
    if isinstance(value, dict):
        return value.get(NOTICE), {name: one for name, one in value.items() if name != NOTICE}
    if (
        isinstance(value, list)
        and value
        and isinstance(value[0], dict)
        and set(value[0]) == {NOTICE}
    ):
        return value[0][NOTICE], value[1:]
    return None, value


def read(text: str) -> Any:
    """Return a text as the JSON that it is; None where it is none."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def is_valid(structured: Json, schema: Json | None) -> bool:
    """Whether a structured content is what its tool declares."""
    if schema is None:
        return True
    from jsonschema import SchemaError, ValidationError, validate  # comes with every MCP package

    try:
        validate(structured, schema)
    except (SchemaError, ValidationError):
        return False
    return True


def refuse_namesakes(adapter: Adapter, names: Sequence[str]) -> None:
    """Raise ValueError where a server has a tool of the name of one of Ullage's."""
    for one in adapter.own_tools():
        if one.name in names:
            raise ValueError(f"the server has a tool {one.name!r} already: rename it")
