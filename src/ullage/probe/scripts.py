"""What the scripted model says in a case."""

import re
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from ullage.probe.case import Case
from ullage.probe.observed import FETCH
from ullage.probe.request import OUR_CALL, ModelRequest, Tool, calls_ours, last_reply
from ullage.probe.schemas import filled
from ullage.probe.script import FINAL_ANSWER, Call, Script, Turn, overflow
from ullage.probe.shells import shell_call
from ullage.probe.ways_back import is_news, ways_back
from ullage.transcript.message import Message

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
    """Return the script of a case; a prompt too far above the first one is refused.

    The first is what the harness says by itself: instructions and tools, of some CLIs 19,000
    tokens. A title that is asked for before it is not the first.
    """
    script, first = SCRIPTS.get(case.kind, fetching)(case, words, hands), list[int]()

    def within(request: ModelRequest) -> Turn:
        if case.window is not None and first and request.tokens > first[0] + case.window:
            return overflow(request, first[0] + case.window)
        if case.style == "tools" and request.tools is None:
            return Turn(text=summary(request))
        if not first:
            first.append(request.tokens)
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

    It remembers that it was stopped: a harness that asks the same again is not stopped for ever.
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
    """Fetch; then take the way back that the result names, until it gives records.

    It remembers what it took: a harness that asks the same again gets the same, and a shell is
    tried once where the tool that reads gave nothing new.
    """
    style, fetch = STYLES[case.style], fetching(case, words, hands)
    taken, left = dict[str, Turn](), list[Call]()

    def script(request: ModelRequest) -> Turn:
        if request.fingerprint in taken:
            return taken[request.fingerprint]
        if not taken:
            if not style.fetched(request, words):
                return fetch(request)
            tools = [one for one in request.definitions or () if words.fetch not in one.name]
            left.extend(ways_back(request.messages, tools, case.size))
        elif is_news(request.messages):
            left.clear()
        turn = Turn(calls=(left.pop(0),)) if left else style.finish(request, DONE)
        taken[request.fingerprint] = turn
        return turn

    return script


def delegating(case: Case, words: Words, hands: Hands) -> Script:
    """Delegate where that is offered; where fetching is, fetch and report; then be done."""
    style = STYLES[case.style]

    def script(request: ModelRequest) -> Turn:
        delegate = offered(request, words.delegate) if words.delegate else None
        if delegate is not None and not calls_since(request, delegate.name):
            given = {**filled(delegate.parameters, TASK), **words.arguments}
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
        return Turn(calls=(Call(name=tool.name, arguments=filled(tool.parameters, "all")),))
    offers = [(one.name, one.parameters) for one in request.definitions or ()]
    # The file is written, and counted as produced, only where something can print it.
    if shell_call(offers, "") is None:
        return None
    call = shell_call(offers, f"cat {shlex.quote(hands.file())}")
    return None if call is None else Turn(calls=(call,))


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
