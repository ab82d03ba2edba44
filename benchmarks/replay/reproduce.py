"""Carry out the one-week plan of the source paper's digest in one command, and write the report.

    python -m benchmarks.replay.reproduce
    python -m benchmarks.replay.reproduce --model http://127.0.0.1:8000/v1 --model-name NAME

Days 1 to 6 need no network and less than two minutes. Stopped by Ctrl-C, the same command goes on.
The report is docs/reproduce.md.
"""

import argparse
import sys
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

from benchmarks.replay.model_check import Answered, Model, ask_all, questions
from benchmarks.replay.page import page
from benchmarks.replay.paper import RESULTS, SEED
from benchmarks.replay.week import week

from ullage.cli.progress import progress, stopped_by_hand

PAGE = Path(__file__).parents[2] / "docs" / "reproduce.md"
WORK = Path(__file__).parents[1] / "work" / "replay"
CASES = 20
QUESTIONS = 10


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the arguments, work, write."""
    options = parsed(arguments)
    with stopped_by_hand(lambda: f"what is done is in {options.work}; the same command goes on"):
        with progress("Replaying", unit="shards") as step:
            found = week(
                options.seed,
                options.results,
                options.cases,
                options.work,
                lambda done, all_: step(1, f"{done} of {all_}"),
            )
        answers = ask(options)
    text = page(found, version("ullage"), answers, options.model_name)
    options.output.write_text(text, encoding="utf-8", newline="\n")
    if answers is None:
        print("Day 7 is skipped: no --model was given.", file=sys.stderr)
    print(f"written: {options.output}", file=sys.stderr)


def parsed(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Read the arguments."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--results", type=int, default=RESULTS, help="of the corpus")
    parser.add_argument("--cases", type=int, default=CASES, help="of each kind of culprit")
    parser.add_argument("--output", type=Path, default=PAGE)
    parser.add_argument("--work", type=Path, default=WORK, help="where unfinished work is kept")
    parser.add_argument("--model", metavar="URL", help="an OpenAI-compatible API, with its /v1")
    parser.add_argument("--model-name", default="default")
    parser.add_argument("--key-file", type=Path, help="a file that holds the API's key")
    parser.add_argument(
        "--cohort",
        choices=("external", "local-small"),
        default="external",
        help="what kind of model it is; a scripted one says so itself",
    )
    parser.add_argument(
        "--questions", type=int, default=QUESTIONS, help="in each arm, early and late"
    )
    return parser.parse_args(arguments)


def ask(options: argparse.Namespace) -> list[Answered] | None:
    """Ask the model, if there is one."""
    if options.model is None:
        return None
    key = None
    if options.key_file is not None:
        key = options.key_file.read_text(encoding="utf-8").strip()
    model = Model(url=options.model, name=options.model_name, cohort=options.cohort, key=key)
    asked = list(questions(options.seed, options.questions))
    with progress("Asking", len(asked), unit="requests") as step:
        return ask_all(asked, model, options.work / "answers.jsonl", step)


if __name__ == "__main__":
    main()
