"""How the try of a case came out, in one line for people."""

import errno
import json
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from ullage.cutter.excerpt import excerpt
from ullage.probe.canary import found, turn_id
from ullage.probe.observed import Observed, Seen
from ullage.probe.surroundings import BASE_URLS
from ullage.transcript.counted import many

Kind = Literal[
    "measured",
    "raised",
    "looped",
    "never-called",
    "not-said",
    "asked-elsewhere",
    "not-asked",
    "crashed",
    "timed-out",
    "not-started",
    "interrupted",
]
"""`measured`: the harness did the case. `raised`: so far as the error that it told of. `looped`: it
called its tool up to the cap, or asked for ever. `never-called`: it offers no tool that could be
called. `not-said`: no request holds what the user was to say, or it ended after the first of many
things. `asked-elsewhere`: it asked paths that no model API has. `not-asked`: it asked nothing."""

NO_SUCH_PATH = 404
TOO_LONG = os.strerror(errno.E2BIG)
MOST_SHOWN = 5
LONGEST_LINE = 300
LAST_LINES = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What came of a case, in a word and in a line; `measured` alone has an empty line.

    `asked` is how many requests to the model came.
    """

    kind: Kind
    asked: int
    line: str = ""

    @property
    def is_seen(self) -> bool:
        """Whether the harness asked the model, so that something can be said of it."""
        return bool(self.asked) and self.kind not in ("never-called", "not-said")

    @property
    def is_hopeless(self) -> bool:
        """Whether other cases would end like this one."""
        return not self.asked and self.kind != "interrupted"


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """What a line is about: the program, the word in its tool's name, its limits in a case."""

    program: str
    tool: str
    timeout: float
    cap: int


def outcome(one: Observed, trial: Trial) -> Outcome:
    """Say what came of a case."""
    for kind, told in TOLD:
        line = told(one, trial)
        if line is not None:
            return Outcome(kind=kind, asked=len(answered(one)), line=line)
    return Outcome(kind="measured", asked=len(answered(one)))


def not_started(one: Observed, trial: Trial) -> str | None:
    """Say that there was nothing to run."""
    if one.ended != "not-started":
        return None
    if TOO_LONG in (one.error or ""):
        return (
            "what the user is to say does not fit into a command line: give smaller --sizes, or "
            "have it ask for its case (docs/probe.md)"
        )
    return f"{trial.program!r} cannot be started: {one.error}; check the command after --"


def interrupted(one: Observed, _: Trial) -> str | None:
    """Say that somebody stopped it."""
    if one.ended != "interrupted":
        return None
    return f"stopped by hand after {many(len(one.asked), 'request')}"


def looped(one: Observed, trial: Trial) -> str | None:
    """Say that the cap ended a loop."""
    if one.capped:
        return (
            f"it calls its tool again and again: the cap of {trial.cap} calls was reached, and "
            f"{many(one.capped, 'call')} more {'was' if one.capped == 1 else 'were'} refused"
        )
    if one.ended == "looped":
        return f"it asks for ever: {many(len(one.asked), 'request')}, then it was ended"
    return None


def timed_out(one: Observed, trial: Trial) -> str | None:
    """Say that it took too long."""
    if one.ended != "timed-out":
        return None
    return (
        f"not done after {trial.timeout:g} s and {many(len(answered(one)), 'request')}, so it was "
        f"ended: --timeout gives it longer{last_words(one)}"
    )


def crashed(one: Observed, _: Trial) -> str | None:
    """Say that the program ended by a fault."""
    if one.ended != "crashed":
        return None
    code = one.exit or 0
    how = f"signal {-code}" if code < 0 else f"exit code {code}"
    return f"it ended with {how} after {many(len(answered(one)), 'request')}{last_words(one)}"


def asked_elsewhere(one: Observed, _: Trial) -> str | None:
    """Say which paths it asked that no model API has."""
    unknown = [asked.path for asked in one.asked if asked.status == NO_SUCH_PATH]
    if not unknown or answered(one):
        return None
    paths = shown(dict.fromkeys(unknown))
    return (
        f"it asked what no model API has: POST {paths}; its base URL is to end in /v1 for OpenAI's "
        "clients, before that for Anthropic's and Gemini's"
    )


