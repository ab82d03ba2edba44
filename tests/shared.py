"""Where the material lies that tests may read but the repository does not hold."""

import os
from pathlib import Path

import pytest

SHARED = Path(os.environ.get("ULLAGE_SHARED") or Path(__file__).parents[2] / "shared")


def shared(path: str) -> Path:
    """Return a path below the shared material; skip the test, visibly, where it is absent."""
    found = SHARED / path
    if not found.exists():
        pytest.skip(f"{path} is not here: set ULLAGE_SHARED to the folder that holds it")
    return found
