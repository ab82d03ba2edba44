"""How many lines a user writes for an adapter: two programs of examples/adapters, compared."""

import difflib
from collections.abc import Sequence

from benchmarks.survey.manifest import ROOT

PROGRAMS = ROOT / "examples" / "adapters"


def lines_added(name: str) -> int:
    """Return how many lines the program with Ullage has that the plain one has not.

    A changed line counts as one; titles and empty lines do not. Raises OSError where one is not
    there.
    """
    plain, fitted = (lines(f"{name}_{word}.py") for word in ("plain", "ullage"))
    added = (line.removeprefix("+ ") for line in difflib.ndiff(plain, fitted) if line[:2] == "+ ")
    return sum(1 for line in added if line.strip())


def lines(program: str) -> Sequence[str]:
    """Return the lines of a program behind its title."""
    return (PROGRAMS / program).read_text(encoding="utf-8").splitlines()[1:]
