"""Files of agents that are not as they should be: read as far as they go, or refused in words."""

import copy
import json
import re
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.sources import (
    test_mini_swe_agent,
    test_openhands,
    test_openhands_sdk,
    test_pi,
    test_swe_agent,
)
from tests.sources.agent_files import judged, lines, packed
from tests.sources.hermes_db import State
from tests.sources.opencode_db import Store, ran, said, step

from ullage.errors import LoadError
from ullage.sources.files import read_bytes, read_file
from ullage.transcript.transcript import Transcript

ODD = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=True) | st.text(max_size=9),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner, max_size=3)
    ),
    max_leaves=5,
)
"""Any value that JSON, or Python's idea of it, can hold."""

COMPACTED_V0 = [
    *test_openhands.HISTORY,
    test_openhands.condensed(10, forgotten_event_ids=[4, 5], summary="S", summary_offset=1),
]
COMPACTED_V1 = [
    *test_openhands_sdk.HISTORY,
    test_openhands_sdk.condensed("c", ["a1", "o1"], summary="S", summary_offset=1),
]
RECORDS: Mapping[str, list[object]] = {
    "swe-agent": [json.loads(test_swe_agent.trajectory(4, keep=2))],
    "mini-swe-agent": [test_mini_swe_agent.SECOND],
    "openhands": [{"instance_id": "t", "instruction": "i", "history": COMPACTED_V0}] * 2,
    "openhands-sdk": [*COMPACTED_V1],
    "pi": [*test_pi.COMPACTED],
}
FORMS = sorted(RECORDS)


def written(form: str, records: list[object]) -> bytes:
    """Write the records of a form as its files have them."""
    if form.endswith("swe-agent"):
        return packed(records[0] if records else None)
    return lines(records)


def places(value: object) -> Iterator[tuple[object, object]]:
    """Yield each container with each of its keys."""
    inside: list[object] = []
    if isinstance(value, dict):
        yield from ((value, key) for key in value)
        inside = [*value.values()]
    elif isinstance(value, list):
        yield from ((value, at) for at in range(len(value)))
        inside = value
    for one in inside:
        yield from places(one)


def changed(records: list[object], data: st.DataObject) -> list[object]:
    """Put odd values in the places of a few others, or take these away."""
    found = copy.deepcopy(records)
    for _ in range(data.draw(st.integers(1, 4))):
        there = [*places(found)]
        if not there:
            break
        holder, key = there[data.draw(st.integers(0, len(there) - 1))]
        if data.draw(st.booleans()):
            holder[key] = data.draw(ODD)  # type: ignore[index]
        else:
            del holder[key]  # type: ignore[attr-defined]
    return found


def read_all(read: Callable[[], Iterator[object]]) -> list[Transcript]:
    """Read all records; no other error than LoadError comes out."""
    found: list[Transcript] = []
    try:
        found.extend(one for one in read() if isinstance(one, Transcript))
    except LoadError as error:
        assert str(error)  # noqa: PT017 (it may also not be raised)
    for one in found:
        sound(one)
    return found


def sound(one: Transcript) -> None:
    """What every transcript must hold, whatever it was made from."""
    size = len(one.entries)
    assert 0 <= one.shared <= size
    assert [each.at for each in one.compactions] == sorted(each.at for each in one.compactions)
    for number, each in enumerate(one.compactions):
        assert 0 <= each.at <= size
        after = one.post(number) or []
        assert len(after) == len(set(after))
        assert set(each.summary) <= set(after)
        assert {*after, *each.cleared, *one.pre(number)} <= set(range(size))
    judged(one)


@pytest.mark.parametrize("form", FORMS)
def test_the_samples_are_found_to_be_what_they_are(form: str) -> None:
    assert read_bytes(written(form, RECORDS[form]), "x").form == form


@pytest.mark.parametrize("form", FORMS)
@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None, max_examples=50)
@given(data=st.data())
def test_odd_values_anywhere_break_nothing(form: str, data: st.DataObject) -> None:
    odd = written(form, changed(RECORDS[form], data))

    read_all(lambda: read_bytes(odd, "x", form).records)
    read_all(lambda: read_bytes(odd, "x").records)


@pytest.mark.parametrize("form", FORMS)
@settings(deadline=None, max_examples=50)
@given(data=st.data())
def test_torn_files_break_nothing(form: str, data: st.DataObject) -> None:
    whole = written(form, RECORDS[form])
    cut = data.draw(st.integers(0, len(whole)))
    put = data.draw(st.binary(max_size=5))
    left_out = data.draw(st.integers(0, 40))
    torn = whole[:cut] + put + whole[cut + left_out :]

    read_all(lambda: read_bytes(torn, "x", form).records)
    read_all(lambda: read_bytes(torn, "x").records)


@pytest.mark.parametrize("form", FORMS)
@settings(deadline=None, max_examples=50)
@given(data=st.data())
def test_a_file_of_any_other_kind_is_read_in_no_wrong_way(form: str, data: st.DataObject) -> None:
    other = data.draw(st.sampled_from(FORMS))

    read_all(lambda: read_bytes(written(other, RECORDS[other]), "x", form).records)
    read_all(lambda: read_bytes(packed(data.draw(ODD)), "x", form).records)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("depth", [100, 400, 5000])
