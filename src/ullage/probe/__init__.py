"""Testing a harness from outside: a scripted model, payloads that can be told again, verdicts."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ullage.probe.given import payload

__all__ = ["payload"]


def __getattr__(name: str) -> object:
    """Load a public name on first use: a tool that is not probed pays nothing for it."""
    if name != "payload":
        raise AttributeError(f"module 'ullage.probe' has no attribute {name!r}")
    from ullage.probe.given import payload as loaded

    return loaded
