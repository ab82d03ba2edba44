"""The table of a run, as Markdown."""

import json
import os
import platform
import re
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from judge import SCORED, passes

from adapters import CHARS, ENVIRONMENTS, TOKENS, Budget

HERE = Path(__file__).resolve().parent
UNSCORED = "7_count.json"
# The packages whose behaviour is compared, by environment; the rest of requirements/ is theirs.
PACKAGES = {
    "pydantic": ("pydantic-ai-harness",),
    "langchain": ("deepagents", "langchain", "langchain-core"),
    "small": (
        "binomialhash",
        "cendor-squeeze",
        "leancontext",
        "leantokens",
        "terse-mcp",
        "tool-output-truncate-py",
        "toons",
        "tooltrim",
        "trimtok",
    ),
    "headroom": ("headroom-ai", "litellm"),
}
LEGEND = """\
A cell: **pass** where the rule holds, the size (**over** the budget), J where the output is one
JSON document, the records that are there (E and L: of the early and the late list), the planted
anomalies that stand in the text, "says so" where the text says that something is gone, "way back"
where it names one, and the median of five calls, each on a text of its own. Of more than one seed
the cell shows the first, and how many of all pass. Input 7 fits the budget and is not scored.
"same": the same bytes under two hash seeds.

A tool that names a way back expects the model to read on: an anomaly that does not stand in its
text is not lost. headroom's compress() and densify() hand logs and prose to a model that would be
downloaded and was not: those cells are no verdict. A Node tool's time holds the start of node."""
LABELS = {"early_ids": "E", "late_ids": "L", "ids": "ids ", "rows": "rows "}

Row = dict[str, Any]


def read(path: Path) -> list[Row]:
    """Return the lines of a results file."""
    if not path.exists():
        return []
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]


def machine() -> Row:
    """Return what a reader must know of the machine to judge the times."""
    node = shutil.which("node")
    asked = [node, "--version"] if node else ["true"]
    version = subprocess.run(asked, capture_output=True, text=True, check=False).stdout.strip()
    return {
        "cores": os.cpu_count(),
        "machine": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "node": version or "not found",
        "load": round(os.getloadavg()[0], 1),
    }


def markdown(path: Path) -> str:
    """Return the tables of the latest results, one a budget."""
    rows = read(path)
    if not rows:
        return "No results yet: run compare.py run.\n"
    results = latest(rows)
    parts = [heading(rows, list(results.values())), "\n".join(in_short(list(results.values())))]
    for budget in (CHARS, TOKENS):
        mine = [row for row in results.values() if row["unit"] == budget.unit]
        if mine:
            parts.append("\n".join(table(budget, mine)))
            parts += failures(mine)
    parts += [LEGEND, *missing(rows, results)]
    return "\n\n".join(parts) + "\n"


def latest(rows: Sequence[Row]) -> dict[tuple[str, str, int, str], Row]:
    """Return the last row of each tool, budget, seed and input."""
    keyed = (row for row in rows if "tool" in row)
    return {(row["tool"], row["unit"], row["seed"], row["input"]): row for row in keyed}


def heading(rows: Sequence[Row], results: Sequence[Row]) -> str:
    """Return when, where and with which versions the results were made."""
    begun = rows[0]
    times = sorted(row["at"] for row in results) or [begun["began"]]
    sources = sorted({row["stamp"] for row in results if row["stamp"]})
    return (
        f"Measured from {times[0]} to {times[-1]} on {begun['machine']}, {begun['cores']} cores"
        f" (load {begun['load']} at the start), Python {begun['python']}, Node {begun['node']}."
        f" Versions: {', '.join(versions())}."
        f" Ullage: source {' and '.join(sources) or 'not measured'}."
    )


def versions() -> Iterator[str]:
    """Yield the packages and their pinned versions."""
    for environment, names in PACKAGES.items():
        pins = (HERE / "requirements" / f"{environment}.txt").read_text(encoding="utf-8")
        for name in names:
            found = re.search(rf"^{name}==(\S+)", pins, re.MULTILINE)
            yield f"{name} {found[1] if found else 'not pinned'}"
    node = json.loads((HERE / "package.json").read_text(encoding="utf-8"))["dependencies"]
    yield from (f"{name} {version} (npm)" for name, version in sorted(node.items()))


def in_short(rows: Sequence[Row]) -> Iterator[str]:
    """Yield the lines of the summary: which inputs each tool passes, at each budget."""
    yield "### Inputs passed\n"
    yield f"| tool | {CHARS.limit:,} characters | {TOKENS.limit:,} tokens |"
    yield "|---|---|---|"
    for tool in ordered({row["tool"]: row for row in rows}):
        cells = [
            passed([row for row in rows if row["tool"] == tool and row["unit"] == unit])
            for unit in (CHARS.unit, TOKENS.unit)
        ]
        yield f"| {tool} | {' | '.join(cells)} |"


