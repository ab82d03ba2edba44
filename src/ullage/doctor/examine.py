"""Hold installed packages against the table: the value in force of each setting, and its loss."""

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ullage.doctor.constants import Found, by_pattern, by_symbol
from ullage.doctor.diagnosis import Item, Value
from ullage.doctor.entry import Framework, Override, Setting, Spot, Standing, severity
from ullage.doctor.environment import Package
from ullage.doctor.parse import parsed
from ullage.doctor.surroundings import Chosen, Surroundings, chosen


@dataclass(frozen=True, slots=True)
class Reader:
    """Files of packages, each read and parsed once; what cannot be read holds no value."""

    texts: dict[Path, str] = field(default_factory=dict)
    trees: dict[Path, ast.Module | None] = field(default_factory=dict)

    def text(self, path: Path) -> str:
        """Return a file's text; nothing where it is not there or not UTF-8."""
        if path not in self.texts:
            try:
                self.texts[path] = path.read_text(encoding="utf-8")
            except (OSError, UnicodeDecodeError):
                self.texts[path] = ""
        return self.texts[path]

    def tree(self, path: Path) -> ast.Module | None:
        """Return a file's syntax tree; None where it has none."""
        if path not in self.trees:
            self.trees[path] = parsed(self.text(path))
        return self.trees[path]

    def found(self, path: Path, spot: Spot) -> Found | None:
        """Return the value of a spot in one file."""
        if spot.pattern:
            return by_pattern(self.text(path), spot.pattern)
        tree = self.tree(path)
        return None if tree is None else by_symbol(tree, spot.symbol)


def examine(
    framework: Framework, package: Package, around: Surroundings, reader: Reader
) -> list[Item]:
    """Return what an installed package does with context, one item a setting."""
    items = []
    for setting in framework.settings:
        picks = [chosen(one, around) for one in setting.overrides]
        found = list(values(setting, framework, package, picks, reader))
        standing = standing_of(setting, found, picks)
        items.append(
            Item(
                key=setting.key,
                of=framework.distribution,
                version=package.version,
                boundary=setting.boundary,
                loss=setting.loss,
                standing=standing,
                severity=severity(setting.loss, standing),
                what=setting.what,
                remedy=setting.remedy,
                values=found,
            )
        )
    return [one for one in items if one.loss != "none" or one.standing == "unknown"]


def values(
    setting: Setting,
    framework: Framework,
    package: Package,
    picks: Sequence[Chosen | None],
    reader: Reader,
) -> Iterator[Value]:
    """Yield the values of a setting in force: the user's, else the installed one."""
    for spot in setting.spots:
        known_in = f"{framework.version}, {framework.read_on}"
        wins = pick_for(spot, setting, picks)
        if wins:
            one, pick = wins
            yield Value(
                name=one.keys[-1] if one.place == "environment" else spot.name,
                value=pick.value,
                unit=spot.unit,
                known=spot.known,
                known_in=known_in,
                path=pick.where,
                chosen=True,
            )
        elif not spot.file:
            yield Value(
                name=spot.name,
                value=spot.known,
                unit=spot.unit,
                known=spot.known,
                known_in=known_in,
                source=setting.source,
            )
        else:
            yield installed(spot, package, known_in, reader)


def pick_for(
    spot: Spot, setting: Setting, picks: Sequence[Chosen | None]
) -> tuple[Override, Chosen] | None:
    """Return what the user set in a spot's place: by its name, or as the only value there is."""
    pairs = zip(setting.overrides, picks, strict=True)
    made = [(one, pick) for one, pick in pairs if pick is not None]
    named = (pair for pair in made if ".".join(pair[0].keys).endswith(spot.name))
    return next(named, made[0] if made and len(setting.spots) == 1 else None)


def installed(spot: Spot, package: Package, known_in: str, reader: Reader) -> Value:
    """Return a value as the installed files have it, or that they have it no longer."""
    for path in places(spot.file, package.folders):
        found = reader.found(path, spot)
        if found is not None:
            return Value(
                name=spot.name,
                value=found.value,
                unit=spot.unit,
                known=spot.known,
                known_in=known_in,
                path=str(path),
                line=found.line,
            )
    return Value(name=spot.name, value=None, unit=spot.unit, known=spot.known, known_in=known_in)


def places(file: str, folders: Sequence[Path]) -> Iterator[Path]:
    """Yield the files that a spot may stand in."""
    for folder in folders:
        if "*" in file:
            yield from sorted(folder.glob(file))
        elif (folder / file).is_file():
            yield folder / file


def standing_of(
    setting: Setting, found: Sequence[Value], picks: Sequence[Chosen | None]
) -> Standing:
    """Say whether a loss is in force, off, or not known because its source has changed."""
    if any(one and one.off for one in picks):
        return "off"
    if found and found[0].value is None:
        return "unknown"
    if setting.holds and found[0].value != setting.holds:
        return "off" if setting.loss != "none" else "unknown"
    return "on" if setting.default else "off"
