"""An entry as a policy keeps it: without texts, with or without their keyed hashes."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace

from blake3 import blake3

from ullage.ledger.entries import CONTENTS, Entry
from ullage.ledger.keep import KeepPolicy, strictest
from ullage.ledger.records import Keep
from ullage.ledger.redact import decode, encode

NOT_KEPT = "[not kept]"
SHORTEST = 4
"""A shorter value is only taken out beside its name: elsewhere it would be found by chance."""

Json = object


class Reducer:
    """Reduces the entries of one run, in the order in which a ledger gives them."""

    def __init__(self, policy: KeepPolicy, key: bytes) -> None:
        self._policy = policy
        self._key = key
        self._tools: dict[object, str] = {}

    def reduced(self, entry: Entry) -> Entry:
        """Return an entry without what is not to be kept of it."""
        row = entry.row
        if entry.table == "exchange":
            level = self._policy.exchanges
            if level == "full":
                return entry
            path = str(row["path"]).partition("?")[0]
            return emptied(replace(entry, row={**row, "path": path, "keep": level}), level)
        if entry.table == "result":
            self._tools[row["number"]] = str(row["tool"])
            return self._result(entry, str(row["tool"]))
        if entry.table == "handed_on":
            return self._result(entry, self._tools[row["result"]])
        if entry.table == "finding" and self._policy.exchanges != "full":
            level = self._policy.exchanges
            return emptied(replace(entry, row={**row, "source": None, "keep": level}), level)
        if entry.table == "worker" and self._policy.exchanges != "full":
            return replace(entry, row={**row, "detail": "{}"})
        if entry.table == "step" and self._policy.exchanges != "full":
            return replace(entry, row={**row, "dropped": b"[]"})
        if entry.table == "kept":
            return self._result(entry, str(row["tool"]))
        return entry

    def _result(self, entry: Entry, tool: str) -> Entry:
        level, fields = self._policy.of(tool), self._policy.fields_of(tool)
        if level == "full" and fields:
            masked = masked_json(entry.row["text"], fields, self._key)
            if masked is None:
                level = strictest(fields.values())  # where its fields stand cannot be told
            else:
                return self._without(entry, masked, strictest(fields.values()))
        if level == "full":
            return entry
        keep = {"keep": level} if entry.table == "result" else {}
        return emptied(replace(entry, row={**entry.row, **keep}), level)

    def _without(self, entry: Entry, text: bytes, level: Keep) -> Entry:
        """Return a result with masked fields; its arguments may repeat them, so they go."""
        row = {**entry.row, "text": text}
        if entry.table == "result":
            row["arguments"] = b""
        if level == "counts":
            row |= dict.fromkeys(
                (str(one.hash) for one in CONTENTS[entry.table] if one.hash is not None), b""
            )
        return replace(entry, row=row)


def emptied(entry: Entry, level: Keep) -> Entry:
    """Return an entry without its contents; of `counts` without their hashes too."""
    row = dict(entry.row)
    for one in CONTENTS[entry.table]:
        row[one.column] = b""
        if one.hash is not None and level == "counts":
            row[one.hash] = b""
    return replace(entry, row=row)


def masked_json(text: object, fields: Mapping[str, Keep], key: bytes) -> bytes | None:
    """Return a JSON text with these fields masked, at any depth; None where it is no JSON.

    What stood in them is taken out of the rest of the text too.
    """
    try:
        value = json.loads(decode(text if isinstance(text, bytes) else b""))
    except (ValueError, RecursionError):
        return None
    found = {str(one): level for one, level in values_of(value, fields)}
    whole = json.dumps(masked(value, fields, key), ensure_ascii=False, separators=(",", ":"))
    for one in sorted(found, key=len, reverse=True):
        if len(one) >= SHORTEST:
            inside = json.dumps(one, ensure_ascii=False)[1:-1]
            whole = whole.replace(inside, placeholder(one, found[one], key))
    return encode(whole)


def values_of(value: Json, fields: Mapping[str, Keep]) -> Iterator[tuple[Json, Keep]]:
    """Yield the scalars that stand in fields."""
    if isinstance(value, list):
        for inner in value:
            yield from values_of(inner, fields)
    elif isinstance(value, dict):
        for name, inner in value.items():
            if name in fields:
                yield from ((one, fields[name]) for one in scalars(inner))
            else:
                yield from values_of(inner, fields)


def scalars(value: Json) -> Iterator[Json]:
    """Yield the scalars of a value, keys of objects included."""
    if isinstance(value, list):
        for inner in value:
            yield from scalars(inner)
    elif isinstance(value, dict):
        for name, inner in value.items():
            yield name
            yield from scalars(inner)
    elif value is not None and not isinstance(value, bool):
        yield value


def masked(value: Json, fields: Mapping[str, Keep], key: bytes) -> Json:
    """Return a value with its fields masked."""
    if isinstance(value, list):
        return [masked(inner, fields, key) for inner in value]
    if isinstance(value, dict):
        return {
            name: placeholder(json.dumps(inner), fields[name], key)
            if name in fields
            else masked(inner, fields, key)
            for name, inner in value.items()
        }
    return value


def placeholder(text: str, level: Keep, key: bytes) -> str:
    """Return what stands for a value: a keyed hash, the same for the same value, or nothing."""
    if level == "counts":
        return NOT_KEPT
    return f"[hash:{blake3(encode(text), key=key).hexdigest(length=6)}]"
