"""Write a made recording: as lines, or into a ledger where the file's name ends in `.ledger`.

    python -m benchmarks.replay.generate paper paper.jsonl
    python -m benchmarks.replay.generate listings field.ledger --results 11189
    python -m benchmarks.replay.generate listings million.ledger --results 1000000
    python -m benchmarks.replay.generate loud loud.jsonl     (or quiet, other-part)

`paper` has 864 results of the source paper's shape, `listings` any number of the 33 KB one, each
unlike all others. A million in a ledger take some 5 GB and an hour; stopped, the same command goes
on where it was. Cases of culprits come with FILE.truth.json. All of it is invented.
"""

import argparse
import json
import shutil
import sys
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from pathlib import Path

from benchmarks.replay.culprits import Loudness, cases
from benchmarks.replay.million import FIELD_RESULTS, listings
from benchmarks.replay.paper import SEED, paper
from benchmarks.replay.recording import Result, write_ledger, write_lines

from ullage import Ledger
from ullage.cli.progress import counted, stopped_by_hand

CASES = 20
LEDGER_BYTES, LINE_BYTES = 5_100, 38_000
"""A listing takes about so much on disk, measured."""
CULPRITS: tuple[Loudness, ...] = ("loud", "quiet", "other-part")


def main() -> None:
    """Read the arguments, write."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=("paper", "listings", *CULPRITS))
    parser.add_argument("file", type=Path)
    parser.add_argument("--results", type=int, default=FIELD_RESULTS, help="listings: how many")
    parser.add_argument("--seed", type=int, default=SEED)
    options = parser.parse_args()
    written = generate(options.what, options.file, options.seed, options.results)
    print(f"{options.file}: {written} results written", file=sys.stderr)


def generate(what: str, file: Path, seed: int, results: int) -> int:
    """Write one recording, and return how many results were written now."""
    if what == "listings":
        return write_listings(file, seed, results)
    found = paper(seed) if what == "paper" else of_cases(what, file, seed)
    return write(found, fresh(file))


def of_cases(what: str, file: Path, seed: int) -> Iterator[Result]:
    """Yield the results of cases, having written their truth beside the file."""
    (loudness,) = (one for one in CULPRITS if one == what)
    made = list(cases(loudness, CASES, seed))
    truth = {one.results[0].session: asdict(one.truth) for one in made}
    beside = file.with_name(f"{file.name}.truth.json")
    beside.write_text(json.dumps(truth, indent=1) + "\n", encoding="utf-8")
    return (result for one in made for result in one.results)


def write_listings(file: Path, seed: int, results: int) -> int:
    """Write listings; a ledger that has some of them gets the rest."""
    first = held(file, seed) if in_ledger(file) else 0
    if first > results:
        raise SystemExit(f"{file} holds {first} results, more than {results}: name another file")
    needs = (results - first) * (LEDGER_BYTES if in_ledger(file) else LINE_BYTES)
    free = shutil.disk_usage(file.absolute().parent).free
    if needs > free:
        raise SystemExit(
            f"{results - first} listings need {needs} bytes and {free} are free: write fewer "
            "(--results), or into a .ledger"
        )
    with stopped_by_hand(lambda: f"the same command goes on with {file}"):
        found = counted(
            listings(results, seed, first), "Writing", total=results - first, unit="records"
        )
        return write_ledger(found, file, first) if in_ledger(file) else write(found, fresh(file))


def held(file: Path, seed: int) -> int:
    """Return how many listings of this seed a ledger has; one of other contents is refused."""
    if not file.exists():
        return 0
    with Ledger.read(file) as ledger:
        number = ledger.stats().tool_results
        last = next(ledger.results(after=number - 1), None) if number else None
    if last is not None:
        expected = next(listings(number, seed, number - 1))
        if (last.number, last.text) != (number, expected.text):
            raise SystemExit(f"{file} holds other results than these: name another file")
    return number


def write(results: Iterable[Result], file: Path) -> int:
    """Write results in the form that the file's name says."""
    return write_ledger(results, file) if in_ledger(file) else write_lines(results, file)


def fresh(file: Path) -> Path:
    """Return a file that is not a ledger with something in it."""
    if in_ledger(file) and file.exists():
        raise SystemExit(f"{file} is there: a ledger is only added to; name another file")
    return file


def in_ledger(file: Path) -> bool:
    """Whether a ledger is written."""
    return file.suffix == ".ledger"


if __name__ == "__main__":
    main()
