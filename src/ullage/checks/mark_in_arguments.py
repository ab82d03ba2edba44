"""`mark-in-arguments`: a truncation mark stands inside the arguments of a call.

A model that sees its own earlier arguments shortened copies the mark into new ones: files then end
with it.
"""

import json
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

from ullage.checks.served import Served, finding
from ullage.cutter.excerpt import excerpt
from ullage.cutter.upstream import first_mark
from ullage.transcript.finding import Finding

NAME = "mark-in-arguments"
LONGEST_SHOWN = 200


def check(served: Served) -> Iterator[Finding]:
    """Report each call, once, whose arguments say that something was left out of them."""
    advice = (
        "The arguments hold a truncation mark: history was shortened with words that a model "
        "copies, and what was written may now end with them. Keep old arguments whole or drop the "
        "call with its result, and look at what this call wrote."
    )
    for call in served.calls:
        marked = ((text, mark) for text in texts_in(call.arguments) if (mark := first_mark(text)))
        for text, mark in islice(marked, 1):
            evidence = {
                "mark": excerpt(mark, LONGEST_SHOWN),
                "argument_chars": len(text),
                "at_end": text.rstrip().endswith(mark),
            }
            found = finding(served, NAME, "warning", advice, evidence, boundary="retain")
            yield replace(found, tool=call.name, call_id=call.call_id)


def texts_in(arguments: str) -> Iterator[str]:
    """Yield the texts in a call's arguments; all of them as one text where they do not parse."""
    try:
        waiting = [json.loads(arguments)]
    except (ValueError, RecursionError):
        yield arguments
        return
    while waiting:
        value = waiting.pop()
        if isinstance(value, str):
            yield value
        elif isinstance(value, (dict, list)):
            waiting += value.values() if isinstance(value, dict) else value
