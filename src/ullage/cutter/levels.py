"""What stands where a path leads to nothing: the names at the last place on its way that exists."""

from ullage.cutter import layers, spans
from ullage.cutter import path as paths
from ullage.cutter.excerpt import excerpt
from ullage.cutter.keep import read_rules
from ullage.cutter.notice import Prior
from ullage.cutter.rules import Rules
from ullage.cutter.tree import Children, Fitter

MOST_NAMES = 12
LONGEST_NAME = 40


def what_is_there(source: str, rule: str) -> str | None:
    """Return `$ has: rows, total` for the level at which a path leaves the data.

    None for a rule that is no path, and for data without paths: only JSON has them, wrappings of
    the whole aside.
    """
    keep = read_rules([rule])
    root = document(source)
    if root is None or not keep.paths:
        return None
    fitter = Fitter(keep=keep, prior=Prior())
    rules = Rules(fitter=fitter)
    inside = fitter.children(root, "$")
    while (step := on_the_way(inside, keep.paths[0])) is not None:
        place, value = step
        deeper = rules.opened(value, place)
        if deeper is None:
            return f"{place} is a {spans.kind(value)}"
        inside = deeper
    return names(inside)


def document(source: str) -> str | None:
    """Return the JSON object or list in a text, wrappings aside."""
    text: str | None = source
    while text is not None:
        bare = text.strip(spans.WHITE)
        if bare[:1] in ("{", "[") and spans.is_json(bare):
            return bare
        layer = layers.peel(text)
        text = layer.inner if layer else None
    return None


def on_the_way(inside: Children, place: str) -> tuple[str, str] | None:
    """Return the child through which a path leads, and its text."""
    for at, value in enumerate(inside.values):
        path = inside.place(at)
        if place == path or paths.is_inside(place, path):
            return path, value
    return None


def names(inside: Children) -> str:
    """Return what a container holds."""
    count = len(inside.values)
    if inside.heads is None:
        return f"{inside.path} is a list of {count}" + (f": [0] to [{count - 1}]" if count else "")
    known = [excerpt(head[1:-2], LONGEST_NAME) for head in inside.heads[:MOST_NAMES]]
    more = f" and {count - MOST_NAMES} more" if count > MOST_NAMES else ""
    return f"{inside.path} has: {', '.join(known)}{more}" if count else f"{inside.path} is empty"
