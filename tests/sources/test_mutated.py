"""Files of every form that were damaged somewhere: read as far as they go, or refused."""

import json
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.sources.documents import DOCUMENTS, VCR

from ullage.checks.scan import scan
from ullage.errors import LoadError
from ullage.sources.files import read_bytes

FORMS = [*DOCUMENTS, "vcr"]
ODD: st.SearchStrategy[Any] = st.sampled_from(
    [None, True, -1, 10**30, 1.5, "", "x", "\ud800", [], [[]], [None, 1], {}, {"": {}}, {"id": []}]
)


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the ways to every value inside one."""
    below = value.items() if isinstance(value, dict) else enumerate(value)
    found = []
    for name, one in below:
        found.append((*path, name))
        if isinstance(one, dict | list):
            found += places(one, (*path, name))
    return found


def read_all(data: bytes, form: str | None) -> None:
    """Read and check a file; what cannot be read is refused with words."""
    try:
        scan([read_bytes(data, "x", form)])
    except LoadError:
        return


@pytest.mark.parametrize("form", DOCUMENTS)
@given(changes=st.lists(st.tuples(st.integers(0, 10**6), ODD), min_size=1, max_size=4))
def test_odd_values_anywhere_are_borne(form: str, changes: list[tuple[int, Any]]) -> None:
    document: Any = {"root": deepcopy(DOCUMENTS[form])}
    for where, value in changes:
        found = places(document)
        way = found[where % len(found)]
        holder = document
        for name in way[:-1]:
            holder = holder[name]
        holder[way[-1]] = deepcopy(value)
    data = json.dumps(document["root"]).encode()

    read_all(data, None)
    read_all(data, form)


@pytest.mark.parametrize("form", FORMS)
@given(at=st.floats(0, 1), drop=st.integers(0, 40), put=st.binary(max_size=4))
def test_bytes_that_are_gone_or_changed_are_borne(
    form: str, at: float, drop: int, put: bytes
) -> None:
    whole = VCR.encode() if form == "vcr" else json.dumps(DOCUMENTS[form], indent=1).encode()
    begin = int(at * len(whole))
    data = whole[:begin] + put + whole[begin + drop :]

    read_all(data, None)
    read_all(data, form)


@pytest.mark.parametrize("form", FORMS)
@given(other=st.sampled_from(FORMS))
def test_a_file_of_another_form_is_borne(form: str, other: str) -> None:
    data = VCR.encode() if other == "vcr" else json.dumps(DOCUMENTS[other]).encode()

    read_all(data, form)


@pytest.mark.parametrize("form", FORMS)
def test_a_document_is_taken_for_its_own_form(form: str) -> None:
    data = VCR.encode() if form == "vcr" else json.dumps(DOCUMENTS[form]).encode()

    assert read_bytes(data, "x").form == form


@pytest.mark.parametrize("form", FORMS)
def test_deep_nesting_is_borne(form: str) -> None:
    deep = b'{"messages":' * 400 + b"[" * 500 + b"]" * 500 + b"}" * 400

    read_all(deep, form)
    read_all(b"interactions:\n- request: " + b"[" * 5000, form)
