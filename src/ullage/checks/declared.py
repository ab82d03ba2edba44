"""Records that a step declared as dropped are not lost."""

import json
from collections import Counter

from ullage.cutter.decode import as_text
from ullage.ledger.records import StoredResult


def without_declared(result: StoredResult, drops: Counter[str]) -> tuple[str, int]:
    """Return a result's text without its declared drops, and how many those are.

    `drops` holds the keys that the run's steps declared, and is used up. Only a JSON list whose
    `key` was named can be matched; all else is returned as it is.
    """
    if result.key is None or not drops:
        return result.text, 0
    try:
        rows = json.loads(result.text)
    except (ValueError, RecursionError):
        return result.text, 0
    if not isinstance(rows, list):
        return result.text, 0
    kept: list[object] = []
    for row in rows:
        value = as_text(row[result.key]) if isinstance(row, dict) and result.key in row else None
        if value is not None and drops[value] > 0:
            drops[value] -= 1
        else:
            kept.append(row)
    count = len(rows) - len(kept)
    return (as_text(kept), count) if count else (result.text, 0)
