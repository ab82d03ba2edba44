"""`python-repr` and `double-encoded`: results whose form makes a model or a parser stumble."""

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from ullage.arrivals.asked import arguments_of, members
from ullage.arrivals.read import read
from ullage.arrivals.values import Json, of
from ullage.checks.session import Result, Session
from ullage.cutter.layers import is_document
from ullage.transcript.finding import Finding, Source

REPR = "python-repr"
ENCODED = "double-encoded"

# What printing a Python object gives: members with `=`, and one that is built by a call.
OBJECT = re.compile(r"\A\s*(?:[A-Z]\w*\()?\w+=(?:None|True|False|['\"\[\d(]|[A-Z]\w*\()")
CALL = re.compile(r"[=\[,(]\s*[A-Z]\w*\(\w+=")
MARKS = re.compile(r"\b(?:True|False|None)\b|'\s*:|\[\s*'|\(\s*'")
CODE = frozenset(["code", "command", "cmd", "script", "bash", "python", "source", "expression"])
SHORTEST = 20

ADVICE = {
    REPR: (
        "{tool} returns what Python prints of a value, not JSON: quotes, True and None differ, and "
        "a cut of it can be mended by no parser. Return json.dumps(value) from the tool."
    ),
    ENCODED: (
        "{tool} returns JSON inside a JSON string: each quote costs a backslash more, and a cut "
        "breaks both layers. Return the value itself, encoded once."
    ),
}


@dataclass(slots=True)
class Tally:
    """How often a tool's results had one form, and where first."""

    session: str
    source: Source
    call_id: str | None
    results: int = 0
    chars: int = 0


class Forms:
    """Counts the forms of results by tool; remembers no text."""

    def __init__(self) -> None:
        self.tallies: dict[tuple[str, str | None, str, str], Tally] = {}
        self.results: defaultdict[tuple[str, str | None, str], int] = defaultdict(int)

    def add(self, session: Session) -> None:
        """Take in one session."""
        whole = session.transcript
        for one in session.results:
            if not one.counted:
                continue
            tool = (whole.form, whole.agent, one.tool)
            self.results[tool] += 1
            for form in forms_of(one):
                entry = session.entries[one.entry]
                source = entry.source if entry.source.path is not None else whole.source
                found = self.tallies.setdefault(
                    (*tool, form), Tally(whole.session, source, entry.message.answers)
                )
                found.results += 1
                found.chars += len(one.text)

    def findings(self) -> Iterator[Finding]:
        """Give one finding a tool and form, at the first such result."""
        for (form, agent, tool, check), one in self.tallies.items():
            yield Finding(
                check=check,
                severity="note",
                boundary="serialise",
                evidence={
                    "results": one.results,
                    "of": self.results[form, agent, tool],
                    "chars": one.chars,
                },
                advice=ADVICE[check].format(tool=tool),
                session=one.session,
                source=one.source,
                tool=tool,
                call_id=one.call_id,
            )


def forms_of(one: Result) -> Iterator[str]:
    """Yield the checks that a result's form fails."""
    text = one.text
    if is_python(text) and not ran_code(one):
        yield REPR
    if is_encoded(text):
        yield ENCODED


def ran_code(one: Result) -> bool:
    """Whether the call ran code or a command: it prints what it likes."""
    return any(name in CODE for name, _ in members(arguments_of(one.call)))


def is_python(text: str) -> bool:
    """Whether a text as a whole is what Python prints of a container or an object."""
    start = text.lstrip()[:1]
    if start in ("{", "[", "("):
        if not MARKS.search(text):
            return False
        reading = read(text)
        return reading.form == REPR and reading.is_value
    return OBJECT.match(text) is not None and CALL.search(text) is not None


def is_encoded(text: str) -> bool:
    """Whether a JSON text holds JSON in one of its strings."""
    if '\\"' not in text or text.lstrip()[:1] not in ("{", "[", '"'):
        return False
    reading = read(text)
    if reading.form == ENCODED:
        return True
    return reading.is_json and reading.is_value and any(strings_with_json(reading.value))


def strings_with_json(root: Json) -> Iterator[bool]:
    """Yield for each long string of a value whether it holds a JSON object or list."""
    waiting = [root]
    while waiting:
        one = waiting.pop()
        if isinstance(one, dict | list):
            waiting += of(one)
        elif isinstance(one, str) and len(one) >= SHORTEST and is_document(one):
            yield True
