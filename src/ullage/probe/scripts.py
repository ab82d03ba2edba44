"""What the scripted model says in a case."""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from ullage.checks.handles import HANDLE, OFFER
from ullage.probe.case import Case
from ullage.probe.observed import FETCH
from ullage.probe.request import OUR_CALL, ModelRequest, Tool, calls_ours, last_reply
from ullage.probe.script import FINAL_ANSWER, Call, Script, Turn, overflow
from ullage.transcript.message import Message

SHELLS = ("bash", "run_shell_command", "exec_command", "shell_command", "shell", "execute_command")
"""Tools of coding CLIs that run a command of a shell."""

READS = ("read", "view", "open", "get", "load", "cat")
"""Words in the name of a tool that gives what a notice names."""

DONE = "done"
NOTED = "noted"
CUT_SHORT = "Here is the report. The first of the rows are in order, and among the others the"
REST = "rest is in order too. done"
SUMMARY = "Summary of the conversation. What the user told:"
SUMMARY_END = "The rows were fetched each time, and looked through; nothing else was decided."
FACT = re.compile(r"Note turn-[0-9a-f]{12}: [^.]+\.")
"""What the user says in each turn, before the task."""

TASK = "Call fetch_rows, and report each record that you find, with its id."
REPORT = "Findings of the helper:"


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """What a harness calls its tools: a word in the one that fetches, the one that delegates.

    `arguments` are given to the delegating tool on top of what its form asks for.
    """

    fetch: str = FETCH
    delegate: str | None = None
    arguments: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Hands:
    """What a script may use of the case's state.

    `file` writes the next payload to a file, counted as produced, and returns its path. `evidence`
    gives the ids that a helper is to report.
    """

    file: Callable[[], str]
    evidence: Callable[[], Sequence[str]]


def script_of(case: Case, words: Words, hands: Hands) -> Script:
    """Return the script of a case; a prompt above the case's window is refused first."""
    script = SCRIPTS.get(case.kind, fetching)(case, words, hands)

    def within(request: ModelRequest) -> Turn:
        if case.window is not None and request.tokens > case.window:
            return overflow(request, case.window)
        if case.style == "tools" and request.tools is None:
            return Turn(text=summary(request))
        return script(request)

    return within


def summary(request: ModelRequest) -> str:
    """Answer who offers no tool, as a summariser that leaves out no fact of the user's.

    It may be a title that is asked for, or a chat without tools: nobody minds. Records it does not
    repeat: what becomes of them is seen by what it was shown.
    """
    facts = [fact for one in request.messages for fact in FACT.findall(one.text)]
    said = "\n".join(f"- {one}" for one in dict.fromkeys(facts))
    return f"{SUMMARY}\n{said}\n{SUMMARY_END}" if said else f"{SUMMARY} {SUMMARY_END}"


def fetching(case: Case, words: Words, hands: Hands) -> Script:
    """Call the tool once for each thing that the user says, then be done."""
    style = STYLES[case.style]

    def script(request: ModelRequest) -> Turn:
        if case.size and not style.fetched(request, words):
            found = style.fetch(request, words, hands)
            if found is not None:
                return found
        return style.finish(request, DONE if case.size else NOTED)

    return script


def saying(case: Case, _words: Words, _hands: Hands) -> Script:
    """Call nothing: the data is in what the user says."""
    return lambda request: STYLES[case.style].finish(request, DONE)


def stopping(case: Case, words: Words, hands: Hands) -> Script:
    """Fetch, then reply with a text that its limit stops; whatever comes then, say the rest.

    The one script that remembers: a harness that asks the same again is not stopped for ever.
    """
    style, stopped = STYLES[case.style], list[str]()

    def script(request: ModelRequest) -> Turn:
        if stopped:
            return STYLES[case.style].finish(request, REST)
        if not style.fetched(request, words) and (turn := style.fetch(request, words, hands)):
            return turn
        stopped.append(request.fingerprint)
        return Turn(text=CUT_SHORT, finish_reason="length")

    return script


