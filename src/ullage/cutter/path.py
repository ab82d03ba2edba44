"""How a place in a JSON document is written: `$.list[3]["odd key"]`."""

import re

PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")
QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
THROUGH = "|"
"""What stands in a path where it goes into a string: `$.body|$.rows`."""
INDEX = re.compile(r"\[\d+\]")


def member(path: str, key: str) -> str:
    """Return the path of a member; `key` is its text in the source, quotes included."""
    name = key[1:-1]
    return f"{path}.{name}" if PLAIN.fullmatch(name) else f"{path}[{key}]"


def item(path: str, index: int) -> str:
    """Return the path of an item of a list."""
    return f"{path}[{index}]"


def inside(path: str) -> str:
    """Return the path of the root of a document that stands in the string at `path`."""
    return f"{path}{THROUGH}$"


def is_inside(path: str, outer: str) -> bool:
    """Whether `path` is a place inside `outer`, not `outer` itself."""
    return path.startswith((outer + ".", outer + "[", outer + THROUGH))


def in_a_list(path: str) -> bool:
    """Whether the way to `path` goes through an item of a list."""
    return INDEX.search(QUOTED.sub("", path)) is not None
