"""The tools of a run: those of the recording, the hand-off's, the spilled results', the answer.

A stage offers some of them. What cannot be done is said to the model, as an `error`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import msgspec

from ullage.history import finding_tool
from ullage.history.described import Described, spelled
from ullage.history.handoff import Handoff
from ullage.lab.environment import tools as environment
from ullage.lab.environment.arguments import checked, schema
from ullage.lab.experiment.delivery import Result
from ullage.lab.experiment.settings import Limits, Settings
from ullage.lab.experiment.spilled import ReadResult, Spilled
from ullage.lab.experiment.world import World

Stage = Literal["investigate", "decide"]
NONE, UNKNOWN = "none", "unknown"
RECORD, READ, ANSWER = "record_finding", "read_result", "answer"
COMPUTE = "compute"


class Answer(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """The answer of a run: a container's name, `pid N`, `none` or `unknown`."""

    culprit: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Tools:
    """What the tools of one run work on."""

    world: World
    handoff: Handoff
    settings: Settings
    limits: Limits
    spilled: Spilled

    def call(self, tool: str, arguments: Mapping[str, object]) -> Result | str:
        """Call a tool as a model does; what is wrong with a call is the result."""
        try:
            return OWN.get(tool, of_recording)(self, tool, arguments)
        except ValueError as error:
            return {"error": str(error)}


def of_recording(tools: Tools, tool: str, arguments: Mapping[str, object]) -> Result:
    """Call a tool of the recording."""
    if tool == COMPUTE:
        tools.handoff.computation(COMPUTE)
    return tools.world.ask(tool, arguments)


def record(tools: Tools, _: str, arguments: Mapping[str, object]) -> str:
    """Record a finding through the hand-off."""
    return tools.handoff.call_tool(arguments)


def read(tools: Tools, tool: str, arguments: Mapping[str, object]) -> str:
    """Read on in a result that was spilled."""
    return tools.spilled.page(checked(arguments, ReadResult, tool), tools.limits.budget)


def answer(_: Tools, tool: str, arguments: Mapping[str, object]) -> str:
    """Take the answer."""
    return f"Answered: {checked(arguments, Answer, tool).culprit}"


OWN: dict[str, Callable[[Tools, str, Mapping[str, object]], Result | str]] = {
    RECORD: record,
    READ: read,
    ANSWER: answer,
}

READ_TOOL = Described(
    name=READ,
    description="Read on in a result that was too long to show, from a character on.",
    parameters=schema(ReadResult),
)
ANSWER_TOOL = Described(
    name=ANSWER,
    description="Say which container is at fault: its name; `pid N` where its name is not known; "
    f"`{NONE}` where none is; `{UNKNOWN}` where that cannot be told.",
    parameters=schema(Answer),
)


def offered(stage: Stage, settings: Settings) -> list[dict[str, Any]]:
    """Return the `tools` of a stage's requests, in OpenAI's spelling."""
    if stage == "decide":
        return [spelled(ANSWER_TOOL, "openai-chat")]
    known = [
        Described(name=name, description=tool.description, parameters=schema(tool.arguments))
        for name, tool in environment.TOOLS.items()
    ]
    reading = [READ_TOOL] if settings.budget == "spill" else []
    return [
        *(spelled(one, "openai-chat") for one in [*known, *reading]),
        finding_tool.definition(),
    ]
