"""What a hook of Claude Code is told, as records. Pure but for the transcript that it names.

Read in its documentation of hooks, and measured with version 2.1.332, 2026-11.
"""

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

from ullage.errors import LoadError
from ullage.ledger.records import ProducedRecord
from ullage.tap.mcp.results import canonical, compact, text_of

Event = Mapping[str, object]

PRE = "pre"
"""Snapshots before a compaction are kept under the run's name and this ending, on their own: a
transcript holds the results a second time, and they would be looked for in the requests."""


def read_event(text: str) -> Event:
    """Read what a hook gets on stdin. Raises LoadError for anything else."""
    try:
        event = json.loads(text)
    except json.JSONDecodeError as error:
        raise LoadError(f"the hook's input is not JSON: {error.msg}") from error
    if not isinstance(event, dict):
        raise LoadError("the hook's input is not a JSON object")
    return event


def session(event: Event) -> str:
    """Return the name of a session, for a run that has none of its own."""
    return f"claude-{event.get('session_id') or 'unknown'}"


def record_of(event: Event, run: str, at: float) -> ProducedRecord:
    """Make an event a record.

    Raises LoadError for one of another kind, or where a transcript is not there.
    """
    kind = event.get("hook_event_name")
    if kind == "PostToolUse":
        return ProducedRecord(
            run=run,
            tool=str(event.get("tool_name")),
            kind="tool",
            arguments=canonical(event.get("tool_input", {})),
            text=whole(event.get("tool_response")),
            at=at,
            call_id=None if event.get("tool_use_id") is None else str(event["tool_use_id"]),
        )
    if kind == "PreCompact":
        about = {name: event.get(name) for name in ("session_id", "trigger")}
        return ProducedRecord(
            run=f"{run}.{PRE}",
            tool="transcript",
            kind="data",
            arguments=canonical(about),
            text=transcript(event),
            at=at,
        )
    raise LoadError(f"hook event {kind!r} is not recorded: only PostToolUse and PreCompact are")


def transcript(event: Event) -> str:
    """Read the session so far."""
    path = Path(str(event.get("transcript_path") or "")).expanduser()
    try:
        return path.read_text(encoding="utf-8", errors="backslashreplace")
    except OSError as error:
        raise LoadError(f"the transcript {str(path)!r}: {error.strerror or error}") from error


def whole(response: object) -> str:
    """Return all that a tool gave: of a long output the hook is told 30,000 characters and a file.

    Where the file is gone, what was told is returned; `missing` says so.
    """
    path = response.get("persistedOutputPath") if isinstance(response, Mapping) else None
    if isinstance(path, str):
        with suppress(OSError):
            return Path(path).read_text(encoding="utf-8", errors="backslashreplace")
    return response_text(response)


def missing(event: Event, record: ProducedRecord) -> str | None:
    """Say what of a tool's output is not in its record; None where all of it is."""
    response = event.get("tool_response")
    size = response.get("persistedOutputSize") if isinstance(response, Mapping) else None
    got = len(record.text.encode("utf-8", "surrogatepass"))
    if record.kind != "tool" or not isinstance(size, int) or size <= got:
        return None
    return f"{record.tool}: {got} of {size} bytes, the file with all of it cannot be read"


def response_text(response: object) -> str:
    """Return what a tool gave as text: each tool of Claude Code has a shape of its own."""
    if isinstance(response, str):
        return response
    if isinstance(response, list):
        return text_of({"content": response})
    if isinstance(response, Mapping):
        for fits, read in SHAPES:
            if fits(response):
                return read(response)
    return compact(response)


def output(response: Event) -> str:
    """Bash: what it printed, and what it complained about."""
    return "\n".join(str(response[name]) for name in ("stdout", "stderr") if response.get(name))


def file_content(response: Event) -> str:
    """Read: the lines that were read."""
    file = response["file"]
    return str(file["content"]) if isinstance(file, Mapping) else compact(response)


def is_file(response: Event) -> bool:
    """Whether a response is that of Read with a text file."""
    file = response.get("file")
    return isinstance(file, Mapping) and isinstance(file.get("content"), str)


SHAPES: tuple[tuple[Callable[[Event], bool], Callable[[Event], str]], ...] = (
    (lambda response: "stdout" in response, output),
    (is_file, file_content),
    # Grep with its matches, and WebFetch.
    (lambda response: isinstance(response.get("content"), str), lambda one: str(one["content"])),
    (lambda response: isinstance(response.get("result"), str), lambda one: str(one["result"])),
    # Glob, and Grep that names files only.
    (
        lambda response: isinstance(response.get("filenames"), list),
        lambda one: "\n".join(map(str, one["filenames"])),  # type: ignore[call-overload]  # just seen
    ),
    # Tools of MCP servers, and sub-agents.
    (lambda response: isinstance(response.get("content"), list), text_of),
)
