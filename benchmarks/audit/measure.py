"""Put losses and look-alikes into clean sessions, and count what each check finds and misses.

python benchmarks/audit/measure.py [--n 150] [--clean 300] [--seed 1] [--only CHECK ...]

Nothing is judged here: the figures are what they are. Recall is the share of injected losses for
which the check reports; false alarms are reports on look-alikes, and on clean sessions.
"""

import argparse
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from random import Random

import delivered_results
import exchanged
import histories
import measured_results
import summaries
import uses
from clean import clean_session
from pairs import Files, Maker, Pair

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
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """What one check did: of injected losses, of look-alikes, of clean sessions."""

    check: str
    losses: int
    found: int
    alike: int
    alarms: int
    clean: int
    clean_alarms: int


def findings(files: Files) -> list[Finding]:
    """Scan files, and return what is found."""
    scanning = Scanning()
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


def measure(pair: Pair, n: int, seed: int, clean: Counter[str], sessions: int) -> Figures:
    """Return the figures of one check."""
    return Figures(
        check=pair.check,
        losses=n,
        found=reports(pair.loss, pair.check, f"{seed} {pair.check} loss", n),
        alike=n,
        alarms=reports(pair.alike, pair.check, f"{seed} {pair.check} alike", n),
        clean=sessions,
        clean_alarms=clean[pair.check],
    )


def clean_alarms(sessions: int, seed: int) -> Counter[str]:
    """Return in how many clean sessions each check reports."""
    alarms: Counter[str] = Counter()
    for number in range(sessions):
        session = clean_session(Random(f"{seed} clean {number}"))
        alarms.update({one.check for one in findings([session])})
    return alarms


def main() -> None:
    """Measure all checks, or those that are named, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--n", type=int, default=150)
    parser.add_argument("--clean", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", nargs="*", default=())
    parser.add_argument("--json", type=Path)
    asked = parser.parse_args()
    clean = clean_alarms(asked.clean, asked.seed)
    made = []
    for pair in PAIRS:
        if asked.only and pair.check not in asked.only:
            continue
        one = measure(pair, asked.n, asked.seed, clean, asked.clean)
        made.append(one)
        print(one, file=sys.stderr)
    print(clean)


if __name__ == "__main__":
    main()
