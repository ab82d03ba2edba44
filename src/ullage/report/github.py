"""A scan as the workflow commands of GitHub Actions: annotations at a file and line."""

from collections.abc import Iterator, Mapping
from typing import get_args

from ullage.checks.gate import Judged
from ullage.checks.places import Places
from ullage.report.audit import Audit, sentence
from ullage.report.spelled import spelled
from ullage.transcript.words import Severity

COMMANDS = {"error": "error", "warning": "warning", "note": "notice"}
SEVERITIES = get_args(Severity)
# GitHub's own spelling of what would end a message, or one of its properties.
IN_MESSAGE = {"%": "%25", "\r": "%0D", "\n": "%0A"}
IN_PROPERTY = {**IN_MESSAGE, ":": "%3A", ",": "%2C"}


def github_text(audit: Audit) -> str:
    """Return one line for each new finding, worst first, then one with the numbers.

    GitHub shows ten errors and ten warnings of a step: hence the order.
    """
    worst_first = sorted(
        audit.gate.of("new"), key=lambda one: -SEVERITIES.index(one.finding.severity)
    )
    lines = [annotation(one, audit.places) for one in worst_first]
    return "".join(f"{line}\n" for line in [*lines, numbers(audit)])


def annotation(judged: Judged, places: Places) -> str:
    """Return one finding as a command."""
    found = judged.finding
    command = COMMANDS[found.severity]
    named = ",".join(
        f"{key}={escaped(value, IN_PROPERTY)}" for key, value in named_in(judged, places)
    )
    return f"::{command} {named}::{escaped(sentence(judged), IN_MESSAGE)}"


def named_in(judged: Judged, places: Places) -> Iterator[tuple[str, str]]:
    """Yield the properties of a command: where it stands, and its title."""
    found = judged.finding
    if found.source.path is not None:
        path = found.source.path
        yield "file", places.inside(path) or places.absolute(path).as_posix()
    if found.source.line is not None:
        yield "line", str(found.source.line)
    yield "title", f"ullage: {found.check}" + (f" · {found.tool}" if found.tool else "")


def escaped(text: str, table: Mapping[str, str]) -> str:
    """Return a text on one line, as GitHub unescapes it."""
    return spelled(text, keep="\r\n").translate({ord(key): value for key, value in table.items()})


def numbers(audit: Audit) -> str:
    """Return how many findings there are in each state."""
    counts = {state: len(audit.gate.of(state)) for state in ("new", "known", "suppressed")}
    return "ullage: " + ", ".join(f"{state} {count}" for state, count in counts.items())
