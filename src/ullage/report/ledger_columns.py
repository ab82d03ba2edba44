"""The tables of a ledger for other programs: those of its export, with words for their columns."""

from collections.abc import Sequence

from ullage.ledger.entries import CONTENTS
from ullage.ledger.flat import binary
from ullage.ledger.lines import COLUMNS, Content, Whole
from ullage.report.columns import Column, Kind, Table

TIMES = {"at", "started", "first_byte", "ended", "last"}

ROWS = {
    "exchange": "a request to a model and its reply",
    "result": "a result as its tool returned it",
    "handed_on": "what the maker of a result gave to its framework",
    "step": "a declared step between two data sets",
    "worker": "the start or the end of a worker",
    "finding": "what a worker found",
    "fault": "something that could not be kept, in words",
    "lost": "records that were handed over and never written",
    "delivery": "what became of a result, as it was measured once; the last one counts",
    "figures": "what was read from an exchange whose bodies are not kept",
    "outcome": "how a run came out, by your own score; the last one counts",
    "pruned": "a run that was taken out",
    "compaction": "one time that Ullage shortened a history",
    "kept": "a text that left a history under a handle",
    "recalled": "one use of such a handle",
}
"""What one row of each table is."""

WORDS = {
    "after": "size of the history afterwards, in `unit`",
    "agent": "which agent it was, where that is known",
    "arguments": "the arguments of the call, as JSON",
    "arguments_bytes": "their size before redaction",
    "arguments_hash": "their keyed hash, where only that was kept",
    "arrival": "the whole account of what arrived, as JSON, without texts",
    "at": "when it was written",
    "before": "size of the history before, in `unit`",
    "boundary": "where the first loss belongs",
    "budget": "what the history had to fit into, in `unit`",
    "call_id": "the model's name for the call",
    "certainty": "how surely the result was found in the request",
    "chars": "how many characters were given back",
    "cohort": "what kind of model answered",
    "delivered_chars": "size of what the model was given",
    "detail": "what is known of it, as JSON",
    "document": "what was read, as JSON, without texts",
    "dropped": "what the step dropped, as a JSON list",
    "ended": "when the reply had ended",
    "error": "why there is no whole reply",
    "event": "what happened to the worker",
    "events": "what was done to which messages, as JSON, without texts",
    "evidence": "what the finding rests on, as JSON",
    "evidence_bytes": "its size before redaction",
    "evidence_hash": "its keyed hash, where only that was kept",
    "exchange": "number of the exchange that carried the result first",
    "exchanges": "how many exchanges the run had",
    "first_byte": "when the reply began",
    "handed_out": "how many records came out of the step",
    "handle": "the handle that stands in the history",
    "keep": "what was kept of the texts; nothing where all of it was",
    "key": "the field that tells records apart; of a finding, its name",
    "kind": "made by a tool, or put into a message as data",
    "known": "whether there was such a handle",
    "last": "when the last record of the run was written",
    "mark": "tells a worker from others of its name",
    "method": "method of HTTP",
    "name": "what the step is called",
    "note": "what the score rests on",
    "notice": "whether what was delivered says that it was cut",
    "number": "counts the rows of the table, in the order of writing",
    "part": "which part was asked for",
    "parts": "how many parts had been produced",
    "parts_arrived": "of how many of them a record arrived whole",
    "path": "path of the request, without the run's tag",
    "place": "whose code lost it: tool, harness or unknown",
    "rate": "the share that arrived; nothing where nothing had been produced",
    "reason": "why the step dropped what it dropped",
    "records": "how many records there were; of a recall, which were asked for",
    "records_arrived": "how many of them arrived whole",
    "request_body": "the body of the request",
    "request_bytes": "its size before redaction",
    "request_hash": "its keyed hash, where only that was kept",
    "request_headers": "headers of the request, as JSON",
    "response_body": "the body of the reply",
    "response_bytes": "its size before redaction",
    "response_hash": "its keyed hash, where only that was kept",
    "response_headers": "headers of the reply, as JSON",
    "result": "number of the result",
    "results": "how many results the run had",
    "run": "tag of the run",
    "score": "the score",
    "source": "where the worker found it",
    "stage": "which stage the worker belongs to",
    "started": "when the request began",
    "status": "status of HTTP",
    "taken_in": "how many records went into the step",
    "text": "the text itself, without secrets",
    "text_bytes": "its size before redaction",
    "text_chars": "its length in characters before redaction",
    "text_hash": "its keyed hash, where only that was kept",
    "tier": "how far the compaction had to go",
    "tokens_after": "size of the history afterwards, in tokens",
    "tokens_before": "size of the history before, in tokens",
    "tool": "name of the tool",
    "unit": "what sizes are measured in: chars or tokens",
    "upstream": "where the request went",
    "valid": "whether JSON arrived as JSON; nothing where it was none",
    "what": "what it was, in words",
    "why": "why it was taken out",
    "worker": "name of the worker",
}
"""What a column means; a name means the same in every table, or its words say both."""


def export_tables(*, content: bool) -> Sequence[Table]:
    """Return the tables of a ledger's export; `content`: with the columns of contents."""
    return [
        Table(name=name, about=ROWS[name], columns=tuple(columns_of(name, content=content)))
        for name in COLUMNS
    ]


def columns_of(table: str, *, content: bool) -> Sequence[Column]:
    """Return the columns of a table in the order of `ullage.export/1`, then its hashes."""
    found = []
    contents = {one.column for one in CONTENTS[table]}
    for name, form in COLUMNS[table].items():
        if name not in contents:
            found.append(Column(name=name, kind=kind_of(name, form), about=WORDS[name]))
        elif content:
            found.append(Column(name=name, kind="text", about=WORDS[name]))
            found.append(
                Column(
                    name=binary(name),
                    kind="bytes",
                    about=f"the same where it is no UTF-8: then `{name}` is empty",
                )
            )
    for one in CONTENTS[table]:
        if one.hash is not None:
            found.append(Column(name=one.hash, kind="text", about=WORDS[one.hash]))
    return found


def kind_of(name: str, form: object) -> Kind:
    """Return what a column of an export holds; what is neither number nor truth is a text."""
    if form == Content:
        raise ValueError(f"{name!r} is a content, which has two columns")
    if form in (Whole, Whole | None):
        return "whole"
    if form in (float, float | None):
        return "time" if name in TIMES else "number"
    return "truth" if form in (bool, bool | None) else "text"
