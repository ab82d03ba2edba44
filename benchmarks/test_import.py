"""What importing Ullage adds to the start of a process."""

import resource
import statistics
import subprocess
import sys
import time
from typing import Any

import pytest
from benchmarks.timing import Beside, Floor

from ullage.tap.auto import STARTUP

# What the start-up hook adds to a program; the rest of `sitecustomize` is Python's own.
HOOKED = (
    "import os, sys; os.environ['ULLAGE_LEDGER'] = 'none.ledger';"
    f"sys.path.insert(0, {str(STARTUP)!r}); sys.modules.pop('sitecustomize', None);"
    "import sitecustomize"
)
PROGRAMS = {
    "import ullage": "import ullage",
    "from ullage import cut": "from ullage import cut, chars",
    "from ullage import record_tool": "from ullage import record_tool",
    "from ullage import arrival": "from ullage import arrival",
    "the command line": "import ullage.cli.main",
    "a child of ullage run": HOOKED,
}
ROUNDS = 15


def start(program: str) -> None:
    """Run a process from start to end."""
    subprocess.run([sys.executable, "-c", program], check=True)


def processor_seconds() -> float:
    """Return the time that finished children have spent on a processor."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


@pytest.mark.benchmark(timer=processor_seconds)
@pytest.mark.parametrize("case", PROGRAMS)
def test_import(benchmark: Any, case: str) -> None:
    """The processor time of a process; how long it takes by the clock is noted beside it."""
    bare = Floor(name="bare python", call=start, prepare=lambda _: "pass")
    beside = Beside(floors=(bare,), clock=processor_seconds)
    waited: list[float] = []

    def setup() -> None:
        beside.run(iter([""]))

    def run() -> None:
        began = time.perf_counter()
        start(PROGRAMS[case])
        waited.append(time.perf_counter() - began)

    benchmark.group = "import"
    benchmark.pedantic(run, setup=setup, rounds=ROUNDS, iterations=1, warmup_rounds=1)
    rounds = benchmark.stats.stats.data
    benchmark.extra_info.update(
        case=case,
        beside=beside.told(rounds),
        note=f"{statistics.median(waited) * 1e3:.0f} ms by the clock",
    )
