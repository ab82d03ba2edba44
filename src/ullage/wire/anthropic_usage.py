"""The tokens of an Anthropic reply, pass by pass."""

from ullage.transcript.served import Iteration, Usage
from ullage.wire.members import Object, number, objects, text


def usage_of(raw: Object, before: Usage | None) -> Usage:
    """Return the tokens of a reply: the sum of its passes, where it lists them.

    The figures at the top are those of the last pass alone. The last event of a stream may leave
    out what the first one said.
    """
    passes = objects(raw.get("iterations"))
    known = before or Usage()
    cached = first_known(total(raw, passes, "cache_read_input_tokens"), known.cached)
    cache_written = first_known(
        total(raw, passes, "cache_creation_input_tokens"), known.cache_written
    )
    fresh = first_known(total(raw, passes, "input_tokens"), fresh_in(known))
    return Usage(
        input=None if fresh is None else fresh + (cached or 0) + (cache_written or 0),
        output=first_known(total(raw, passes, "output_tokens"), known.output),
        cached=cached,
        cache_written=cache_written,
        iterations=tuple(map(read_iteration, passes)),
    )


def first_known(*figures: int | None) -> int | None:
    """Return the first figure that is known."""
    return next((one for one in figures if one is not None), None)


def fresh_in(known: Usage) -> int | None:
    """Return what was read and had nothing to do with the cache."""
    if known.input is None:
        return None
    return known.input - (known.cached or 0) - (known.cache_written or 0)


def total(raw: Object, passes: list[Object], name: str) -> int | None:
    """Return the sum of a figure over the passes, or the one at the top where there are none."""
    found = [number(one, name) for one in passes or [raw]]
    known = [one for one in found if one is not None]
    return sum(known) if known else None


def read_iteration(raw: Object) -> Iteration:
    """Read one pass of the model."""
    names = ("input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")
    return Iteration(
        kind=text(raw, "type") or "untyped",
        input=sum(number(raw, name) or 0 for name in names),
        output=number(raw, "output_tokens") or 0,
    )