def following(case: Case, words: Words, hands: Hands) -> Script:
    """Fetch; where a notice names a way back and a tool that reads is offered, take it, once."""
    style, fetch = STYLES[case.style], fetching(case, words, hands)

    def script(request: ModelRequest) -> Turn:
        if not style.fetched(request, words):
            return fetch(request)
        name = way_back(request)
        reader = reading(request, words)
        if name is None or reader is None or calls_since(request, reader.name):
            return style.finish(request, DONE)
        return Turn(calls=(Call(name=reader.name, arguments=asking(reader, name)),))

    return script


def way_back(request: ModelRequest) -> str | None:
    """Return the path or handle that the last result names."""
    texts = [one.text for one in since_user(request.messages) if one.role != "assistant"]
    found = OFFER.search(texts[-1]) or HANDLE.search(texts[-1]) if texts else None
    return found["handle"] if found else None


def reading(request: ModelRequest, words: Words) -> Tool | None:
    """Return the tool that gives what a notice names: one that reads, else a shell."""
    tools = [one for one in request.definitions or () if words.fetch not in one.name]
    found = (one for word in READS for one in tools if word in one.name.lower())
    return next(found, None) or next(filter(None, (exactly(request, one) for one in SHELLS)), None)


def asking(reader: Tool, name: str) -> dict[str, object]:
    """Return arguments with which a tool gives what a notice names."""
    return printing(reader, name) if reader.name in SHELLS else filled(reader, name)


def delegating(case: Case, words: Words, hands: Hands) -> Script:
    """Delegate where that is offered; where fetching is, fetch and report; then be done."""
    style = STYLES[case.style]

    def script(request: ModelRequest) -> Turn:
        delegate = offered(request, words.delegate) if words.delegate else None
        if delegate is not None and not calls_since(request, delegate.name):
            given = {**filled(delegate, TASK), **words.arguments}
            return Turn(calls=(Call(name=delegate.name, arguments=given),))
        if offered(request, words.fetch) is None:
            return style.finish(request, DONE)
        if not style.fetched(request, words):
            return style.fetch(request, words, hands) or style.finish(request, DONE)
        return style.finish(request, "\n".join([REPORT, *lines_of(hands.evidence())]))

    return script


SCRIPTS: Mapping[str, Callable[[Case, Words, Hands], Script]] = {
    "user": saying,
    "handle": following,
    "length": stopping,
    "handoff": delegating,
}


def lines_of(ids: Sequence[str]) -> Iterator[str]:
    """Write ids as evidence lines of a report."""
    return (f"- {one} is out of line" for one in ids)


@dataclass(frozen=True, slots=True, kw_only=True)
class Wording:
    """How a model that calls in one style fetches, tells that it has fetched, and ends."""

    fetch: Callable[[ModelRequest, Words, Hands], Turn | None]
    fetched: Callable[[ModelRequest, Words], bool]
    finish: Callable[[ModelRequest, str], Turn]


def fetch_by_tool(request: ModelRequest, words: Words, hands: Hands) -> Turn | None:
    """Call the tool, or have a shell print the file; None where neither is offered."""
    tool = offered(request, words.fetch)
    if tool is not None:
        return Turn(calls=(Call(name=tool.name, arguments=filled(tool)),))
    shell = next((one for name in SHELLS for one in [exactly(request, name)] if one), None)
    if shell is None:
        return None
    return Turn(calls=(Call(name=shell.name, arguments=printing(shell, hands.file())),))


def fetched_by_tool(request: ModelRequest, words: Words) -> bool:
    """Whether the tool was called since the user spoke last, and its result is there."""
    tool = offered(request, words.fetch)
    if tool is not None:
        return calls_since(request, tool.name) or only_result(request)
    return request.answered


def finish_by_tool(request: ModelRequest, said: str) -> Turn:
    """Say it, or give it to the tool that ends a run."""
    ending = exactly(request, FINAL_ANSWER)
    if ending is not None:
        return Turn(calls=(Call(name=FINAL_ANSWER, arguments={"answer": said}),))
    return Turn(text=said)


def fetch_by_code(_request: ModelRequest, words: Words, _hands: Hands) -> Turn:
    """Call the tool in code, as its last expression."""
    return Turn(text=f"Fetching.\n<code>\n{words.fetch}()\n</code>")


