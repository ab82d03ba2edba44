"""Each check in a sentence, with its usual severity and what to do: for readers of a report."""

from collections.abc import Mapping
from dataclasses import dataclass

from ullage.transcript.words import Severity


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """What a check reports, how much that matters as a rule, and what to do about it."""

    severity: Severity
    what: str
    remedy: str


def row(severity: Severity, what: str, remedy: str) -> Rule:
    """Return one row of the table."""
    return Rule(severity=severity, what=what, remedy=remedy)


BY_RECORDS = "Cut by records, which keeps the syntax and states what is missing."
RAISE = "Raise the output limit, and do not take the answer for whole."
PROTECT = "Protect what must stay from the trimming, or switch the trimming off."
NOT_SUMMARISED = "Keep rules, numbers and open steps out of what is summarised."

RULES: Mapping[str, Rule] = {
    "answer-count-contradicted": row(
        "error",
        "The answer claims fewer records than there were.",
        "Find the step that lost the others, then ask again.",
    ),
    "answer-covers-less": row(
        "warning",
        "The answer covers fewer records than were produced.",
        "Find the step that lost the others, or read them in chunks.",
    ),
    "arguments-malformed": row(
        "error",
        "The arguments of a call do not parse, and no limit is the cause.",
        "Give the model the error as the result: raising the limit does not help.",
    ),
    "call-loop": row(
        "warning",
        "A harness called a tool again and again until a cap ended it.",
        "Stop after a number of calls, and keep the newest result.",
    ),
    "compacted-with-room": row(
        "warning",
        "History was compacted although it fitted.",
        "Raise the trigger of the compaction.",
    ),
    "constraint-lost": row(
        "error", "A standing rule or number is gone from the summary.", NOT_SUMMARISED
    ),
    "context-edited": row(
        "warning",
        "The server cleared or summarised history that the request still shows.",
        "Do not take the request for what the model saw.",
    ),
    "count-contradicted": row(
        "warning",
        "A count in the data no longer fits the rows, and nothing says so.",
        BY_RECORDS,
    ),
    "counter-wrong": row(
        "warning",
        "The harness's own count of tokens is far off.",
        "Count with the model's vocabulary, tools and images included.",
    ),
    "cut-no-way-back": row(
        "warning",
        "A result was cut, and nothing leads to the rest.",
        "Give a handle or a path with the cut.",
    ),
    "cut-to-empty": row(
        "error",
        "Something was produced and an empty text delivered.",
        "Find what shortens it; a cut by records never empties a result.",
    ),
    "cut-upstream": row(
        "warning",
        "What was recorded as produced had been shortened before.",
        "Record the result where it is made, before anything shortens it.",
    ),
    "cut-with-room": row(
        "warning",
        "A result was cut although all of it fitted the window.",
        "Raise the limit of the result.",
    ),
    "damaged-line": row(
        "warning",
        "A line of a log cannot be read whole.",
        "Begin each run of the writer on a fresh line.",
    ),
    "double-encoded": row("note", "JSON stands inside a JSON string.", "Encode the result once."),
    "duplicate-key": row(
        "warning", "A key occurs twice in one object.", "Write each key once: readers keep one."
    ),
    "effective-window": row(
        "error",
        "The prompt is larger than the window that is in force.",
        "Ask for a larger window, or send less.",
    ),
    "error-in-body": row(
        "warning",
        "A result that claims success carries an error.",
        "Have the tool fail when it fails.",
    ),
    "error-loop-after-elision": row(
        "warning", "An error comes again after its first result was elided.", PROTECT
    ),
    "field-asymmetry": row(
        "error", "One field of a tool arrives far less often than its neighbour.", BY_RECORDS
    ),
    "field-never-arrives": row("error", "A field of a tool arrives in no call.", BY_RECORDS),
    "finished-step-repeated": row(
        "warning", "A finished step is listed as the next one.", NOT_SUMMARISED
    ),
    "handle-dead": row(
        "warning", "The way back to a cut result is closed.", "Keep what a handle names."
    ),
    "handle-unused": row(
        "note",
        "The way back to a cut result was never taken.",
        "Say in the notice what is missing and how to get it.",
    ),
    "handoff-lost": row(
        "error",
        "A parent did not get findings of its child.",
        "Hand findings on as a list, not in free words.",
    ),
    "instruction-lost": row("error", "The newest instruction of the user is gone.", NOT_SUMMARISED),
    "invalid-syntax": row(
        "error", "The delivered text no longer parses as the produced one did.", BY_RECORDS
    ),
    "length-ignored": row(
        "error",
        "A reply that its limit stopped was handed to the user as a whole one.",
        "Look at the finish reason; have the model go on, or say that it is not all.",
    ),
    "lone-surrogate": row(
        "warning", "Half of a surrogate pair stands in the text.", "Cut at whole characters."
    ),
    "mark-in-arguments": row(
        "warning",
        "A truncation mark stands in the arguments of a call.",
        "Keep old arguments whole, or drop the call with its result.",
    ),
    "message-lost": row("error", "A message is gone between two requests.", PROTECT),
    "orphan-call": row(
        "error", "A call stands without its result.", "Drop a call and its result together."
    ),
    "orphan-result": row(
        "error", "A result stands without its call.", "Drop a call and its result together."
    ),
    "output-cut": row("warning", "The output limit or the window stopped the answer.", RAISE),
    "output-cut-empty": row(
        "error", "The output limit was reached before anything was written.", RAISE
    ),
    "output-empty": row("warning", "The reply ended normally with nothing written.", "Ask again."),
    "output-stopped": row(
        "warning",
        "A filter, a refusal, a pause or an error ended the answer.",
        "Do not take what was written for an answer.",
    ),
    "overflow-ignored": row(
        "error",
        "The model refused a prompt as too long, and nobody heard of it.",
        "Raise the error, or shorten the history and say so.",
    ),
    "page-limit-hit": row(
        "warning",
        "A tool returned exactly its limit on several calls.",
        "Read the next pages, or raise the page size.",
    ),
    "payload-in-history": row(
        "warning",
        "Data stands in an older message, where trimming takes it first.",
        "Put all data into the current message.",
    ),
    "plan-loop": row(
        "warning", "The same plan is made again and again without an action.", NOT_SUMMARISED
    ),
    "prefix-broken": row(
        "warning",
        "A request does not begin with the one before it in its conversation.",
        "Shorten history seldom, and much at a time.",
    ),
    "prefix-unknown": row(
        "note",
        "The server adds messages that no request shows.",
        "Nothing: it says what is not known.",
    ),
    "python-repr": row(
        "note", "A Python literal stands where JSON was meant.", "Return json.dumps(result)."
    ),
    "refetch": row("warning", "The same was fetched again after it was lost.", BY_RECORDS),
    "result-cleared": row(
        "warning",
        "A result's message stayed in the history, and its records went.",
        "Keep what is still needed, or leave a way back to it.",
    ),
    "secret-in-clear": row(
        "error", "A secret stands in a transcript.", "Take it out, and change it."
    ),
    "served-short": row(
        "error",
        "The server read far fewer tokens than were sent.",
        "Raise the window that the server runs with, or send less.",
    ),
    "setting-ignored": row(
        "warning",
        "A setting was sent, and the reply contradicts it.",
        "Set it where the server takes it from.",
    ),
    "silent-cut": row(
        "error", "A result was delivered shorter, and nothing tells the model.", BY_RECORDS
    ),
    "stream-incomplete": row(
        "error", "A reply stops before its end.", "Ask again; carry out no call of it."
    ),
    "summariser-starved": row(
        "error",
        "The summariser was not shown what it replaced.",
        "Raise the limit of what the summariser is given.",
    ),
    "system-shortened": row("error", "The system text became shorter.", PROTECT),
    "task-lost": row("error", "The first task of the user is no longer in the request.", PROTECT),
    "unstable-source": row(
        "warning", "The same call gave other records.", "Give the source a fixed order."
    ),
}


def rule(check: str) -> Rule:
    """Return the row of a check; one that has none yet is named by itself."""
    return RULES.get(check) or row(
        "warning", f"The check {check} found a fault.", "See its advice."
    )
