"""What the caller says must stay: `$.a.b`, `field=value`, or a function of a record."""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from ullage.cutter import path

Rule = str | Callable[[object], bool]

STEP = re.compile(r'(\|\$)|\.([^.\[\]|]+)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]')


@dataclass(frozen=True, slots=True, kw_only=True)
class Keep:
    """The rules of one call, read once; `paths` in the spelling of the account."""

    paths: tuple[str, ...] = ()
    fields: tuple[tuple[str, str], ...] = ()
    tests: tuple[Callable[[object], bool], ...] = ()

    def leads_to(self, place: str) -> bool:
        """Whether something inside `place` must stay."""
        return any(path.is_inside(one, place) for one in self.paths)

    @property
    def looks_inside(self) -> bool:
        """Whether records must be decoded to apply the rules."""
        return bool(self.fields or self.tests)

    def wanted(self, records: Sequence[object]) -> list[int]:
        """Return the indices of the decoded records that must stay."""
        rules = self.by_name()
        return [
            at
            for at, record in enumerate(records)
            if any(test(record) for test in self.tests) or next(fits(record, rules), None)
        ]

    def found(self, records: Sequence[object]) -> set[str]:
        """Return the equations that some decoded record fits."""
        rules = self.by_name()
        return {one for record in records for one in fits(record, rules)}

    def by_name(self) -> dict[str, set[str]]:
        """Return the values that are asked for, by the name of their field."""
        rules: dict[str, set[str]] = {}
        for name, value in self.fields:
            rules.setdefault(name, set()).add(value)
        return rules

    def inside(self, place: str) -> "Keep":
        """Return the rules for a document that stands in the string at `place`."""
        root = path.inside(place)
        within = (one for one in self.paths if one == root or path.is_inside(one, root))
        return Keep(
            paths=tuple("$" + one[len(root) :] for one in within),
            fields=self.fields,
            tests=self.tests,
        )

    def fitting(self, records: Sequence[object]) -> list[str]:
        """Return the rules that some of these decoded records fit, as an account names them."""
        found = self.found(records)
        named = [one for one in self.equations if one in found]
        if named or not self.wanted(records):
            return named
        return ["what the caller asked for"]

    @property
    def equations(self) -> list[str]:
        """The rules of the form `field=value`, as they were given."""
        return [f"{name}={value}" for name, value in self.fields]


def fits(record: object, rules: Mapping[str, set[str]]) -> Iterator[str]:
    """Yield the equations that a decoded record fits."""
    if not isinstance(record, dict):
        return
    for name, values in rules.items():
        if name in record and (value := as_text(record[name])) in values:
            yield f"{name}={value}"


def read_rules(rules: Sequence[Rule]) -> Keep:
    """Read the `keep` rules of a call; raise ValueError for one that cannot be read."""
    paths, fields, tests = [], [], []
    for rule in rules:
        if callable(rule):
            tests.append(rule)
        elif rule.startswith("$"):
            paths.append(read_path(rule))
        elif "=" in rule:
            name, _, value = rule.partition("=")
            fields.append((name, value))
        else:
            raise ValueError(
                f"keep={rule!r}: write a path such as '$.summary' or an equation such as 'id=17'"
            )
    return Keep(paths=tuple(paths), fields=tuple(fields), tests=tuple(tests))


def read_path(rule: str) -> str:
    """Return a path such as `$.a["b c"][3]` in the account's spelling, or raise ValueError."""
    place, at = "$", 1
    while at < len(rule):
        match = STEP.match(rule, at)
        if match is None:
            raise ValueError(f"keep={rule!r}: cannot read it from character {at + 1} on")
        through, name, index, quoted = match.groups()
        if through:
            place = path.inside(place)
        elif index is not None:
            place = path.item(place, int(index))
        else:
            place = path.member(place, quoted or json.dumps(name, ensure_ascii=False))
        at = match.end()
    return place


def as_text(value: object) -> str:
    """Return a scalar as it stands in `field=value`: strings bare, all else as JSON."""
    if isinstance(value, str):
        return value
    # As JSON writes it, at a tenth of the time: ids are looked at in every record.
    return repr(value) if type(value) is int else json.dumps(value, ensure_ascii=False)
