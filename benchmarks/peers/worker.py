"""Run one tool on the inputs of one folder, and print a JSON line for each.

Runs in the tool's own environment, with the standard library only:

    python worker.py TOOL --inputs FOLDER --out FOLDER (--chars N | --tokens N) [--timed]
"""

import argparse
import hashlib
import json
import resource
import signal
import statistics
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import adapters
from adapters import Budget, Cutter, Delivered

SECONDS = 60  # for one input; a tool that needs longer gets an error in that cell
CALLS = 5
ENOUGH_MS = 15_000

# Caches and deduplication answer a repeated input: for timing, each call gets its own.
FRESH = {
    "1_two_lists.json": ("proc-v1", "proc-v%d"),
    "2_orders.ndjson": ('"currency": "EUR"', '"currency": "EU%d"'),
    "3_build.log": ("mod0/", "mod%d/"),
    "4_deep.json": ('"v1"', '"v1x%d"'),
    "5_table.md": ("# Inventory", "# Inventory %d"),
    "6_rows.json": ('"web-01"', '"web-%d"'),
    "7_count.json": ('"total": 120', '"total": 12%d'),
}


def main() -> None:
    """Read the arguments, load the tool, run it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tool", choices=adapters.FACTORIES)
    parser.add_argument("--inputs", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--chars", type=int)
    parser.add_argument("--tokens", type=int)
    parser.add_argument("--timed", action="store_true")
    options = parser.parse_args()
    if options.tokens is None:
        budget = Budget(limit=options.chars, unit="chars")
    else:
        budget = Budget(limit=options.tokens, unit="tokens")
    signal.signal(signal.SIGALRM, too_slow)
    start = time.perf_counter()
    cut = adapters.FACTORIES[options.tool]()
    loaded = round(time.perf_counter() - start, 2)
    if options.timed:
        cut('{"warm": [1, 2, 3]}', budget, "warm.json")
    for path in sorted(options.inputs.iterdir()):
        text = path.read_text(encoding="utf-8")
        if options.timed:
            done = guarded(partial(timed, cut, budget, path.name, text))
        else:
            done = guarded(partial(delivered, cut, budget, text, options.out / path.name))
        print(json.dumps({"input": path.name, "load_s": loaded, **done}), flush=True)


def guarded(step: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """Return what a step found, or what went wrong in it, within its time."""
    before = peak_mb()
    signal.alarm(SECONDS)
    try:
        found = step()
    except Exception as error:  # noqa: BLE001 - a peer may raise anything; the table shows it
        found = {"error": repr(error)[:200]}
    finally:
        signal.alarm(0)
    return {**found, "more_mb": round(peak_mb() - before, 1)}


def delivered(cut: Cutter, budget: Budget, text: str, out: Path) -> dict[str, Any]:
    """Cut once and write the output down."""
    done = cut(text, budget, out.name)
    said, says = (done.text, done.says) if isinstance(done, Delivered) else (done, None)
    data = said.encode("utf-8", "surrogatepass")
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_bytes(data)
    return {"sha256": hashlib.sha256(data).hexdigest(), "says": says}


def timed(cut: Cutter, budget: Budget, name: str, text: str) -> dict[str, Any]:
    """Return the median milliseconds of calls that each see a text of their own."""
    old, new = FRESH[name]
    times: list[float] = []
    while len(times) < CALLS and sum(times) < ENOUGH_MS:
        changed = text.replace(old, new % (len(times) + 1), 1)
        start = time.perf_counter()
        cut(changed, budget, name)
        times.append((time.perf_counter() - start) * 1000)
    return {"ms": round(statistics.median(times), 2)}


def peak_mb() -> float:
    """Return the most memory this process has used so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def too_slow(*_: object) -> None:
    """End a step that takes too long."""
    raise TimeoutError(f"over {SECONDS} s")


if __name__ == "__main__":
    main()
