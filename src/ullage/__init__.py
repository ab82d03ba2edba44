"""Ullage: what an agent's tools produced, what its model was given, and what was lost between."""

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ullage.errors import LedgerError, LoadError, ProxyError, UllageError

__all__ = [
    "LedgerError",
    "LoadError",
    "ProxyError",
    "UllageError",
]

# Each public name and the module that defines it. Loaded on first use, so that importing ullage in
# somebody's agent costs nothing until a name is needed.
_WHERE = {
    "LedgerError": "ullage.errors",
    "LoadError": "ullage.errors",
    "ProxyError": "ullage.errors",
    "UllageError": "ullage.errors",
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
