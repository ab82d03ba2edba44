"""Plans written as JSON."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast, get_args

from ullage.errors import LoadError
from ullage.probe.script import Call, FinishReason, Plan, Refusal, Turn

SETTINGS = {"window", "each_user_turn"}
ERRORS = range(400, 600)
MOST_TIMES = 10_000


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
    whole = members(value, "plan", {"turns", "runs", "default", *SETTINGS})
    if "turns" in whole:
        return Plans(by_run={}, default=plan(value, "plan"))
    runs = members(whole.get("runs", {}), "runs", None)
    default = plan(whole["default"], "default") if "default" in whole else None
    if not runs and default is None:
        raise LoadError("plan: expected 'turns', or 'runs' and 'default'")
    return Plans(
        by_run={tag: plan(value, f"runs.{tag}") for tag, value in runs.items()}, default=default
    )


def plan(value: object, where: str) -> Plan:
    """Read one plan."""
    found = members(value, where, {"turns", *SETTINGS})
    turns, anew = found.get("turns"), found.get("each_user_turn", False)
    if not isinstance(turns, list) or not turns:
        raise LoadError(f"{where}: expected 'turns' to be a list with at least one turn")
    if not isinstance(anew, bool):
        raise LoadError(f"{where}: expected 'each_user_turn' to be true or false, got {anew!r}")
    read = [steps(item, f"{where}: turn {n}") for n, item in enumerate(turns, 1)]
    return Plan(
        turns=tuple(one for several in read for one in several),
        each_user_turn=anew,
        window=whole_number(found, "window", where) if "window" in found else None,
    )


def steps(value: object, where: str) -> list[Turn]:
    """Read one turn, as many times as it says."""
    found = members(value, where, {"text", "calls", "status", "finish_reason", "times"})
    times = whole_number(found, "times", where) if "times" in found else 1
    if times > MOST_TIMES:
        raise LoadError(f"{where}: expected 'times' to be {MOST_TIMES} or less, got {times}")
    return [turn(found, where)] * times


def turn(found: Mapping[str, object], where: str) -> Turn:
    """Read one turn: an error, a text, or calls."""
    if "status" in found:
        return Turn(refused=refusal(found, where))
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


def refusal(found: Mapping[str, object], where: str) -> Refusal:
    """Read a turn that is an error, which has nothing beside it."""
    others = sorted(set(found) - {"status", "times"})
    if others:
        raise LoadError(f"{where}: {others[0]!r} cannot stand beside 'status'")
    status = whole_number(found, "status", where)
    if status not in ERRORS:
        raise LoadError(f"{where}: expected 'status' to be from 400 to 599, got {status}")
    message = f"scripted: the plan answers this request with status {status}"
    return Refusal(status=status, kind="planned", message=message)


def whole_number(found: Mapping[str, object], name: str, where: str) -> int:
    """Read a member that is a whole number of 1 or more."""
    value = found[name]
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise LoadError(f"{where}: expected {name!r} to be a whole number above 0, got {value!r}")
    return value


def finish_reason(value: object, where: str) -> FinishReason | None:
    """Read the reason that a turn gives for its end; None where it leaves that to the server."""
    known = get_args(FinishReason)
    if value is not None and value not in known:
        words = ", ".join(known)
        raise LoadError(f"{where}: expected 'finish_reason' to be one of {words}, got {value!r}")
    return cast("FinishReason | None", value)  # one of its words, as was just checked


def call(value: object, where: str) -> Call:
    """Read one call: of a tool by its name, or of the first whose name contains a word."""
    found = members(value, where, {"name", "name_contains", "arguments"})
    if {"name", "name_contains"} <= set(found):
        raise LoadError(f"{where}: expected 'name' or 'name_contains', got both")
    like = "name_contains" in found
    name, arguments = found.get("name_contains" if like else "name"), found.get("arguments", {})
    if not isinstance(name, str) or not name:
        what = "'name_contains' to be a part of" if like else "'name' to be"
        raise LoadError(f"{where}: expected {what} the tool's name, got {name!r}")
    if not isinstance(arguments, dict | str):
        raise LoadError(f"{where}: expected 'arguments' to be an object, got {kind(arguments)}")
    return Call(name=name, arguments=arguments, like=like)


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
