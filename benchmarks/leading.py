"""The floor of a cut by records: only the leading ones, found as spans and never decoded."""

from collections.abc import Iterable, Sequence

import msgspec

MEMBERS = msgspec.json.Decoder(dict[str, msgspec.Raw])
ITEMS = msgspec.json.Decoder(list[msgspec.Raw])


def cut_leading(text: str, budget: int) -> bytes:
    """Cut an object of lists, or one list, to leading records and a count of kept and total.

    A fair share for each list, valid JSON, original bytes: nothing about last or odd records, no
    shortened strings, no account.
    """
    data = text.encode()
    if data.startswith(b"["):
        return b"[" + b",".join(fitting(ITEMS.decode(data), budget - 2)) + b"]"
    parts: list[bytes] = []
    lists: list[tuple[bytes, Sequence[msgspec.Raw]]] = []
    for key, raw in MEMBERS.decode(data).items():
        name = b'"' + key.encode() + b'":'
        if memoryview(raw)[0] == ord("["):
            lists.append((name, ITEMS.decode(raw)))
        else:
            parts.append(name + bytes(raw))
    room = budget - sum(map(len, parts)) - len(parts) - 20 - sum(60 for _ in lists)
    said: list[bytes] = []
    for name, items in lists:
        kept = fitting(items, room // len(lists))
        parts.append(name + b"[" + b",".join(kept) + b"]")
        said.append(name + b"[%d,%d]" % (len(kept), len(items)))
    parts.append(b'"_kept":{' + b",".join(said) + b"}")
    return b"{" + b",".join(parts) + b"}"


def fitting(items: Iterable[msgspec.Raw], room: int) -> list[bytes]:
    """Return the leading items that fit."""
    kept: list[bytes] = []
    for item in items:
        room -= len(memoryview(item)) + 1
        if room < 0:
            break
        kept.append(bytes(item))
    return kept
