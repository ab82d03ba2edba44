"""What a ledger knows as tables: those of its export, and others that are made of its records."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import msgspec

from ullage.checks.deliveries import Account, Arrived
from ullage.checks.request_log import Logged, request_log
from ullage.errors import LedgerError
from ullage.ledger.arrived import arrived_rows
from ullage.ledger.flat import flat_rows
from ullage.ledger.store import Ledger
from ullage.report.columns import Column, Kind, Row, Table
from ullage.report.ledger_columns import WORDS, export_tables

Rows = Callable[[Ledger, str | None], Iterator[Row]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Filled:
    """A table, and what gives its rows out of a ledger, of one run or of all."""

    table: Table
    rows: Rows


def column(name: str, kind: Kind, about: str | None = None) -> Column:
    """Return a column; without words it has those of an export's."""
    return Column(name=name, kind=kind, about=about or WORDS[name])


ARRIVAL = Table(
    name="arrival",
    about="a result with what was measured of it last: the view `arrival`, with its time",
    columns=(
        column("number", "whole", "number of the result"),
        column("run", "text"),
        column("tool", "text"),
        column("agent", "text"),
        column("call_id", "text"),
        column("at", "time"),
        column("produced_chars", "whole", "size of what the tool returned"),
        column("delivered_chars", "whole"),
        column("records", "whole", "how many records had been produced"),
        column("records_arrived", "whole"),
        column("parts", "whole"),
        column("parts_arrived", "whole"),
        column("rate", "number"),
        column("valid", "truth"),
        column("notice", "text"),
        column("boundary", "text"),
        column("place", "text", f"{WORDS['place']}; nothing where it was not measured"),
        column("exchange", "whole"),
        column("certainty", "text"),
    ),
)
PART = Table(
    name="part",
    about="one part of a measured result, such as a list in its JSON",
    columns=(
        column("result", "whole"),
        column("run", "text"),
        column("tool", "text"),
        column("path", "text", "path of the part, such as $.late_list"),
        column("produced", "whole", "how many records had been produced"),
        column("delivered", "whole", "how many of them arrived whole"),
        column("partial", "whole", "how many of them arrived in part"),
    ),
)
FIELD = Table(
    name="field",
    about="one field of one part of a measured result",
    columns=(
        column("result", "whole"),
        column("run", "text"),
        column("tool", "text"),
        column("path", "text", "path of the part, such as $.late_list"),
        column("field", "text", "name of the field"),
        column("produced", "whole", "how many records had the field"),
        column("delivered", "whole", "in how many of them it arrived"),
    ),
)
REQUEST = Table(
    name="request",
    about="what an exchange's request said, and what came back, without texts",
    columns=(
        column("number", "whole", "number of the exchange"),
        column("run", "text"),
        column("agent", "text"),
        column("started", "time"),
        column("ended", "time"),
        column("method", "text"),
        column("path", "text"),
        column("status", "whole"),
        column("failed", "text", "its status, where it failed"),
        column("kind", "text", "what it was for: a turn, a count of tokens, …"),
        column("conversation", "whole", "counts the conversations of a run, from 1"),
        column("model", "text", "the model that was asked for"),
        column("messages", "whole", "how many messages it had"),
        column("roles", "text", "how many of each role, as JSON"),
        column("tokens", "whole", "size of the prompt, as Ullage counts it"),
        column("tokens_low", "whole", "no less than this"),
        column("tokens_high", "whole", "no more than this"),
        column("tokens_method", "text", "how they were counted: exact, or an estimate"),
        column("window", "whole", "window of the model, where it is known"),
        column("trims", "whole", "messages of the request before that this one no longer has"),
        column("input_tokens", "whole", "what the provider says that it read"),
        column("output_tokens", "whole", "what the provider says that it wrote"),
        column("reasoning_tokens", "whole", "what of that was reasoning"),
        column("cached_tokens", "whole", "what of the input came from a cache"),
        column("cache_written_tokens", "whole", "what of the input went into a cache"),
        column("label", "text", "how the reply ended, by Ullage's words"),
        column("finish_reason", "text", "how the reply ended, by the provider's word"),
        column("carried", "whole", "results that it was the first to carry"),
    ),
)