def passed(rows: Sequence[Row]) -> str:
    """Return how many inputs are passed and which: on all seeds that were run."""
    scored = [row for row in rows if row["input"] in SCORED]
    if not scored:
        return ""
    failed = {row["input"] for row in scored if not passes(row)}
    good = [name.split("_")[0] for name in SCORED if name not in failed]
    seeds = len({row["seed"] for row in scored})
    which = f" ({', '.join(good)})" if 0 < len(good) < len(SCORED) else ""
    times = f", {seeds} seeds" if seeds > 1 else ""
    return f"{len(good)} of {len(SCORED)}{which}{times}"


def table(budget: Budget, rows: Sequence[Row]) -> Iterator[str]:
    """Yield the lines of one table."""
    names = (*SCORED, UNSCORED)
    by_tool: dict[str, dict[str, list[Row]]] = {}
    for row in sorted(rows, key=lambda row: int(row["seed"])):
        by_tool.setdefault(row["tool"], {}).setdefault(row["input"], []).append(row)
    words = "characters" if budget.unit == "chars" else "tokens (o200k_base)"
    yield f"### {budget.limit:,} {words}\n"
    yield f"| tool | passes | seeds | {' | '.join(map(title, names))} | same |"
    yield "|---" * (len(names) + 4) + "|"
    for tool in ordered(by_tool):
        cells = by_tool[tool]
        first = [cells[name][0] for name in SCORED]
        score = f"{sum(map(passes, first))}/{len(SCORED)}"
        seeds = len(cells[SCORED[0]])
        whole = sum(all(passes(cells[name][at]) for name in SCORED) for at in range(seeds))
        every = [row for some in cells.values() for row in some]
        same = "yes" if all(row["same"] for row in every) else "**no**"
        shown = " | ".join(cell(cells[name]) for name in names)
        yield f"| {tool} | {score} | {whole} of {seeds} | {shown} | {same} |"


def failures(rows: Sequence[Row]) -> Iterator[str]:
    """Yield the seeds that a tool does not pass where it passes others."""
    by_cell: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        if row["input"] in SCORED:
            by_cell.setdefault((row["tool"], row["input"]), []).append(row)
    for (tool, name), some in by_cell.items():
        failed = [str(row["seed"]) for row in some if not passes(row)]
        if 0 < len(failed) < len(some):
            yield f"{tool} does not pass {title(name)} on the seeds {', '.join(failed)}."


def ordered(tools: dict[str, Any]) -> list[str]:
    """Return the tools in the order of their environments."""
    order = [factory.__name__ for group in ENVIRONMENTS.values() for factory in group]
    return [tool for tool in order if tool in tools]


def title(name: str) -> str:
    """Return an input's name as the head of a column."""
    return name.split(".")[0].replace("_", " ")


def cell(rows: Sequence[Row]) -> str:
    """Return what one cell says: the pinned seed, and how many of all pass."""
    row = rows[0]
    if "error" in row:
        return f"error: {row['error'].replace('|', '/')[:60]}"
    scored = row["input"] != UNSCORED
    parts = [
        "**pass**" if scored and passes(row) else "",
        "unchanged" if row["unchanged"] else "",
        f"{row['size']:,}",
        "" if row["within"] else "**over**",
        "J" if row["json"] else "",
        *(f"{label}{row[key]}" for key, label in LABELS.items() if key in row),
        f"{row['anomalies']}/{row['anomalies_of']}" if row["anomalies_of"] else "",
        "says so" if row["notice"] else "",
        "way back" if row["way_back"] else "",
        f"{row['ms']:.3g} ms" if row.get("ms") is not None else "",
    ]
    if len(rows) > 1:
        good = sum(passes(one) if scored else one.get("unchanged", False) for one in rows)
        parts.append(f"({good} of {len(rows)})")
    return " ".join(part for part in parts if part)


def missing(rows: Sequence[Row], results: dict[tuple[str, str, int, str], Row]) -> list[str]:
    """Return a line for each environment that could not be made and has no results."""
    measured = {tool for tool, *_ in results}
    whys = {row["missing"]: row["why"] for row in rows if "missing" in row}
    return [
        f"Not measured: {', '.join(factory.__name__ for factory in ENVIRONMENTS[name])} ({why})."
        for name, why in whys.items()
        if not measured & {factory.__name__ for factory in ENVIRONMENTS[name]}
    ]
