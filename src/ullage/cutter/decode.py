"""Whatever a tool returned, as text."""

import json
import re

UNDECODABLE = re.compile("[\udc80-\udcff]+")


def as_text(data: str | bytes | object) -> str:
    """Return text as it is, bytes as UTF-8, any other value as compact JSON.

    A run of bytes that is not UTF-8 becomes a placeholder that states its length. Raises TypeError
    for a value that JSON cannot hold.
    """
    if isinstance(data, str):
        return data
    if isinstance(data, bytes | bytearray | memoryview):
        text = bytes(data).decode("utf-8", "surrogateescape")
        return UNDECODABLE.sub(lambda run: f"[{len(run[0])} bytes that are not UTF-8]", text)
    try:
        return json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    except (TypeError, ValueError) as error:
        raise TypeError(f"cut takes text, bytes or a value that JSON can hold: {error}") from error
