"""LlamaIndex's tools: their results recorded as produced, cut, and recorded as handed on."""

import copy
import functools
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

from llama_index.core.base.llms.types import TextBlock
from llama_index.core.schema import BaseComponent
from llama_index.core.tools import FunctionTool, ToolMetadata, ToolOutput
from llama_index.core.tools.types import adapt_to_async_tool
from pydantic import BaseModel
from pydantic_core import to_jsonable_python

from ullage.integrate.adapters.adapter import Adapter, OwnTool
from ullage.integrate.adapters.results import Handed, keep_produced
from ullage.tap.calls import UNDER_WAY, Call
from ullage.tap.environment import recording_to

CALL_ID: ContextVar[str | None] = ContextVar("ullage_llama_index_call_id", default=None)
"""The model's name for the call that an agent is about to make."""

WITHIN: ContextVar[object] = ContextVar("ullage_llama_index_within", default=None)
"""The tool that is at work: one way of calling it may go through another."""


class FittedTool:
    """What stands in front of a tool's own class."""

    ullage: Adapter
    metadata: ToolMetadata

    def call(self, *args: Any, **kwargs: Any) -> Any:
        """Call the tool, and hand on what fits the budget of a result."""
        if WITHIN.get() is self:
            return super().call(*args, **kwargs)  # type: ignore[misc]
        with around(self) as call:
            output = super().call(*args, **kwargs)  # type: ignore[misc]
        return handed_on(self, call, self._arguments(args, kwargs), output)

    async def acall(self, *args: Any, **kwargs: Any) -> Any:
        """Do the same to a call that is awaited."""
        if WITHIN.get() is self:
            return await super().acall(*args, **kwargs)  # type: ignore[misc]
        with around(self) as call:
            output = await super().acall(*args, **kwargs)  # type: ignore[misc]
        return handed_on(self, call, self._arguments(args, kwargs), output)

    def _arguments(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> dict[str, Any]:
        """Return the arguments of a call; the framework's context is none."""
        context = getattr(self, "ctx_param_name", None)
        named = {name: value for name, value in kwargs.items() if name != context}
        return {**named, "args": list(args)} if args else named


@contextmanager
def around(tool: FittedTool) -> Iterator[Call]:
    """Stand around a call of a tool; what the tool itself calls has no name of the model's."""
    name = CALL_ID.get()
    tokens = (WITHIN.set(tool), CALL_ID.set(None))
    try:
        with tool.ullage.call(tool.metadata.get_name(), name) as call:
            yield call
    finally:
        WITHIN.reset(tokens[0])
        CALL_ID.reset(tokens[1])


@functools.cache
def fitted_class(own: Any) -> Any:
    """Return a class made of ours and a tool's own, which has that one's name."""
    members = {"__module__": own.__module__, "__doc__": own.__doc__}
    return type(own)(own.__name__, (FittedTool, own), members)


def fitted_tool(tool: Any, adapter: Adapter) -> Any:
    """Return a copy of a tool that cuts what it returns; other agents may share its own."""
    if isinstance(tool, FittedTool):
        return tool
    own: Any = adapt_to_async_tool(tool)
    kind = fitted_class(own.__class__)
    made = kind.__new__(kind)
    vars(made).update(vars(own), ullage=adapter)
    return made


class FittedRetriever:
    """An agent's retriever of tools, which are fitted when they are found."""

    def __init__(self, retriever: Any, adapter: Adapter) -> None:
        self._retriever, self._adapter = retriever, adapter

    async def aretrieve(self, *args: Any, **kwargs: Any) -> list[Any]:
        """Return the tools for a text."""
        found = await self._retriever.aretrieve(*args, **kwargs)
        return [fitted_tool(one, self._adapter) for one in found]

    def __getattr__(self, name: str) -> Any:
        return getattr(self._retriever, name)


@dataclass
class OwnMetadata(ToolMetadata):  # type: ignore[misc]  # LlamaIndex is not there for mypy
    """What a model is told of a tool of Ullage's."""

    parameters: Mapping[str, Any] = field(default_factory=dict)

    def get_parameters_dict(self) -> dict[str, Any]:
        """Return the parameters, a new object each time: models' classes add to it."""
        return copy.deepcopy(dict(self.parameters))


def own_tool(one: OwnTool) -> Any:
    """Return a tool of Ullage's as one of the framework's."""
    told = OwnMetadata(name=one.name, description=one.description, parameters=one.parameters)
    return FunctionTool(fn=one.function, metadata=told)


def handed_on(tool: FittedTool, call: Call, arguments: object, output: Any) -> Any:
    """Return what the framework made of a tool's value, its texts cut.

    What a tool says went wrong stays, and so does what is the answer of the run.
    """
    if not isinstance(output, ToolOutput) or output.is_error:
        return output
    outer = UNDER_WAY.get()
    if outer is not None:  # the tap's, around the agent's step: it is not to record this again
        outer.inside.append(output.raw_output)
    texts = texts_of(output)
    adapter = tool.ullage
    with recording_to(adapter.fitting.recording()):
        keep_produced(call, arguments, produced(output.raw_output, texts))
    stays = tool.metadata.return_direct
    handed = adapter.texts(call, arguments, texts, may_go=lambda _: not stays)
    return with_texts(output, handed) if not stays else output


def texts_of(output: ToolOutput) -> list[str]:
    """Return the texts of an output: an object as JSON that is there as Python prints it."""
    texts = [one.text for one in output.blocks if isinstance(one, TextBlock)]
    raw = output.raw_output
    if len(texts) == 1 and is_object(raw) and texts[0] == str(raw):
        return [as_json(raw)]
    return texts


def produced(raw: Any, texts: Sequence[str]) -> str:
    """Return the value of a tool as text; a callback may have put another in its place."""
    if isinstance(raw, str):
        return raw
    return as_json(raw) if is_object(raw) else "".join(texts)


def is_object(raw: Any) -> bool:
    """Whether a value is an object or a list of the tool's, and none of the framework's."""
    if isinstance(raw, list):
        return not raw or not all(map(is_of_framework, raw))
    return isinstance(raw, Mapping | tuple | BaseModel) and not is_of_framework(raw)


def is_of_framework(value: object) -> bool:
    """Whether a value is a block of a message, or a node or a document."""
    return isinstance(value, BaseComponent) or hasattr(value, "block_type")


def as_json(value: Any) -> str:
    """Return an object as JSON; as Python prints it where JSON cannot hold it."""
    try:
        plain = to_jsonable_python(value, fallback=str)
    except ValueError:
        return str(value)
    return json.dumps(plain, ensure_ascii=False, separators=(",", ":"))


def with_texts(output: ToolOutput, handed: Handed) -> ToolOutput:
    """Return an output with other texts: the very object where they are the same."""
    left = iter(handed.texts)
    blocks = [
        reworded(one, next(left)) if isinstance(one, TextBlock) else one for one in output.blocks
    ]
    if all(new is old for new, old in zip(blocks, output.blocks, strict=True)):
        return output
    return output.model_copy(update={"blocks": blocks})


def reworded(block: TextBlock, text: str) -> TextBlock:
    """Return a block with another text."""
    return block if block.text == text else block.model_copy(update={"text": text})