def filled_tables(*, content: bool) -> list[Filled]:
    """Return every table of a ledger with its rows: those of its export, then the derived ones."""
    return [
        *(
            Filled(table=one, rows=rows_of(one.name, content=content))
            for one in export_tables(content=content)
        ),
        Filled(table=ARRIVAL, rows=arrival_rows),
        Filled(table=PART, rows=part_rows),
        Filled(table=FIELD, rows=field_rows),
        Filled(table=REQUEST, rows=request_rows),
    ]


def rows_of(name: str, *, content: bool) -> Rows:
    """Return what gives the rows of a table of an export."""

    def rows(ledger: Ledger, run: str | None) -> Iterator[Row]:
        yield from flat_rows(ledger.session, ledger.scrubber, name, run, content=content)

    return rows


def arrival_rows(ledger: Ledger, run: str | None) -> Iterator[Row]:
    """Give every result with what was measured of it last."""
    for row in arrived_rows(ledger.session, run):
        yield {one.name: row[one.name] for one in ARRIVAL.columns}


def part_rows(ledger: Ledger, run: str | None) -> Iterator[Row]:
    """Give the parts of every measured result."""
    for row, found in accounts(ledger, run):
        for one in found.parts:
            yield {
                "result": row["number"],
                "run": row["run"],
                "tool": row["tool"],
                "path": one.path,
                "produced": one.produced,
                "delivered": one.delivered,
                "partial": one.partial,
            }


def field_rows(ledger: Ledger, run: str | None) -> Iterator[Row]:
    """Give the fields of every measured result."""
    for row, found in accounts(ledger, run):
        for one in found.fields:
            yield {
                "result": row["number"],
                "run": row["run"],
                "tool": row["tool"],
                "path": one.path,
                "field": one.field,
                "produced": one.produced,
                "delivered": one.delivered,
            }


def accounts(ledger: Ledger, run: str | None) -> Iterator[tuple[Row, Arrived]]:
    """Give every result that a request carried, with what arrived of it. Raises LedgerError."""
    for row in arrived_rows(ledger.session, run):
        if row["document"] is None:
            continue
        try:
            found = msgspec.json.decode(str(row["document"]), type=Account).arrived
        except (msgspec.DecodeError, RecursionError) as error:
            raise LedgerError(
                f"{ledger.path}: what was measured of result {row['number']} cannot be read "
                f"({error}): measure it again with `ullage ledger measure`"
            ) from error
        if found is not None:
            yield row, found


def request_rows(ledger: Ledger, run: str | None) -> Iterator[Row]:
    """Give what each request said, run by run: a run's conversations are what is remembered."""
    for tag in ledger.runs_that_asked() if run is None else [run]:
        for one in request_log(ledger, tag):
            yield request_row(one)


def request_row(one: Logged) -> Row:
    """Return the row of one request."""
    read, tokens, usage = one.read, one.read.tokens, one.read.usage
    return {
        "number": one.number,
        "run": one.run,
        "agent": one.agent,
        "started": one.started,
        "ended": one.ended,
        "method": one.method,
        "path": one.path,
        "status": one.status,
        "failed": one.failed,
        "kind": read.kind,
        "conversation": read.conversation,
        "model": read.model,
        "messages": read.messages,
        "roles": json.dumps(read.roles, sort_keys=True),
        "tokens": None if tokens is None else tokens.tokens,
        "tokens_low": None if tokens is None else tokens.low,
        "tokens_high": None if tokens is None else tokens.high,
        "tokens_method": None if tokens is None else tokens.method,
        "window": None if tokens is None else tokens.window,
        "trims": None if read.trims is None else len(read.trims),
        "input_tokens": None if usage is None else usage.input,
        "output_tokens": None if usage is None else usage.output,
        "reasoning_tokens": None if usage is None else usage.reasoning,
        "cached_tokens": None if usage is None else usage.cached,
        "cache_written_tokens": None if usage is None else usage.cache_written,
        "label": read.label,
        "finish_reason": read.finish_reason,
        "carried": len(one.carried),
    }
