"""Ullage: what an agent's tools produced, what its model was given, and what was lost between."""

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ullage.cutter.budget import Budget, chars
    from ullage.cutter.cut import cut
    from ullage.cutter.values import Account, Cut, Part
    from ullage.errors import LedgerError, LoadError, ProxyError, UllageError

__all__ = [
    "Account",
    "Budget",
    "Cut",
    "LedgerError",
    "LoadError",
    "Part",
    "ProxyError",
    "UllageError",
    "chars",
    "cut",
]

# Each public name and the module that defines it. Loaded on first use, so that importing ullage in
# somebody's agent costs nothing until a name is needed.
_WHERE = {
    "Account": "ullage.cutter.values",
    "Budget": "ullage.cutter.budget",
    "Cut": "ullage.cutter.values",
    "LedgerError": "ullage.errors",
    "LoadError": "ullage.errors",
    "Part": "ullage.cutter.values",
    "ProxyError": "ullage.errors",
    "UllageError": "ullage.errors",
    "chars": "ullage.cutter.budget",
    "cut": "ullage.cutter.cut",
}


def __getattr__(name: str) -> object:
    """Load a public name on first use."""
    if name not in _WHERE:
        raise AttributeError(f"module 'ullage' has no attribute {name!r}")
    value = getattr(importlib.import_module(_WHERE[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return list(__all__)
