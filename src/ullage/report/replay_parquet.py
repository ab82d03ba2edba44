"""A replay as one Parquet file: the rows of the CSV form."""

import json
from pathlib import Path

from ullage.policies.replayed import Replayed
from ullage.report.columns import Column, Table
from ullage.report.parquet import write_table
from ullage.report.replay_rows import rows_of

TABLE = Table(
    name="replay",
    about="one rate under one policy: of all tools, a tool, a part, a field or a tenth of a part",
    columns=(
        Column(name="policy", kind="text", about="the policy and its budget"),
        Column(
            name="of",
            kind="text",
            about="`produced`, or `delivered` where only that is known: what was lost before is "
            "not in its figures",
        ),
        Column(
            name="level",
            kind="text",
            about="of what the row is: `all` tools, a `tool`, a `part`, a `field` or a `tenth`",
        ),
        Column(name="tool", kind="text", about="name of the tool; nothing over all tools"),
        Column(
            name="path",
            kind="text",
            about="path of the part, such as $.late_list; nothing over whole results",
        ),
        Column(name="field", kind="text", about="name of the field; nothing of a whole part"),
        Column(
            name="tenth_from",
            kind="number",
            about="where a tenth of the part begins, 0.0 to 0.9; nothing over all of it",
        ),
        Column(name="measure", kind="text", about="what was measured"),
        Column(name="numerator", kind="whole", about="so many"),
        Column(name="denominator", kind="whole", about="of so many"),
        Column(name="rate", kind="number", about="the share; nothing of nothing"),
        Column(name="low", kind="number", about="lower bound of the 95 % interval over sessions"),
        Column(name="high", kind="number", about="upper bound of it"),
        Column(name="sessions", kind="whole", about="how many sessions the interval is over"),
        Column(name="difference", kind="number", about="`rate` less that of the first policy"),
        Column(name="difference_low", kind="number", about="lower bound of it"),
        Column(name="difference_high", kind="number", about="upper bound of it"),
        Column(name="example", kind="text", about="where to find a result that is short of it"),
        Column(
            name="difference_example",
            kind="text",
            about="where to find the first result that differs as the rates do",
        ),
    ),
)
"""The members of `replay_rows.Row`, in their order."""


def write_replay(found: Replayed, place: Path) -> int:
    """Write a row for each rate, and return how many there are.

    What cannot be replayed, and why, stands in the file's metadata. Raises UllageError and OSError
    as `write_table` does.
    """
    notes = {
        "sources": json.dumps(found.sources),
        "sessions": str(found.sessions),
        "skipped": json.dumps(dict(found.skipped)),
    }
    return write_table(place, TABLE, (one._asdict() for one in rows_of(found)), notes)
