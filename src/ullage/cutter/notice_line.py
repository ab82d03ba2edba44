"""Notices on a line of their own: kept to one line, and read back by the next cut."""

from collections.abc import Sequence

from ullage.cutter import notice
from ullage.cutter.blocks import Block
from ullage.cutter.notice import Prior


def one_line(said: str) -> str:
    """Return a notice without line breaks and control characters, which a `keep` rule may hold."""
    return "".join(one if one.isprintable() else " " for one in said)


def hashed(said: str) -> str:
    """Return a notice as a line that starts with `#`."""
    return f"# {one_line(said)}"


def read_hashed(line: str) -> str | None:
    """Return the notice in an earlier cut's `#` line, or None for any other line."""
    said = line.rstrip("\r")
    return said[2:] if said.startswith("# ") and notice.is_ours(said[2:]) else None


def in_brackets(said: str) -> str:
    """Return a notice as a line in brackets."""
    return f"[{one_line(said).removesuffix('.')}]"


def read_brackets(line: str) -> str | None:
    """Return the notice in an earlier cut's line in brackets, or None for any other line."""
    said = line.rstrip("\r")
    ours = said.startswith("[") and said.endswith("]") and notice.is_ours(said[1:-1])
    return said[1:-1] if ours else None


def read(said: str | None, places: Sequence[str]) -> Prior:
    """Return what an earlier notice says, if there is one, of these parts."""
    return only(notice.read(said), places) if said else Prior()


def only(prior: Prior, places: Sequence[str]) -> Prior:
    """Return the totals of a text; where it has one part, all its records are of that."""
    if prior.records is None or len(places) != 1:
        return prior
    (path,) = places
    return Prior(parts={path: prior.records, **prior.parts}, units={path: "records", **prior.units})


def was_opened(prior: Prior, path: str) -> bool:
    """Whether a part was a list of its own in an earlier cut, not one member that was cut."""
    total = prior.parts.get(path)
    return total is not None and (prior.units.get(path) != "members" or total.produced > 1)


def dropped_before(prior: Prior, places: Sequence[str]) -> list[Block]:
    """Return an empty block for each part that an earlier cut left out, so that it stays stated."""
    return [
        Block(path=path, records=(), unit=prior.units.get(path, "records"))
        for path, total in prior.parts.items()
        if total.delivered == 0 and path not in places
    ]
