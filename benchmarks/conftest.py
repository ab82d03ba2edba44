"""How timings are collected: peers/ holds other people's code, and time is processor time."""

import time

import pytest

collect_ignore = ["peers", "work"]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Time on the processor, which other processes disturb less; a test's own timer comes first."""
    for item in items:
        item.add_marker(pytest.mark.benchmark(timer=time.process_time))
