"""Logs of Inspect: samples with attachments, sizes of what was cut, and compactions."""

import io
import json
import zipfile
from copy import deepcopy
from typing import Any

import pytest
from tests.sources.documents import INSPECT, MESSAGES, ROWS
from tests.sources.read import texts, transcripts

from ullage.errors import LoadError
from ullage.sources.files import read_bytes
from ullage.sources.record import Damaged, Plain
from ullage.transcript.served import Usage
from ullage.transcript.transcript import Transcript


def archive(members: dict[str, Any]) -> bytes:
    """An `.eval` file."""
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as found:
        for name, value in members.items():
            found.writestr(name, value if isinstance(value, bytes) else json.dumps(value))
    return held.getvalue()


def sample(**changes: Any) -> dict[str, Any]:
    """The sample of the document, changed."""
    found = deepcopy(INSPECT["samples"])
    assert isinstance(found, list)
    return {**found[0], **changes}


def log(one: dict[str, Any]) -> dict[str, Any]:
    """A log with one sample."""
    return {**INSPECT, "samples": [one]}


HEADER = {name: one for name, one in INSPECT.items() if name != "samples"}


def test_a_sample_is_a_session_with_its_score() -> None:
    (one,) = transcripts(INSPECT)

    assert (one.session, one.form, one.outcome) == ("log.json#7", "inspect", 1.0)
    assert (one.agent, one.version, one.model) == ("inspect_ai", "0.3.285", "m")
    assert one.tools == ("orders",)


def test_a_text_that_stands_apart_is_put_back() -> None:
    (one,) = transcripts(INSPECT)

    assert one.entries[3].message.text == ROWS
    assert one.entries[3].message.answers == "c1"


def test_of_what_was_cut_the_size_is_known() -> None:
    (one,) = transcripts(INSPECT)

    produced = one.entries[3].produced
    assert produced is not None
    assert (produced.text, produced.size) == (None, 90000)


def test_how_a_reply_ended_stands_in_its_event() -> None:
    (one,) = transcripts(INSPECT)

    reply = one.entries[2]
    assert (reply.label, reply.finish_reason) == ("cut-by-limit", "max_tokens")
    assert reply.usage == Usage(input=110, output=5, cached=100)


def test_a_summary_in_the_history_stands_for_what_the_next_request_lacks() -> None:
    (one,) = transcripts(INSPECT)

    (compaction,) = one.compactions
    assert (compaction.at, compaction.act, compaction.after) == (4, "summarise", (0, 1, 4))
    assert compaction.summary == (4,)
    assert (compaction.tokens_before, compaction.tokens_after) == (5000, 300)
    assert one.pre(0) == [0, 1, 2, 3]
    assert texts(one, one.post(0)) == ["Be brief.", "List the orders.", "Summary: thirty orders."]
    assert one.context(6) == [0, 1, 4, 5]


def test_a_summary_that_only_the_request_has_is_put_in() -> None:
    messages = [one for one in MESSAGES if one["id"] != "m4"]
    changed = sample(messages=messages)

    (one,) = transcripts(log(changed))

    (compaction,) = one.compactions
    assert (compaction.at, compaction.after, compaction.summary) == (4, (0, 1, 4), (4,))
    assert texts(one, [4, 5]) == ["Summary: thirty orders.", "There are thirty."]


def test_a_cleared_result_is_a_placeholder_in_its_place() -> None:
    changed = sample(messages=[one for one in MESSAGES if one["id"] != "m4"])
    events = changed["events"]
    events[2]["type"] = "edit"
    events[3]["input"] = [*MESSAGES[:3], {**MESSAGES[3], "content": "(Tool result removed)"}]

    (one,) = transcripts(log(changed))

    (compaction,) = one.compactions
    assert (compaction.act, compaction.cleared, compaction.summary) == ("elide", (3,), ())
    assert texts(one, one.post(0)) == [
        "Be brief.",
        "List the orders.",
        "",
        "(Tool result removed)",
    ]


def test_a_trim_keeps_what_the_next_request_holds() -> None:
    changed = sample(messages=[one for one in MESSAGES if one["id"] != "m4"])
    changed["events"][2]["type"] = "trim"
    changed["events"][3]["input"] = MESSAGES[:2]

    (one,) = transcripts(log(changed))

    (compaction,) = one.compactions
    assert (compaction.at, compaction.act, compaction.after) == (4, "trim", (0, 1))


def test_without_a_later_request_what_is_in_force_is_not_told() -> None:
    changed = sample()
    del changed["events"][3]

    (one,) = transcripts(log(changed))

    assert [(it.act, it.after) for it in one.compactions] == [("summarise", None)]


def test_an_archive_is_read_like_a_document() -> None:
    second = sample(id=10, epoch=2)
    data = archive({"header.json": HEADER, "samples/10.json": second, "samples/7.json": sample()})

    first, other = transcripts(data)

    (plain,) = transcripts(INSPECT)
    assert (first.entries[3].message, first.compactions[0].after) == (
        plain.entries[3].message,
        (0, 1, 4),
    )
    assert [first.session, other.session] == ["log.json#7", "log.json#10, epoch 2"]


def test_a_run_that_was_broken_off_has_its_header_in_the_journal() -> None:
    data = archive({"_journal/start.json": HEADER, "samples/7.json": sample()})

    assert len(transcripts(data)) == 1


def test_a_sample_that_cannot_be_read_is_told_and_the_others_are_read() -> None:
    data = archive(
        {"header.json": HEADER, "samples/1.json": b"not JSON", "samples/7.json": sample()}
    )

    damaged, one = read_bytes(data, "x.eval").records

    assert isinstance(damaged, Damaged)
    assert "samples/1.json" in damaged.why
    assert isinstance(one, Transcript)


def test_a_log_without_samples_is_one_plain_record() -> None:
    assert list(read_bytes(json.dumps(HEADER).encode(), "x").records) == [Plain(line=1)]
    assert list(read_bytes(archive({"header.json": HEADER}), "x").records) == [Plain()]


def test_another_archive_is_no_log() -> None:
    with pytest.raises(LoadError, match="neither JSON"):
        read_bytes(archive({"word/document.xml": b"<w/>"}), "x.docx")
    with pytest.raises(LoadError, match="no header"):
        list(read_bytes(archive({"a.json": b"{}"}), "x.eval", "inspect").records)
    with pytest.raises(LoadError, match="no log of Inspect"):
        list(read_bytes(b'{"a": 1}', "x.json", "inspect").records)
