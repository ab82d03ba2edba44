"""Time and memory as the text grows: linear in its size, at a fixed budget."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from benchmarks.documents import SIZES, fresh, one_list
from benchmarks.timing import ORJSON, memcpy, rounds_for, time_case

from ullage import chars, cut

BUDGET = 6_000
GROWING = ("1 MB", "10 MB", "50 MB")
ROOT = Path(__file__).resolve().parents[1]


@pytest.mark.parametrize("size", GROWING)
def test_cut(benchmark: Any, size: str) -> None:
    """The cut; its memory over the text itself is measured in a process of its own."""
    text = one_list(SIZES[size])
    time_case(
        benchmark,
        lambda one: cut(one, chars(BUDGET)),
        fresh(text),
        group=f"growth: {size}",
        case="cut",
        rounds=rounds_for(len(text)),
        floors=(memcpy(len(text)), ORJSON),
    )
    command = [sys.executable, "-m", "benchmarks.memory", size]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT)
    found = json.loads(done.stdout)
    benchmark.extra_info["note"] = f"extra memory {found['times_the_text']} x the text"
    benchmark.extra_info["memory"] = found
