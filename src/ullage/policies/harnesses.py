"""The cuts of real harnesses, read from the data file beside this module."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache
from importlib.resources import files

from ullage.cutter.by_position import Shape, shaped
from ullage.policies.delivery import Delivery


@dataclass(frozen=True, slots=True, kw_only=True)
class Harness:
    """One harness's cut of a tool's result: its shape, its version, and where that is written."""

    name: str
    version: str
    source: str
    read: date
    shape: Shape

    def deliver(self, text: str) -> Delivery:
        """Return what this harness would deliver of a text."""
        done = shaped(text, self.shape)
        return Delivery(text=text) if done is None else Delivery(text=done.text, notice=done.notice)

    def is_over(self, text: str) -> bool:
        """Whether this harness would cut a text."""
        return shaped(text, self.shape) is not None


def harness(name: str) -> Harness:
    """Return a harness by name. Raises KeyError for one that is not in the table."""
    return table()[name]


def harness_names() -> tuple[str, ...]:
    """Return the names of all harnesses, sorted."""
    return tuple(sorted(table()))


@cache
def table() -> Mapping[str, Harness]:
    """Read the table."""
    text = files("ullage.policies").joinpath("harnesses.toml").read_text(encoding="utf-8")
    return {name: harness_of(name, section) for name, section in tomllib.loads(text).items()}


def harness_of(name: str, section: Mapping[str, object]) -> Harness:
    """Return the harness of one section."""
    said = {key: section[key] for key in ("version", "source", "read")}
    shape = {key: value for key, value in section.items() if key not in said}
    return Harness(name=name, shape=Shape(**shape), **said)  # type: ignore[arg-type]  # TOML's types
