"""Plans written as JSON."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast, get_args

from ullage.errors import LoadError
from ullage.probe.script import Call, FinishReason, Plan, Turn


@dataclass(frozen=True, slots=True, kw_only=True)
class Plans:
    """The plans of a file: one for each named run, and one for all others."""

    by_run: Mapping[str, Plan]
    default: Plan | None


def load_plans(text: str) -> Plans:
    """Read `{"turns": […]}` or `{"runs": {TAG: {"turns": […]}}, "default": {"turns": […]}}`."""
    try:
        value = json.loads(text)
    except json.JSONDecodeError as error:
        raise LoadError(
            f"plan: {error.msg} at line {error.lineno}, column {error.colno}"
        ) from error
    whole = members(value, "plan", {"turns", "runs", "default"})
    if "turns" in whole:
        return Plans(by_run={}, default=plan(members(value, "plan", {"turns"}), "plan"))
    runs = members(whole.get("runs", {}), "runs", None)
    default = plan(whole["default"], "default") if "default" in whole else None
    if not runs and default is None:
        raise LoadError("plan: expected 'turns', or 'runs' and 'default'")
    return Plans(
        by_run={tag: plan(value, f"runs.{tag}") for tag, value in runs.items()}, default=default
    )


def plan(value: object, where: str) -> Plan:
    """Read one plan."""
    turns = members(value, where, {"turns"}).get("turns")
    if not isinstance(turns, list) or not turns:
        raise LoadError(f"{where}: expected 'turns' to be a list with at least one turn")
    return Plan(turns=tuple(turn(item, f"{where}: turn {n}") for n, item in enumerate(turns, 1)))


def turn(value: object, where: str) -> Turn:
    """Read one turn."""
    found = members(value, where, {"text", "calls", "finish_reason"})
    if ("text" in found) == ("calls" in found):
        raise LoadError(f"{where}: expected either 'text' or 'calls', got {sorted(found)}")
    reason = finish_reason(found.get("finish_reason"), where)
    if "text" in found:
        if not isinstance(found["text"], str):
            raise LoadError(f"{where}: expected 'text' to be a string, got {kind(found['text'])}")
        return Turn(text=found["text"], finish_reason=reason)
    calls = found["calls"]
    if not isinstance(calls, list) or not calls:
        raise LoadError(f"{where}: expected 'calls' to be a list with at least one call")
    read = tuple(call(item, f"{where}, call {n}") for n, item in enumerate(calls, 1))
    return Turn(calls=read, finish_reason=reason)


def finish_reason(value: object, where: str) -> FinishReason | None:
    """Read the reason that a turn gives for its end; None where it leaves that to the server."""
    known = get_args(FinishReason)
    if value is not None and value not in known:
        words = ", ".join(known)
        raise LoadError(f"{where}: expected 'finish_reason' to be one of {words}, got {value!r}")
    return cast("FinishReason | None", value)  # one of its words, as was just checked


def call(value: object, where: str) -> Call:
    """Read one call."""
    found = members(value, where, {"name", "arguments"})
    name, arguments = found.get("name"), found.get("arguments", {})
    if not isinstance(name, str) or not name:
        raise LoadError(f"{where}: expected 'name' to be the tool's name, got {name!r}")
    if not isinstance(arguments, dict | str):
        raise LoadError(f"{where}: expected 'arguments' to be an object, got {kind(arguments)}")
    return Call(name=name, arguments=arguments)


def members(value: object, where: str, known: set[str] | None) -> dict[str, object]:
    """Return an object's members; anything else, or a member that is not known, is an error."""
    if not isinstance(value, dict):
        raise LoadError(f"{where}: expected an object, got {kind(value)}")
    unknown = sorted(set(value) - known) if known is not None else []
    if unknown:
        raise LoadError(f"{where}: {unknown[0]!r} is not known; expected {sorted(known or ())}")
    return value


def kind(value: object) -> str:
    """Name a value's type as JSON does."""
    names = {dict: "an object", list: "a list", str: "a string", bool: "a boolean"}
    return names.get(type(value), "null" if value is None else "a number")
