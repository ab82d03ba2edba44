"""What a JSON text consists of as it is written, white space between aside."""

import re

TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[^\s"]')


def tokens(text: str) -> list[str]:
    """Return the strings of a JSON text as they are written, and every other character."""
    return TOKEN.findall(text)
