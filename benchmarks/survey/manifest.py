"""The harnesses that are surveyed, as examples/probe/harnesses.toml lists them."""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
RECIPES = ROOT / "examples" / "probe"
MANIFEST = RECIPES / "harnesses.toml"
FITTED = "ullage"
"""The setting of a harness that uses its adapter."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """One setting of a harness: what is tried with it, how it is switched on, where it is set."""

    name: str
    cases: Sequence[str]
    how: str = ""
    opt_in: bool = False
    best: bool = False
    source: Sequence[str] = ()
    style: str = ""
    protocol: str = ""
    note: str = ""
    bisect: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Harness:
    """One harness: its packages, its recipe, and how its model is spoken to."""

    name: str
    title: str
    package: str
    recipe: Path
    variants: Sequence[Variant]
    kind: str = "python"
    requirements: Path | None = None
    lock: Path | None = None
    version: str = ""
    model: str = ""
    python: str = ""
    protocol: str = "openai-chat"
    style: str = "tools"
    tool: str = ""
    streams: bool = False
    delegate: str = ""
    adapter: str = ""
    surveyed: bool = True
    arguments: Mapping[str, object] = field(default_factory=dict)
    vocabulary: Sequence[str] = ()
    seconds: int = 120
    env: Mapping[str, str] = field(default_factory=dict)
    note: str = ""

    def style_of(self, variant: Variant) -> str:
        """Return how the model is to call in a setting."""
        return variant.style or self.style

    def protocol_of(self, variant: Variant) -> str:
        """Return how the model is spoken to in a setting."""
        return variant.protocol or self.protocol


def harnesses(path: Path = MANIFEST) -> list[Harness]:
    """Read the manifest, in the order in which it is written. Raises KeyError, TypeError."""
    document = tomllib.loads(path.read_text(encoding="utf-8"))
    return [harness(name, members, path.parent) for name, members in document.items()]


def harness(name: str, members: Mapping[str, object], folder: Path) -> Harness:
    """Read one section."""
    found = dict(members)
    variants = found.pop("variants")
    if not isinstance(variants, dict):
        raise TypeError(f"{name}: variants is no table")
    for paths in ("recipe", "requirements", "lock"):
        if paths in found:
            found[paths] = folder / str(found[paths])
    return Harness(
        name=name,
        variants=[Variant(name=word, **told) for word, told in variants.items()],
        **found,  # type: ignore[arg-type]
    )
