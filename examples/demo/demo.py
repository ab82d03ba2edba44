"""Run one real agent four ways behind both taps, and show what its model was given each time.

    make demo

No key, and no network once the packages are there: the model is a scripted server on this machine.
The agent, its framework, the proxy, the ledger and the measurement are the real ones. Everything in
the table is computed from the ledger of these runs.
"""

import argparse
import asyncio
import json
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from containers import make_listing
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from ullage import Ledger, arrival
from ullage.checks.measure import measure
from ullage.checks.measured import Measured
from ullage.probe.script import Plan, Script, Turn, first_tool_once
from ullage.probe.server import ScriptedModel, serving

SEED = 7
FOLDER = Path(".demo")
LEDGER = FOLDER / "demo.ledger"
AGENT = Path(__file__).with_name("agent.py")


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One way to run the agent: its label in the table, and the answers of its scripted model."""

    variant: str
    label: str
    script: Script = first_tool_once


CODE_AGENT = Plan(
    turns=(
        Turn(text="Thought: list them.\n<code>\nlist_containers()\n</code>"),
        Turn(text="Thought: done.\n<code>\nfinal_answer('done')\n</code>"),
    )
)
CASES = (
    Case(variant="slice", label="(a) result\n[:6000]"),
    Case(variant="code-agent", label="(b) CodeAgent's\nown cut", script=CODE_AGENT),
    Case(variant="everything", label="(c) everything\ndelivered"),
    Case(variant="ullage", label="(d) ullage.cut\nto 6000"),
)


async def run_case(case: Case, base_url: str, seed: int) -> None:
    """Run the agent once under `ullage run`, which records both sides."""
    words = [sys.executable, "-m", "ullage", "run", "--ledger", str(LEDGER), "--run", case.variant]
    words += ["--upstream", f"{base_url}/run/{case.variant}/v1", "--output"]
    words += [str(FOLDER / f"{case.variant}.json"), "--format", "json", "--"]
    words += [sys.executable, str(AGENT), case.variant, str(seed)]
    quiet = {"HF_HUB_OFFLINE": "1", "HF_HUB_DISABLE_TELEMETRY": "1", "PYTHONWARNINGS": "ignore"}
    said = FOLDER / f"{case.variant}.log"
    with said.open("wb") as log:
        child = await asyncio.create_subprocess_exec(
            *words, env={**os.environ, **quiet}, stdout=log, stderr=log
        )
        code = await child.wait()
    if code != 0:
        sys.exit(f"demo: {case.variant} ended with {code}; what it said is in {said}")


async def run_all(cases: Sequence[Case], seed: int, console: Console) -> None:
    """Run every case against one scripted model server."""
    model = ScriptedModel({case.variant: case.script for case in cases})
    async with serving(model) as base_url:
        for case in cases:
            console.print("running " + case.label.replace("\n", " "), markup=False, highlight=False)
            await run_case(case, base_url, seed)


def table_of(cases: Sequence[Case], culprit: str) -> Table:
    """Return the table, each figure computed from the ledger."""
    table = Table(
        title="What the model was given (model: scripted, framework: smolagents)",
        box=SIMPLE_HEAD,
    )
    table.add_column("")
    columns = []
    with Ledger.read(LEDGER) as ledger:
        for case in cases:
            (result,) = measure(ledger, case.variant).results
            table.add_column(Text(case.label))
            columns.append(figures_of(result, culprit))
    for name in columns[0]:
        table.add_row(name, *(figures[name] for figures in columns))
    return table


def figures_of(result: Measured, culprit: str) -> dict[str, str]:
    """Return one case's figures by name."""
    arrived, delivered = result.arrival, result.delivered
    if arrived is None or delivered is None:
        sys.exit(f"demo: the result of {result.run} was in no request")
    parts = {part.path: f"{part.delivered} of {part.produced}" for part in arrived.parts}
    records = [one for part in json.loads(result.produced).values() for one in part]
    (wanted,) = [one for one in records if one["id"] == culprit]
    whole = arrival(json.dumps([wanted]), delivered).records.delivered
    return {
        "produced": f"{arrived.produced_chars} chars",
        "delivered": f"{arrived.delivered_chars} chars",
        "JSON": "valid" if arrived.valid else "broken",
        "early records": parts["$.early_list"],
        "late records": parts["$.late_list"],
        "the culprit": "arrived" if whole else "lost",
        "notice": arrived.notice.grade,
        "boundary": result.boundary or "nothing lost",
    }


def main() -> None:
    """Run the cases and print the table."""
    parser = argparse.ArgumentParser(description="Run one real agent four ways, and compare.")
    parser.add_argument("--seed", type=int, default=SEED, help="draws the listing and its culprit")
    seed = parser.parse_args().seed
    console = Console()
    FOLDER.mkdir(exist_ok=True)
    for file in FOLDER.glob("demo.ledger*"):
        file.unlink()
    asyncio.run(run_all(CASES, seed, console))
    console.print()
    console.print(table_of(CASES, make_listing(seed).culprit))
    console.print(
        "\nThe culprit is the one container with an unusual number: what the agent was asked for.\n"
        "For your own agent, type:  .venv/bin/ullage run -- python your_agent.py",
        markup=False,
        highlight=False,
        soft_wrap=True,
    )


if __name__ == "__main__":
    main()
