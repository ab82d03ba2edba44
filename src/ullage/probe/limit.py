"""The unit of a limit: what is the same at the thresholds of payloads of different shape."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, get_args

from ullage.counting.count import counter
from ullage.probe.canary import Payload, payload
from ullage.probe.case import Case
from ullage.probe.threshold import Threshold

Unit = Literal[
    "characters", "bytes", "lines", "records", "quarter-tokens", "quarter-tokens-down", "tokens"
]
"""`bytes` are of UTF-8, `quarter-tokens` characters divided by four and rounded up (or down),
`tokens` those of o200k_base."""

Spelling = Literal[
    "as produced", "JSON string", "JSON string in ASCII", "Python repr", "compact JSON"
]
"""In which spelling the limit is applied: harnesses write a result anew before they measure it."""

CHARS_A_TOKEN = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Fit:
    """A limit that explains all thresholds: between `low` and `high` (both may be it).

    `extra` is what the harness adds around a result, in characters; a limit that counts it is
    larger by so much.
    """

    unit: Unit
    spelling: Spelling
    low: int
    high: int
    extra: int = 0

    @property
    def number(self) -> int | None:
        """The limit where it is known exactly."""
        return self.low if self.low == self.high else None

    def __str__(self) -> str:
        """Return it as words."""
        number = str(self.low) if self.low == self.high else f"{self.low} to {self.high}"
        spelled = "" if self.spelling == "as produced" else f" ({self.spelling})"
        around = f", or {self.low + self.extra} with what stands around it" if self.extra else ""
        return f"{number} {self.unit.replace('-', ' ')}{spelled}{around}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit:
    """The limits that explain what was measured, the likeliest first; none where no unit does."""

    fits: tuple[Fit, ...]

    @property
    def best(self) -> Fit | None:
        """The likeliest."""
        return self.fits[0] if self.fits else None

    @property
    def sure(self) -> bool:
        """Whether nothing else explains it."""
        return len(self.fits) == 1

    def __str__(self) -> str:
        """Return it as a sentence."""
        if not self.fits:
            return "no unit is the same at all thresholds: this is no simple limit"
        first, *others = map(str, self.fits)
        return first if not others else f"{first}; as far as measured also {', '.join(others)}"


def unit(measured: Sequence[tuple[Case, Threshold]], *, extra: int = 0) -> Limit:
    """Find the unit of a limit from the thresholds of several shapes.

    The shapes are cases that differ in `lines`, `wide` and `format`; thresholds without a loss, or
    with one at the smallest size, say nothing. `extra` is what the harness adds around a result
    that it does not shorten, in characters. Raises ValueError where no threshold says anything.
    """
    known = [(case, found) for case, found in measured if None not in (found.kept, found.lost)]
    if not known:
        raise ValueError("no threshold lies between two sizes that were tried: measure larger ones")
    sizes = [list(amounts(case, found)) for case, found in known]
    fits = [
        fit
        for spelling in get_args(Spelling)
        for unit in get_args(Unit)
        if (fit := fitting(unit, spelling, sizes, extra)) is not None
    ]
    return Limit(fits=tuple(without_echoes(fits)))


Sizes = Mapping[tuple[Spelling, Unit], int]


def amounts(case: Case, found: Threshold) -> Iterator[Sizes]:
    """Yield how large the last whole payload and the first short one are, in every unit."""
    for size in (found.kept, found.lost):
        if size is not None:
            made = payload(replace(case, size=size), 0)
            yield {
                (spelling, unit): measure(text)
                for spelling, spell in SPELLINGS.items()
                if (text := spell(made)) is not None
                for unit, measure in MEASURES.items()
            } | {(spelling, "records"): len(made.places) for spelling in SPELLINGS}


def fitting(
    unit: Unit, spelling: Spelling, sizes: Sequence[Sequence[Sizes]], extra: int
) -> Fit | None:
    """Return the limit in one unit that lies between the two sizes of every shape, if there is."""
    key = (spelling, unit)
    if any(key not in kept for kept, _ in sizes):
        return None
    low = max(kept[key] for kept, _ in sizes)
    high = min(lost[key] for _, lost in sizes) - 1
    counted = extra if unit in ("characters", "bytes") else 0
    return (
        Fit(unit=unit, spelling=spelling, low=low, high=high, extra=counted)
        if low <= high
        else None
    )


def without_echoes(fits: Sequence[Fit]) -> Iterator[Fit]:
    """Yield the fits; another spelling only where no unit fits as produced.

    Records and lines are as many in any spelling.
    """
    plain = [fit for fit in fits if fit.spelling == "as produced"]
    yield from plain or fits


def in_json(made: Payload) -> str:
    """Write a payload as a JSON string."""
    return json.dumps(made.text, ensure_ascii=False)


def in_ascii(made: Payload) -> str:
    """Write a payload as a JSON string whose other characters are escaped."""
    return json.dumps(made.text)


def in_python(made: Payload) -> str | None:
    """Write a payload's value as Python does."""
    return str(made.value) if made.format == "json" else None


def in_compact(made: Payload) -> str | None:
    """Write a payload's value without spaces."""
    if made.format != "json":
        return None
    return json.dumps(made.value, ensure_ascii=False, separators=(",", ":"))


def as_produced(made: Payload) -> str:
    """Return a payload's text."""
    return made.text


SPELLINGS: Mapping[Spelling, Callable[[Payload], str | None]] = {
    "as produced": as_produced,
    "JSON string": in_json,
    "JSON string in ASCII": in_ascii,
    "Python repr": in_python,
    "compact JSON": in_compact,
}
MEASURES: Mapping[Unit, Callable[[str], int]] = {
    "characters": len,
    "bytes": lambda text: len(text.encode()),
    "lines": lambda text: text.count("\n") + 1,
    "quarter-tokens": lambda text: -(-len(text) // CHARS_A_TOKEN),
    "quarter-tokens-down": lambda text: len(text) // CHARS_A_TOKEN,
    "tokens": counter(),
}
