"""Lead the made run through every tier at three windows, print what survives, and write the page.

    python -m benchmarks.history.history          the whole: some two minutes, no network
    python -m benchmarks.history.history --print  only print

The page is docs/reference/history.md.
"""

import argparse
import logging
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import get_args

from benchmarks.history.made_run import Size, made_run
from benchmarks.history.survival import RESERVE, Survival, survive

from ullage.history.settings import Tier

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "history.md"
WINDOWS = (8_000, 16_000, 32_000)
SEED = 7
HEAD = """# What survives a compaction

Written by `make history`. A made run of an agent with tools: {turns} turns, {tokens} tokens at its
end, with {constraints} constraints in what the user says, {facts} facts in results and replies,
{open_steps} open steps, {stacks} failure stacks and {listings} listings that can be had again.
Before each request the history is brought within the window (tools and a reserve of {reserve}
tokens for the reply included), and what came out is the history that goes on. Counted is what
stands word for word in the **last** request. Everything is invented, the same for seed {seed}.

**The summariser is scripted.** It copies the first sentence of each reply and none of the facts:
the harshest summary that is still taken. What survives beside it was carried by Ullage; the column
of facts says nothing about a model. No model was asked for any figure here.

"""
FOOT = """
- *overflow*: the first turn whose request does not fit. In the managed tiers every request fits.
- *rules took*: of the tokens that rules, summaries and trims took out together, what rules took.
  Nothing is taken before it must be, so a larger window leaves more of the work to rules.
- *sent*: the tokens of all prompts of the run; those to the summariser are not among them.
- Constraints and stacks stay in every managed tier. Open steps are kept by a summary's check; a
  trim does not know them, so `T1` and `T2` lose those of units that left. Listings are the first
  to go.
- `T2` is `T1` with a way back: *offered* results can be had again. Whether a model asks for them is
  not measured here.
"""


def main() -> None:
    """Read the arguments, run, print, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--print", action="store_true", dest="only", help="write no page")
    options = parser.parse_args()
    # Thousands of lines; the figures are in the table.
    logging.getLogger("ullage.history").addHandler(logging.NullHandler())
    text = page(Size(), WINDOWS, get_args(Tier))
    print(text)
    if not options.only:
        PAGE.write_text(text, encoding="utf-8")
        print(f"written: {PAGE}", file=sys.stderr)


def page(size: Size, windows: Sequence[int], tiers: Sequence[Tier]) -> str:
    """Return the page."""
    run = made_run(size, SEED)
    rows = [survive(run, tier, window) for window in windows for tier in tiers]
    head = HEAD.format(
        turns=size.turns,
        tokens=max(one.last for one in rows),
        constraints=size.constraints,
        facts=size.facts,
        open_steps=size.open_steps,
        stacks=size.stacks,
        listings=size.listings,
        reserve=RESERVE,
        seed=SEED,
    )
    kinds = list(rows[0].kept)
    names = ["window", "tier", "overflow", *kinds, "last prompt", "sent", "rules took"]
    names += ["summary requests", "offered"]
    lines = [f"| {' | '.join(names)} |", "|" + "---|" * len(names)]
    return head + "\n".join([*lines, *map(line_of, rows)]) + "\n" + FOOT


def line_of(one: Survival) -> str:
    """Return a row of the table."""
    share = "n/a" if one.rule_share is None else f"{one.rule_share:.0%}"
    cells = [
        f"{one.window}",
        f"`{one.tier}`",
        "none" if one.overflow is None else f"turn {one.overflow}",
        *(f"{there} of {all_}" for there, all_ in one.kept.values()),
        f"{one.last}",
        f"{one.sent}",
        share,
        f"{one.calls}",
        f"{one.offered}",
    ]
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    main()
