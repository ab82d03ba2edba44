"""What most likely lost something at a boundary: known marks of known programs, else advice.

The settings are those of the versions that were looked at in 2026; a program may have renamed them.
"""

import re
from collections.abc import Iterable, Mapping

from ullage.checks.history_limit import Limit, Unit
from ullage.transcript.words import Boundary

# What stands in the message that took the place of what was lost, and who writes that there.
MARKS: tuple[tuple[re.Pattern[str], str], ...] = (
    (
        re.compile(r"truncated to stay below \d+ characters"),
        "smolagents: MAX_LENGTH_TRUNCATE_CONTENT, 20000 characters of a CodeAgent's last output",
    ),
    (
        re.compile(r"summary of the conversation to date", re.IGNORECASE),
        "LangChain SummarizationMiddleware: trigger, keep, and trim_tokens_to_summarize, which "
        "cuts what the summariser is shown",
    ),
    (re.compile(r"\A\[cleared\]\Z"), "LangChain ContextEditingMiddleware: ClearToolUsesEdit"),
    (
        re.compile(r"\[truncated: \d+ chars removed\]"),
        "Strands SlidingWindowConversationManager: window_size",
    ),
    (
        re.compile(r"\A\[Trimmed: "),
        "OpenAI Agents ToolOutputTrimmer: recent_turns, max_output_chars",
    ),
    (re.compile(r"Skipped \d+ messages\."), "AutoGen HeadAndTailChatCompletionContext"),
    (
        re.compile(r"Warning: truncated output \(original token count"),
        "Codex: tool_output_token_limit",
    ),
    (re.compile(r"\.\.\.output truncated\.\.\."), "OpenCode: its limit of a tool's output"),
    (
        re.compile(r"being continued from a previous conversation"),
        "Claude Code: compaction; DISABLE_AUTO_COMPACT turns it off",
    ),
    (
        re.compile(r"Old tool result content cleared"),
        "Claude Code: it clears old tool results when its context grows",
    ),
)

KEEP = (
    "Keep the data behind a tool that returns it, put it into the current message or mark it as "
    "protected, and log trimming at WARNING; a larger limit moves the loss to a longer talk."
)
"""What to do about the limit of a history, once it is known."""

ADVICE: Mapping[Boundary, str] = {
    "produce": "Ask the source alone and list all ids, not the count: its limit, its pages, its "
    "order. Then ask for the rest, or for all of it.",
    "serialise": "The value is there in another form. Make the text yourself where it is made: "
    "json.dumps(value), large numbers as strings.",
    "budget": "Find what cuts a result to a size, and cut by records instead: "
    'ullage.cut(result, ullage.chars(6000), keep=["FIELD=VALUE"]).text keeps this one.',
    "retain": "Look for the limit of the history in your framework: turns "
    "(max_history_turns, num_history_runs, window_size) or tokens (max_tokens, token_limit), often "
    f"8,000 or 16,000 whatever the model takes. {KEEP}",
    "summarise": "Do not summarise where details matter: pin the message, raise the size at which "
    "it starts, or have the summary keep ids. Look at what the summariser was shown.",
    "handoff": "Hand over the findings themselves, not the last message: return them as data from "
    "the sub-agent, with their ids.",
    "serve": "Compare the tokens that the server reports with what was sent: raise the window that "
    "it runs with (num_ctx, --max-model-len), or turn off what it was asked to do "
    '(truncation: "auto", context edits).',
}


# What counts in a unit. A request does not say who made it: these are the ones to look for.
COUNTING: Mapping[Unit, str] = {
    "turns": "num_history_runs (agno, 3 by default), max_turns, max_history_turns, a window of k "
    "exchanges",
    "messages": "buffer_size (AutoGen BufferedChatCompletionContext), window_size (Strands "
    "SlidingWindowConversationManager, 40 by default), max_messages",
    "characters": "token_limit (AutoGen TokenLimitedChatCompletionContext, LlamaIndex memory), "
    "max_tokens (LangChain trim_messages)",
}


def setting_of(limit: Limit) -> str:
    """Name the settings that a limit of a history may come from."""
    unit = "characters, or tokens" if limit.unit == "characters" else limit.unit
    return f"a limit on {unit}: {COUNTING[limit.unit]}"


def setting(texts: Iterable[str]) -> str | None:
    """Return the setting whose mark stands in one of these messages, None if none is known."""
    known = (name for text in texts for pattern, name in MARKS if pattern.search(text))
    return next(known, None)
