"""Sizes and ages as people write them: 2GB, 30d."""

import re

import click

SIZES = {"": 1, "B": 1, "KB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12}
AGES = {"S": 1, "M": 60, "H": 3600, "D": 86_400, "W": 604_800}
_NUMBER = re.compile(r"\s*(\d+(?:\.\d+)?)\s*([A-Za-z]*)\s*")


def size_of(text: str) -> int:
    """Return bytes. Raises ValueError where it is no size."""
    found = _NUMBER.fullmatch(text)
    unit = found[2].upper() if found else None
    if found is None or unit not in SIZES:
        raise ValueError(f"{text!r} is no size: write a number with B, KB, MB, GB or TB, as in 2GB")
    return int(float(found[1]) * SIZES[unit])


def age_of(text: str) -> float:
    """Return seconds. Raises ValueError where it is no age."""
    found = _NUMBER.fullmatch(text)
    unit = found[2].upper() if found else None
    if found is None or unit not in AGES:
        raise ValueError(f"{text!r} is no age: write a number with m, h, d or w, as in 30d")
    return float(found[1]) * AGES[unit]


def size_option(_: click.Context, option: click.Parameter, value: str | None) -> int | None:
    """Read an option that is a size."""
    try:
        return None if value is None else size_of(value)
    except ValueError as error:
        raise click.BadParameter(str(error), param=option) from error


def age_option(_: click.Context, option: click.Parameter, value: str | None) -> float | None:
    """Read an option that is an age."""
    try:
        return None if value is None else age_of(value)
    except ValueError as error:
        raise click.BadParameter(str(error), param=option) from error
