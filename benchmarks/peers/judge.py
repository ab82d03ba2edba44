"""The pass rule, and what of an input is still there in a tool's output."""

import json
import re
from functools import cache
from typing import Any

from inputs import Input

from adapters import Budget

SCORED = (
    "1_two_lists.json",
    "2_orders.ndjson",
    "3_build.log",
    "4_deep.json",
    "5_table.md",
    "6_rows.json",
)
ONE_DOCUMENT = {"1_two_lists.json", "4_deep.json", "6_rows.json"}  # must stay valid JSON

# Does the text say that something is gone? A word list is good enough to sort outputs for reading.
# Ullage is not judged by it: its adapter hands over what its account says.
NOTICE = re.compile(
    r"omitted|truncat|dropped|elided|more (rows|items|lines)|saved (in|to)|ref=|handle|retriev"
    r"|<<ccr|rows_offloaded|\[\.\.\.|collapsed|similar|hash=|\[tt:|full output|\.\.\. ?\d+"
    r"|removed|cleared|_more",
    re.IGNORECASE,
)
WAY_BACK = re.compile(
    r"ref=|handle|retriev|<<ccr|hash=|\[tt:|saved (in|to)|read_file|expand|bh_|\"key\"",
    re.IGNORECASE,
)


def passes(row: dict[str, Any]) -> bool:
    """Say whether an output passes: within budget, every anomaly inline, one document still one."""
    return (
        row.get("within", False)
        and row["anomalies"] == row["anomalies_of"]
        and (row["json"] or row["input"] not in ONE_DOCUMENT)
    )


def judge(source: Input, out: str, budget: Budget, *, says: bool | None) -> dict[str, Any]:
    """Say what of `source` is still there in `out`; `says` overrules the word list of notices."""
    kept = {
        key: sum(bool(re.search(rf"(?<![\w-]){re.escape(i)}(?!\w)", out)) for i in names)
        for key in ("early_ids", "late_ids", "ids")
        if (names := source.truth.get(key))
    }
    if "rows" in source.truth:
        kept["rows"] = len(set(re.findall(r'"seq": ?(\d+)', out)))
    changed = out != source.text
    anomalies = source.truth["anomalies"]
    size = len(out) if budget.unit == "chars" else count_tokens(out)
    return {
        "size": size,
        "chars": len(out),
        "within": size <= budget.limit,
        "json": is_json(out),
        "anomalies": sum(anomaly in out for anomaly in anomalies),
        "anomalies_of": len(anomalies),
        "unchanged": not changed,
        "notice": changed and (bool(NOTICE.search(out)) if says is None else says),
        "way_back": changed and bool(WAY_BACK.search(out)),
        **kept,
    }


def is_json(text: str) -> bool:
    """Say whether a text is one JSON document."""
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


def count_tokens(text: str) -> int:
    """Count by o200k_base, with another library than the one that Ullage counts with."""
    return int(tokenizer().count(text))


@cache
def tokenizer() -> Any:
    """Return the o200k_base tokenizer."""
    import rs_bpe

    return rs_bpe.openai.o200k_base()
