"""Put losses and look-alikes into clean sessions, and count what each check finds and misses.

    python benchmarks/audit/measure.py [--n 150] [--clean 400] [--seed 1] [--only CHECK ...]
        [--corpora DIR] [--json FILE] [--markdown]

Recall is the share of injected losses for which the check reports; false alarms are reports on
look-alikes, and on clean sessions. With `--corpora` the folders there are scanned, and each finding
is looked up in read.jsonl: what a person made of it. Nothing is judged here but by these figures.
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from random import Random

import delivered_results
import exchanged
import handoffs_made
import histories
import measured_results
import summaries
import uses
from clean import clean_session
from figures import line, markdown, text
from pairs import Files, Maker, Pair
from verdicts import Read, verdicts

from ullage.checks.experimental import EXPERIMENTAL
from ullage.checks.scan import Scanning
from ullage.sources.files import read_bytes
from ullage.transcript.finding import Finding

PAIRS: tuple[Pair, ...] = (
    *measured_results.PAIRS,
    *delivered_results.PAIRS,
    *histories.PAIRS,
    *summaries.PAIRS,
    *uses.PAIRS,
    *exchanged.PAIRS,
    *handoffs_made.PAIRS,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Injected:
    """What one check did of injected losses, look-alikes and clean sessions: scans, and reports."""

    losses: int = 0
    found: int = 0
    alike: int = 0
    alarms: int = 0
    clean: int = 0
    clean_alarms: int = 0

    def plus(self, other: "Injected") -> "Injected":
        """Add what another kind of its losses gave; clean sessions are the same ones."""
        return replace(
            self,
            losses=self.losses + other.losses,
            found=self.found + other.found,
            alike=self.alike + other.alike,
            alarms=self.alarms + other.alarms,
        )


def findings(files: Files) -> list[Finding]:
    """Scan files, and return what all checks find, experimental ones too."""
    scanning = Scanning(wanted=EXPERIMENTAL)
    for number, one in enumerate(files):
        if isinstance(one, bytes):
            scanning.add(read_bytes(one, f"file{number}.jsonl"))
        else:
            scanning.add_transcript(one)
    return list(scanning.done().findings)


def reports(make: Maker, check: str, seed: str, times: int) -> int:
    """Return for how many made scans a check reports."""
    hits = 0
    for number in range(times):
        hits += any(one.check == check for one in findings(make(Random(f"{seed} {number}"))))
    return hits


def injected(pair: Pair, n: int, seed: int) -> Injected:
    """Return the figures of one kind of loss."""
    name = f"{seed} {pair.check} {pair.kind}"
    return Injected(
        losses=n,
        found=reports(pair.loss, pair.check, f"{name} loss", n),
        alike=n,
        alarms=reports(pair.alike, pair.check, f"{name} alike", n),
    )


def clean_alarms(sessions: int, seed: int) -> Counter[str]:
    """Return in how many clean sessions each check reports; half are files of exchanges."""
    alarms: Counter[str] = Counter()
    for number in range(sessions):
        draw = Random(f"{seed} clean {number}")
        files = exchanged.grown(draw) if number % 2 else [clean_session(draw)]
        alarms.update({one.check for one in findings(files)})
    return alarms


def measured(n: int, sessions: int, seed: int, only: Sequence[str]) -> dict[str, Injected]:
    """Return the figures of every check, or of those that are named."""
    clean = clean_alarms(sessions, seed)
    made: dict[str, Injected] = {}
    for pair in PAIRS:
        if only and pair.check not in only:
            continue
        one = injected(pair, n, seed)
        print(f"{pair.check:28}{pair.kind:16} {one}", file=sys.stderr)
        start = Injected(clean=sessions, clean_alarms=clean[pair.check])
        made[pair.check] = made.get(pair.check, start).plus(one)
    for check, count in clean.items():
        if check not in made and not only:
            made[check] = Injected(clean=sessions, clean_alarms=count)
    return made


def main() -> None:
    """Measure all checks, or those that are named, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--n", type=int, default=150)
    parser.add_argument("--clean", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", nargs="*", default=())
    parser.add_argument("--corpora", type=Path)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--markdown", action="store_true")
    asked = parser.parse_args()
    by_check = measured(asked.n, asked.clean, asked.seed, asked.only)
    read = verdicts(asked.corpora) if asked.corpora else {}
    lines = [line(name, one, read.get(name, Read())) for name, one in sorted(by_check.items())]
    print("\n".join(markdown(lines) if asked.markdown else text(lines)))
    if asked.json:
        document = {"seed": asked.seed, "checks": [asdict(one) for one in lines]}
        asked.json.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
