"""Which format a text is, decided by trying."""

from ullage.cutter import spans
from ullage.cutter.values import Format


def sniff(text: str) -> Format:
    """Return `json` where all of the text is one JSON value, else `text`."""
    return "json" if spans.is_json(text) else "text"