def not_asked(one: Observed, _: Trial) -> str | None:
    """Say that no request came, and what to look at."""
    if one.asked:
        return None
    if one.error:
        return f"it raised, and did not ask the model: {one_line(one.error)}"
    return (
        "it ended without asking the model. Its client is to take its address from one of "
        f"{', '.join(BASE_URLS)}, which were set{last_words(one)}"
    )


def never_called(one: Observed, trial: Trial) -> str | None:
    """Say that the tool was not called, and which tools there are."""
    case = one.case
    if not case.size or case.kind == "user" or one.payloads or one.error:
        return None
    called = [call.name for asked in one.asked if asked.turn for call in asked.turn.calls]
    if called:
        return (
            f"{shown(dict.fromkeys(called))} was called, and asked for no payload: have it return "
            "ullage.probe.payload()"
        )
    tools = dict.fromkeys(name for asked in answered(one) for name in asked.tools or ())
    offered = f"it offers {shown(tools)}" if tools else "it offers no tool at all"
    if case.kind == "handoff" and not any(trial.tool in name for name in tools):
        return (
            f"no helper was asked: {offered}; --delegate NAME says which tool asks it, and the "
            f"helper is to have one with {trial.tool!r} in its name"
        )
    return (
        f"its tool was never called: {offered}, and none has {trial.tool!r} in its name; "
        "--tool WORD says which is meant"
    )


def not_said(one: Observed, _: Trial) -> str | None:
    """Say that the program said something of its own."""
    case = one.case
    if case.kind not in ("user", "history") or one.error:
        return None
    turns = {turn_id(case, turn) for turn in range(case.turns)}
    said = turns & ids_of(one)
    if not said:
        return (
            "it did not say what the user was to say: put {prompt} into CMD, or have it say the "
            "prompts of the case (docs/probe.md)"
        )
    if len(said) == 1 < case.turns and len(one.answers) <= 1:
        return (
            f"it said 1 of {case.turns} things and ended: for a conversation it is to ask for its "
            "case (docs/probe.md)"
        )
    return None


def ids_of(one: Observed) -> frozenset[str]:
    """Return the ids in all requests."""
    return frozenset().union(*(found(json.dumps(asked.body)) for asked in one.asked))


def raised(one: Observed, _: Trial) -> str | None:
    """Say what the harness raised."""
    if one.error is None:
        return None
    return f"it raised, after {many(len(answered(one)), 'request')}: {one_line(one.error)}"


TOLD: Sequence[tuple[Kind, Callable[[Observed, Trial], str | None]]] = (
    ("not-started", not_started),
    ("interrupted", interrupted),
    ("looped", looped),
    ("timed-out", timed_out),
    ("crashed", crashed),
    ("asked-elsewhere", asked_elsewhere),
    ("not-asked", not_asked),
    ("never-called", never_called),
    ("not-said", not_said),
    ("raised", raised),
)


def answered(one: Observed) -> list[Seen]:
    """Return the requests that went where a model answers."""
    return [seen for seen in one.seen if seen.status != NO_SUCH_PATH]


def shown(words: dict[str, None]) -> str:
    """List words; how many more there are is said."""
    names = list(words)
    listed = ", ".join(excerpt(one, LONGEST_LINE) for one in names[:MOST_SHOWN])
    rest = len(names) - MOST_SHOWN
    return f"{listed} and {rest} more" if rest > 0 else listed


def last_words(one: Observed) -> str:
    """Return the last lines of what the program wrote on stderr, as the end of a sentence."""
    lines = list(last_lines(one.stderr))
    return f"; its last words: {' | '.join(lines)}" if lines else ""


def last_lines(text: str) -> Iterator[str]:
    """Give the last lines that say something."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return (excerpt(line, LONGEST_LINE) for line in lines[-LAST_LINES:])


def one_line(text: str) -> str:
    """Return an error's text in one line."""
    return excerpt(" ".join(text.split()), LONGEST_LINE)
