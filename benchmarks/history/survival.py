"""Lead a made run through the tiers, turn by turn, and say what of it is in its last request.

Before each request the history is brought within the window, as an agent would do it, and what came
out is the history that goes on. The summariser is scripted: it copies the first sentence of what it
is shown, up to a limit, and says so. It stands for a bare summary; what survives beside it was
carried by Ullage, and is no merit of a model.
"""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.history.made_run import Run

from ullage.history.compact import compact
from ullage.history.compacted import Compacted
from ullage.history.recall import MemoryStore
from ullage.history.settings import Tier

RESERVE = 512
"""Tokens that every request keeps free for its reply."""
MOST_SENTENCES = 24
"""So many sentences the scripted summariser copies."""
QUIET = logging.getLogger("ullage.history")


@dataclass(frozen=True, slots=True, kw_only=True)
class Survival:
    """How one tier did at one window.

    `overflow` is the first turn whose request does not fit, None where all fit. `kept` counts what
    is in the last request, by kind: listings whole. `sent` are the tokens of all prompts, `last` of
    the last one; `calls` the requests to the summariser. `rule_share`: of the tokens that rules,
    summaries and trims took out together, those that rules took.
    """

    tier: Tier
    window: int
    overflow: int | None
    kept: Mapping[str, tuple[int, int]]
    sent: int
    last: int
    calls: int
    rule_share: float | None
    refused: int
    offered: int


def scripted(messages: Sequence[Mapping[str, str]]) -> str:
    """Copy the first sentence of each reply that is shown: a bare summary, without a model."""
    lines = messages[-1]["content"].split("\n")
    said = [line.split(". ")[0] for line in lines if line.startswith("Step ")]
    step = max(1, len(said) // MOST_SENTENCES)
    return "A scripted summary of what was done.\n" + "\n".join(f"{one}." for one in said[::step])


def survive(run: Run, tier: Tier, window: int) -> Survival:
    """Lead a run through a tier at a window."""
    messages: list[Any] = [
        {"role": "system", "content": run.system},
        {"role": "user", "content": run.task},
    ]
    store = MemoryStore()
    overflow, sent, won = None, 0, {"elide": 0, "summarise": 0, "trim": 0}
    calls = refused = last = 0
    for number, turn in enumerate(run.turns):
        messages += turn
        body = {"model": "gpt-4o", "messages": messages, "tools": list(run.tools)}
        done = step(body, tier, window, store)
        messages = list(done.messages)
        last = done.after.tokens - RESERVE
        sent += last
        calls += done.requests
        refused += sum(one.action == "refused" for one in done.events)
        for one in done.events:
            if one.action in won:
                won[one.action] += one.tokens_before - one.tokens_after
        if overflow is None and not done.fits:
            overflow = number + 1
    total = sum(won.values())
    return Survival(
        tier=tier,
        window=window,
        overflow=overflow,
        kept=found(run, messages),
        sent=sent,
        last=last,
        calls=calls,
        rule_share=won["elide"] / total if total else None,
        refused=refused,
        offered=len(store.listing()),
    )


def step(body: Mapping[str, Any], tier: Tier, window: int, store: MemoryStore) -> Compacted:
    """Bring the history of a request within a window."""
    return compact(body, window, tier=tier, reserve=RESERVE, summariser=scripted, store=store)


def found(run: Run, messages: Sequence[Any]) -> Mapping[str, tuple[int, int]]:
    """Count what was planted and stands in the messages, word for word."""
    text = "\n".join(texts(messages))
    return {
        kind: (sum(one in text for one in each), len(each))
        for kind, each in run.planted.kinds().items()
    }


def texts(value: object) -> list[str]:
    """Return all texts in messages."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, Mapping):
        return [text for one in value.values() for text in texts(one)]
    if isinstance(value, Sequence):
        return [text for one in value for text in texts(one)]
    return []
