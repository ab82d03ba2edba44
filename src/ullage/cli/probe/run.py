"""`ullage probe run`: say what a harness loses, by its requests to a scripted model."""

import asyncio
import json
import os
import secrets
import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import get_args

import click

from ullage.cli.output import say
from ullage.cli.progress import Step, progress
from ullage.cli.run import RunCommand
from ullage.cli.signals import stop_on_signals
from ullage.probe.bench import Bench, benching
from ullage.probe.canary import found as ids_in
from ullage.probe.case import Format, Kind, Returns, Style
from ullage.probe.cases import SIZES, TURNS, Wanted, ladder
from ullage.probe.observed import Observed
from ullage.probe.recorded import recording
from ullage.probe.runner import TIMEOUT, Cases, Runner, Target
from ullage.probe.scripts import FETCH, Words
from ullage.probe.server import CAP

ALL = "all"


class Several(click.ParamType):
    """Words with commas between them, each of a few; `all` is each of them."""

    name = "word,…"

    def __init__(self, known: Sequence[str]) -> None:
        self.known = known

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, ...]:
        """Split the words, and refuse one that is not known."""
        words = tuple(str(value).split(","))
        if words == (ALL,):
            return tuple(self.known)
        for word in words:
            if word not in self.known:
                self.fail(f"{word!r} is none of {', '.join(self.known)}", param, ctx)
        return words


class Numbers(click.ParamType):
    """Whole numbers with commas between them, thousands written as 33k."""

    name = "number,…"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, ...]:
        """Read the numbers."""
        if isinstance(value, tuple):
            return value
        found = []
        for word in str(value).split(","):
            digits = word.strip().lower().removesuffix("k")
            if not digits.isdecimal():
                self.fail(f"{word!r} is no number: write 8000, or 8k", param, ctx)
            found.append(int(digits) * (1000 if word.strip().lower().endswith("k") else 1))
        return tuple(found)


@click.command(
    "run",
    short_help="Say what a harness loses.",
    cls=RunCommand,
    context_settings={"allow_interspersed_args": False},
)
@click.argument("command_line", nargs=-1, type=click.UNPROCESSED, required=True, metavar="-- CMD…")
@click.option("--what", type=Several(get_args(Kind)), default="result,user,history")
@click.option("--sizes", type=Numbers(), default=SIZES)
@click.option("--formats", type=Several(get_args(Format)), default="json")
@click.option("--returns", type=Several(get_args(Returns)), default="text")
@click.option("--turns", type=Numbers(), default=TURNS)
@click.option("--history-sizes", type=Numbers(), default=(0, 33_000))
@click.option("--variant", default="default")
@click.option("--tool", default=FETCH)
@click.option("--delegate", metavar="NAME[=JSON]")
@click.option("--style", type=click.Choice(get_args(Style)), default="tools")
@click.option("--timeout", type=click.FloatRange(min=0.1), default=TIMEOUT)
@click.option("--cap", type=click.IntRange(min=0), default=CAP)
@click.option("--model", default="gpt-4o")
@click.option("--ledger", type=click.Path(dir_okay=False, path_type=Path))
def command(
    command_line: tuple[str, ...],
    what: tuple[Kind, ...],
    sizes: tuple[int, ...],
    formats: tuple[Format, ...],
    returns: tuple[Returns, ...],
    turns: tuple[int, ...],
    history_sizes: tuple[int, ...],
    variant: str,
    tool: str,
    delegate: str | None,
    style: Style,
    timeout: float,
    cap: int,
    model: str,
    ledger: Path | None,
) -> None:
    """Start CMD with a scripted model, and say what became of what its tools returned."""
    wanted = Wanted(
        name=f"probe-{secrets.token_hex(3)}",
        seed=secrets.token_hex(8),
        what=what,
        sizes=sizes,
        formats=formats,
        returns=returns,
        turns=turns,
        history_sizes=history_sizes,
        variant=variant,
        model=model,
        style=style,
    )
    name, _, given = (delegate or "").partition("=")
    words = Words(
        fetch=tool, delegate=name or None, arguments=json.loads(given) if given else {}
    )
    target = Target(
        command=command_line, environment=dict(os.environ), words=words, timeout=timeout
    )
    folder = Path(tempfile.mkdtemp(prefix="ullage-probe-"))
    try:
        found = asyncio.run(probing(wanted, target, cap, ledger or folder / "probe.ledger"))
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    click.echo(json.dumps({"schema": "ullage.probe/1", "cases": [raw(one) for one in found]}))


async def probing(wanted: Wanted, target: Target, cap: int, ledger: Path) -> list[Observed]:
    """Run the cases that are wanted."""
    stopped = stop_on_signals()
    cases = list(ladder(wanted))
    with progress("Probing", len(cases), unit="requests") as step:
        async with benching(Bench(cap=cap)) as bench, recording(bench, ledger, say):
            async with Runner(bench, target, stopped=stopped) as runner:
                return await runner.run(listed(cases, step))


def listed(cases: Sequence, step: Step) -> Cases:
    """Give cases that are known beforehand."""
    for case in cases:
        yield case
        step(1, case.tag)


def raw(one: Observed) -> dict[str, object]:
    """Return what was seen of a case, bodies left to the ledger."""
    produced = {identity for made in one.payloads for identity in made.places}
    arrived = [
        len(produced & set(ids_in(json.dumps(asked.body, ensure_ascii=False))))
        for asked in one.asked
    ]
    return {
        "case": asdict(one.case),
        "ended": one.ended,
        "exit": one.exit,
        "error": one.error,
        "stderr": one.stderr,
        "stdout": one.stdout,
        "answers": list(one.answers),
        "capped": one.capped,
        "produced": [{"chars": len(made.text), "records": len(made.places)} for made in one.payloads],
        "requests": [
            {"run": asked.run, "chars": len(json.dumps(asked.body)), "records": count}
            for asked, count in zip(one.asked, arrived, strict=True)
        ],
    }
