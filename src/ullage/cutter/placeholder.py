"""What stands in a text for what was taken out of it: never split, and nothing of what it names."""

import re

# As `encoded`, `binary`, `decode` and `clean` write them.
PLACEHOLDER = re.compile(
    r"\[(?:[\w.+/-]{1,161} \d{1,18} bytes sha256 [0-9a-f]{16}"
    r"|\d{1,18} bytes(?: that are not UTF-8)?|\d{1,18} control bytes)\]"
)


def characters(text: str) -> int:
    """Return how many characters of a text are its own."""
    return len(text) - sum(len(one[0]) for one in PLACEHOLDER.finditer(text))


def boundary(text: str, limit: int) -> int:
    """Return `limit`, or the start of the placeholder that it would split."""
    for one in PLACEHOLDER.finditer(text):
        if one.start() >= limit:
            break
        if one.end() > limit:
            return one.start()
    return limit
