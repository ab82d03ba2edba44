"""The texts of an MCP result that Python printed, also where the printing was cut."""

import re

from ullage.arrivals.values import unescape

BEGIN = re.compile(r"\s*(?:CallToolResult\()?(?:meta=\w+,? )?(?:content=)?\[?(?=TextContent\()")
TEXT = re.compile(r"""TextContent\((?:\w+=(?:'[^'\n]{0,40}'|\w+), )*text=(?P<quote>['"])""")
LITERALS = {
    "'": re.compile(r"[^'\\]*+(?:\\.[^'\\]*+)*+(?P<end>'?)", re.DOTALL),
    '"': re.compile(r'[^"\\]*+(?:\\.[^"\\]*+)*+(?P<end>"?)', re.DOTALL),
}
# How a text ends in which a cut left the beginning of an escape: an odd number of backslashes.
LONGEST_ESCAPE = len(r"\U0010ffff")
TORN_ESCAPE = re.compile(r"(?<!\\)((?:\\\\)*)\\(?:x[0-9a-f]?|u[0-9a-f]{0,3}|U[0-9a-f]{0,7})?\Z")


def printed(text: str) -> str | None:
    """Return the texts in a printed MCP result, one a line; None for any other text.

    The last one is as much as a cut left of it.
    """
    if BEGIN.match(text) is None:
        return None
    found = []
    at = 0
    while begin := TEXT.search(text, at):
        held = LITERALS[begin["quote"]].match(text, begin.end())
        if held is None or not held["end"]:
            found.append(unescape(without_torn_escape(text[begin.end() :])))
            break
        found.append(unescape(text[begin.end() : held.start("end")]))
        at = held.end()
    return "\n".join(found) if found else None


def without_torn_escape(text: str) -> str:
    """Return a text without the beginning of an escape at its end."""
    if "\\" not in text[-LONGEST_ESCAPE:]:
        return text
    return TORN_ESCAPE.sub(lambda found: found[1], text)
