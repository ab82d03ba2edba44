"""Telling a ledger whose file was cut short from one that is damaged inside."""

from pathlib import Path

HEADER = 100
"""Bytes at the start of every SQLite file; the size of a page and their number stand in them."""


def missing_bytes(path: Path) -> int | None:
    """Return how many bytes a file lacks by its own header; None where it does not tell.

    It opens the file: only for one that SQLite has refused, for closing it ends SQLite's locks.
    """
    try:
        with path.open("rb") as file:
            header = file.read(HEADER)
        there = path.stat().st_size
    except OSError:
        return None
    if len(header) < HEADER:
        return HEADER - len(header)
    page = int.from_bytes(header[16:18], "big")
    whole = int.from_bytes(header[28:32], "big") * (65_536 if page == 1 else page)
    return whole - there if whole > there else None
