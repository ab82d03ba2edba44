"""`compute`: the agent's own ranked table, from the rows of a source. Nothing is evaluated."""

import operator
from collections.abc import Callable, Sequence
from statistics import fmean

from ullage.lab.environment.arguments import Aggregate, Compare, Compute, Where
from ullage.lab.environment.rows import Cell, Row

COMPARE: dict[Compare, Callable[[Cell, Cell], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "contains": lambda cell, value: str(value) in str(cell),
}
AGGREGATE: dict[Aggregate, Callable[[Sequence[float]], float]] = {
    "sum": sum,
    "max": max,
    "min": min,
    "mean": fmean,
}
DIGITS = 4
"""Digits behind the point of what is returned."""


def compute(rows: Sequence[Row], asked: Compute) -> dict[str, object]:
    """Return `matched`, the number of rows before `limit`, and `rows`.

    Rows keep the order of their source where nothing sorts them. Raises ValueError for a column
    that the rows do not have, a text compared with a number, and a sum of texts.
    """
    columns = tuple(rows[0]) if rows else ()
    kept = [row for row in rows if all(holds(row, one, columns) for one in asked.where)]
    table = grouped(kept, asked, columns) if asked.group or asked.aggregate else kept
    names = tuple(table[0]) if table else ()
    for one in reversed(asked.sort):
        if table:
            present(one.column, names)
            # A stable sort, last key first: earlier keys win.
            table = sorted(table, key=lambda row: row[one.column], reverse=one.descending)
    shown = table if asked.limit is None else table[: asked.limit]
    return {"matched": len(table), "rows": [rounded(row) for row in shown]}


def present(column: str, columns: Sequence[str]) -> None:
    """Raise ValueError where a column is not there."""
    if column not in columns:
        raise ValueError(f"there is no column {column!r}; there are {', '.join(columns)}")


def holds(row: Row, one: Where, columns: Sequence[str]) -> bool:
    """Whether a row is kept. Raises ValueError where the two cannot be compared."""
    present(one.column, columns)
    cell = row[one.column]
    if isinstance(cell, str) != isinstance(one.value, str) or (
        one.op == "contains" and not isinstance(cell, str)
    ):
        kind = "text" if isinstance(cell, str) else "a number"
        raise ValueError(
            f"column {one.column!r} holds {kind} and cannot be compared by {one.op!r} with "
            f"{one.value!r}"
        )
    return COMPARE[one.op](cell, one.value)


def grouped(rows: Sequence[Row], asked: Compute, columns: Sequence[str]) -> list[Row]:
    """Return one row for each group, in the order in which groups first come up."""
    for column in (*asked.group, *asked.aggregate):
        if rows:
            present(column, columns)
    both = sorted(set(asked.group) & set(asked.aggregate))
    if both:
        raise ValueError(f"columns {', '.join(both)} are in group and in aggregate; choose one")
    groups: dict[tuple[Cell, ...], list[Row]] = {}
    for row in rows:
        groups.setdefault(tuple(row[column] for column in asked.group), []).append(row)
    return [
        dict(zip(asked.group, key, strict=True))
        | {column: aggregated(members, column, how) for column, how in asked.aggregate.items()}
        | {"rows": len(members)}
        for key, members in groups.items()
    ]


def aggregated(rows: Sequence[Row], column: str, how: Aggregate) -> Cell:
    """Return a column of a group as one number. Raises ValueError for a column of texts."""
    values = [row[column] for row in rows]
    numbers = [value for value in values if not isinstance(value, str)]
    if len(numbers) < len(values):
        raise ValueError(f"column {column!r} holds text: there is no {how} of it")
    return AGGREGATE[how](numbers)


def rounded(row: Row) -> Row:
    """Return a row with its fractions rounded."""
    return {
        key: round(value, DIGITS) if isinstance(value, float) else value
        for key, value in row.items()
    }