def fetch_by_print(_request: ModelRequest, words: Words, _hands: Hands) -> Turn:
    """Call the tool in code, and print what it returns."""
    return Turn(text=f"Fetching.\n<code>\nprint({words.fetch}())\n</code>")


def fetched_by_code(request: ModelRequest, words: Words) -> bool:
    """Whether the last thing that the model said is the code that fetches."""
    said = [one.text for one in request.messages if one.role == "assistant"]
    return bool(said) and f"{words.fetch}()" in said[-1]


def finish_by_code(_request: ModelRequest, said: str) -> Turn:
    """End the run in code."""
    return Turn(text=f"Done.\n<code>\nfinal_answer({said!r})\n</code>")


STYLES: Mapping[str, Wording] = {
    "tools": Wording(fetch=fetch_by_tool, fetched=fetched_by_tool, finish=finish_by_tool),
    "code": Wording(fetch=fetch_by_code, fetched=fetched_by_code, finish=finish_by_code),
    "print": Wording(fetch=fetch_by_print, fetched=fetched_by_code, finish=finish_by_code),
}


def offered(request: ModelRequest, word: str) -> Tool | None:
    """Return the first tool on offer whose name contains a word, in any case of letters."""
    tools = request.definitions or ()
    return next((one for one in tools if word.lower() in one.name.lower()), None)


def exactly(request: ModelRequest, name: str) -> Tool | None:
    """Return the tool on offer of this name."""
    return next((one for one in request.definitions or () if one.name == name), None)


def calls_since(request: ModelRequest, tool: str) -> bool:
    """Whether the model called a tool since the user spoke last, be it written down as a text."""
    return any(
        any(call.name == tool for call in one.calls)
        or (one.role == "assistant" and tool in one.text and OUR_CALL.search(one.text) is not None)
        for one in since_user(request.messages)
    )


def only_result(request: ModelRequest) -> bool:
    """Whether a result is the last message although its call is gone from the history."""
    last = list(since_user(request.messages))
    return bool(last) and last[-1].role == "tool" and not any(one.calls for one in last)


def since_user(messages: Sequence[Message]) -> Sequence[Message]:
    """Return what came after the user spoke last; what stands behind a call of ours is a result."""
    begin = 0
    for place, one in enumerate(messages):
        if one.role == "user" and not fetches(last_reply(messages[:place])):
            begin = place + 1
    return messages[begin:]


def fetches(reply: Sequence[Message]) -> bool:
    """Whether a reply is a call of ours that has a result; the one that ends a run has none."""
    names = [name for one in reply for name in (one.text, *(call.name for call in one.calls))]
    return calls_ours(reply) and not any(FINAL_ANSWER in name for name in names)


def filled(tool: Tool, text: str = "all") -> dict[str, object]:
    """Return arguments with what a tool's form requires, of the right types."""
    properties = tool.parameters.get("properties")
    required = tool.parameters.get("required")
    if not isinstance(properties, Mapping) or not isinstance(required, list):
        return {}
    return {
        str(name): example(properties.get(name), text) for name in required if isinstance(name, str)
    }


def example(form: object, text: str) -> object:
    """Return a value for a member of a form."""
    known = form if isinstance(form, Mapping) else {}
    choices = known.get("enum")
    if isinstance(choices, list) and choices:
        return choices[0]
    kind = known.get("type")
    examples: Mapping[object, object] = {
        "integer": 1,
        "number": 1,
        "boolean": False,
        "array": [],
        "object": {},
    }
    return examples.get(kind if isinstance(kind, str) else None, text)


def printing(shell: Tool, path: str) -> dict[str, object]:
    """Return arguments with which a shell prints a file, as the tool's form wants them."""
    command = f"cat {json.dumps(path)}" if " " in path else f"cat {path}"
    given = filled(shell, "print the file")
    properties = shell.parameters.get("properties")
    known = properties if isinstance(properties, Mapping) else {}
    name = next((one for one in ("command", "cmd", "script") if one in known), "command")
    form = known.get(name)
    is_list = isinstance(form, Mapping) and form.get("type") == "array"
    return {**given, name: ["bash", "-lc", command] if is_list else command}