@pytest.mark.parametrize("member", ["content", "arguments", "args", "input"])
def test_very_deep_values_break_nothing(form: str, depth: int, member: str) -> None:
    deep = b'{"text":[' * depth + b"1" + b"]}" * depth
    whole = written(form, RECORDS[form])
    spoilt = re.sub(
        rb'"%s": "[^"]*"' % member.encode(), b'"%s": %s' % (member.encode(), deep), whole
    )

    read_all(lambda: read_bytes(spoilt, "x", form).records)
    read_all(lambda: read_bytes(spoilt, "x").records)


def opencode(path: Path) -> None:
    store = Store(path)
    store.session("ses_1")
    store.user("ses_1", "list")
    store.reply("ses_1", *step(said("I look"), ran("c1", "a\nb")))
    ask = store.message("ses_1", {"role": "user"}, {"type": "compaction", "auto": True})
    store.reply("ses_1", *step(said("Two.")), summary=True, parentID=ask)


def hermes(path: Path) -> None:
    state = State(path)
    state.session("s-1", system_prompt="You help.")
    state.said("s-1", "user", "first")
    state.called("s-1", "c1", "a long listing")
    state.archive("s-1")
    state.said("s-1", "user", "Sum.", _compressed_summary=1)
    state.end("s-1")
    state.session("s-2", parent="s-1")
    state.said("s-2", "user", "[CONTEXT COMPACTION] Sum.")


DATABASES: Mapping[str, tuple[Callable[[Path], None], list[str]]] = {
    "opencode": (
        opencode,
        [
            "UPDATE part SET data = ? WHERE rowid = ?",
            "UPDATE message SET data = ? WHERE rowid = ?",
            "UPDATE message SET time_created = ? WHERE rowid = ?",
            "UPDATE session SET parent_id = ? WHERE rowid = ?",
            "UPDATE session SET version = ? WHERE rowid = ?",
        ],
    ),
    "hermes": (
        hermes,
        [
            *(
                f"UPDATE messages SET {name} = ? WHERE id = ?"
                for name in (
                    "role",
                    "content",
                    "tool_calls",
                    "tool_call_id",
                    "active",
                    "compacted",
                    "timestamp",
                    "finish_reason",
                )
            ),
            *(
                f"UPDATE sessions SET {name} = ? WHERE rowid = ?"
                for name in ("parent_session_id", "model_config", "started_at", "end_reason")
            ),
        ],
    ),
}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Path]:
    """The databases, written once and put together into one file each."""
    found = {}
    for form, (write, _) in DATABASES.items():
        path = tmp_path_factory.mktemp("whole") / f"{form}.db"
        write(path)
        with closing(sqlite3.connect(path)) as db:
            db.execute("PRAGMA journal_mode=DELETE")
        found[form] = path
    return found


@pytest.mark.parametrize("form", sorted(DATABASES))
@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_odd_values_in_a_database_break_nothing(
    whole: Mapping[str, Path], form: str, data: st.DataObject
) -> None:
    odd = (
        ODD.map(json.dumps)
        | st.none()
        | st.binary(max_size=5)
        | st.integers(-(2**63), 2**63 - 1)
        | st.floats(allow_nan=False)
        | st.sampled_from(["s-1", "s-2", "compression", "tool", "system"])
    )
    with TemporaryDirectory() as folder:
        path = Path(folder) / "x.db"
        path.write_bytes(whole[form].read_bytes())
        with closing(sqlite3.connect(path)) as db:
            for query in data.draw(st.lists(st.sampled_from(DATABASES[form][1]), max_size=4)):
                row = data.draw(st.integers(1, 6))
                db.execute(query.replace("UPDATE", "UPDATE OR IGNORE"), (data.draw(odd), row))
            db.commit()

        read_all(lambda: read_file(path).records)


@pytest.mark.parametrize("form", sorted(DATABASES))
@settings(deadline=None, max_examples=60)
@given(data=st.data())
def test_a_torn_database_is_refused_in_words_or_read(
    whole: Mapping[str, Path], form: str, data: st.DataObject
) -> None:
    raw = whole[form].read_bytes()
    at = data.draw(st.integers(0, len(raw)))
    put = data.draw(st.binary(max_size=64))
    torn = raw[:at] + put + (raw[at + len(put) :] if data.draw(st.booleans()) else b"")
    with TemporaryDirectory() as folder:
        path = Path(folder) / "x.db"
        path.write_bytes(torn)

        read_all(lambda: read_file(path, form).records)


@pytest.mark.parametrize("form", sorted(DATABASES))
def test_another_database_is_refused_in_words(tmp_path: Path, form: str) -> None:
    path = tmp_path / "other.db"
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE other (id)")

    with pytest.raises(LoadError, match="it has no tables like"):
        list(read_file(path, form).records)
    with pytest.raises(LoadError, match="neither JSON"):
        read_file(path)


@pytest.mark.parametrize("form", sorted(DATABASES))
def test_a_database_whose_names_are_no_text_is_refused_in_words(
    whole: Mapping[str, Path], tmp_path: Path, form: str
) -> None:
    raw = whole[form].read_bytes()
    table = b"part(id" if form == "opencode" else b"messages(id"
    path = tmp_path / "x.db"
    path.write_bytes(
        raw.replace(b"CREATE TABLE " + table.partition(b"(")[0], b"CREATE TABLE \x80", 1)
    )

    with pytest.raises(LoadError, match="cannot be read as a database"):
        list(read_file(path, form).records)
