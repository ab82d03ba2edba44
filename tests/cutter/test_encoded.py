"""Encoded runs and binary: whole or described, never split."""

import base64
import hashlib
import json
import os
import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ullage
from ullage.cutter import binary
from ullage.cutter.decode import as_text
from ullage.cutter.encoded import replace

SHARED = Path(os.environ.get("ULLAGE_SHARED", "../shared"))
RAW = random.Random(1).randbytes(500)
PLAIN = base64.b64encode(RAW).decode()
SAID = f"500 bytes sha256 {hashlib.sha256(RAW).hexdigest()[:16]}]"
LEFT_ALONE = {
    "a word": "x" * 400,
    "a slug": "a-long-slug-of-words-" * 30,
    "a number": "1234567890" * 40,
    "a path": "/usr/lib/python3/site-packages/" * 20,
    "a digest": hashlib.sha512(RAW).hexdigest(),
    "a token": PLAIN[:190],
    "identifiers": "CamelCaseIdentifierNumber1OfTheList" * 10,
    "a ruler": "=" * 300 + "-" * 300,
    "dna": "ACGTTGCA" * 60,
    "a run in an address": "https://x.test/item?ref=1&dib=" + PLAIN.replace("/", "_"),
    "a signed token": "eyJhbGciOiJIUzI1NiJ9." + PLAIN.rstrip("=").replace("/", "_"),
    "an address": "https://example.test/" + "part/" * 80 + "?q=1",
}


@pytest.mark.parametrize(
    "written",
    [
        PLAIN,
        base64.urlsafe_b64encode(RAW).decode(),
        PLAIN.rstrip("="),
        PLAIN.replace("/", "\\/"),
        RAW.hex(),
        RAW.hex().upper(),
        base64.encodebytes(RAW).decode().rstrip(),
        base64.encodebytes(RAW).decode().rstrip().replace("\n", "\\n"),
        base64.encodebytes(RAW).decode().rstrip().replace("\n", "\r\n"),
    ],
    ids=[
        "plain",
        "url-safe",
        "unpadded",
        "escaped",
        "hex",
        "HEX",
        "lines",
        "lines in JSON",
        "mail",
    ],
)
def test_an_encoded_run_is_described_by_the_bytes_it_stands_for(written: str) -> None:
    done = replace(f"before {written} after")

    kind = "hex" if written.lower() == RAW.hex() else "base64"
    assert done.text == f"before [{kind} {SAID} after"
    assert done.count == 1


@pytest.mark.parametrize("kind", LEFT_ALONE)
def test_what_only_looks_encoded_is_left_alone(kind: str) -> None:
    text = f"before {LEFT_ALONE[kind]} after"

    assert replace(text).text == text


def test_a_data_url_is_described_with_its_type() -> None:
    done = replace(f'<img src="data:image/png;base64,{PLAIN}">')

    assert done.text == f'<img src="[image/png {SAID}">'


def test_a_data_url_that_is_not_base64_is_described() -> None:
    text = "data:image/svg+xml," + "%3Csvg%20a" * 40

    assert replace(text).text.startswith("[image/svg+xml 240 bytes sha256 ")


def test_a_run_after_an_equals_sign_is_described() -> None:
    assert replace(f"image={PLAIN}&x=1").text == f"image=[base64 {SAID}&x=1"


def test_a_short_data_url_stays_whole() -> None:
    text = "data:image/png;base64," + PLAIN[:100]

    assert replace(text).text == text


def test_the_type_of_a_bare_run_is_read_from_its_bytes() -> None:
    data = b"\x89PNG\r\n\x1a\n" + RAW

    assert replace(base64.b64encode(data).decode()).text.startswith("[image/png 508 bytes ")


def test_it_is_said_how_much_was_replaced() -> None:
    done = replace(f"{PLAIN} {PLAIN}")

    size = 2 * len(PLAIN)
    assert done.also == (f"2 encoded runs ({size} characters) replaced by type, size and hash",)


def test_the_word_after_wrapped_lines_stays() -> None:
    lines = base64.encodebytes(RAW[:456]).decode()

    assert replace(lines + "hello there\n").text.endswith("]\nhello there\n")


def test_a_json_text_stays_the_same_document() -> None:
    value = {"a": PLAIN, "b": [f"data:image/gif;base64,{PLAIN}", "kept"], "c": "x/y\\z"}
    done = json.loads(replace(json.dumps(value)).text)

    assert done["c"] == value["c"]
    assert done["b"][1] == "kept"
    assert done["a"] == f"[base64 {SAID}"


@settings(max_examples=50, deadline=None)
@given(data=st.binary(min_size=160, max_size=900), before=st.text(max_size=9))
def test_replacing_twice_is_replacing_once(data: bytes, before: str) -> None:
    once = replace(f"{before} {base64.b64encode(data).decode()} end")

    assert replace(once.text).text == once.text


@settings(max_examples=50, deadline=None)
@given(seed=st.integers(0, 10_000), size=st.integers(160, 3000))
def test_any_random_bytes_in_base64_are_found(seed: int, size: int) -> None:
    data = random.Random(seed).randbytes(size)

    assert replace(f"x {base64.b64encode(data).decode()} y").count == 1


@settings(max_examples=50, deadline=None)
@given(text=st.text(max_size=400))
def test_ordinary_text_is_left_alone(text: str) -> None:
    assert replace(text).text == text


@pytest.mark.parametrize(
    "text",
    [
        "A" * 5_000_000,
        "data:" * 100_000,
        "data:image/png;" * 50_000,
        ("a" * 199 + " ") * 5_000,
        "data:a/b;x=y," * 50_000,
        ("A" * 70 + "\n") * 20_000,
        PLAIN * 1000,
        "\\/" * 500_000,
    ],
    ids=["one letter", "data", "types", "just short", "parameters", "lines", "run", "slashes"],
)
def test_megabytes_are_searched_in_bounded_time(text: str) -> None:
    replace(text)


def test_binary_lines_become_a_placeholder_with_their_size() -> None:
    text = "first line\n" + "\x00\x01\x02\x03" * 50 + "\nlast line\n"

    assert binary.replace(text).text == "first line\n[201 bytes]\nlast line\n"


def test_bytes_that_are_not_utf_8_count_as_the_bytes_they_were() -> None:
    data = b"name: x\n" + bytes(range(128, 256)) * 2 + b"\nend of file\n"
    done = binary.replace(as_text(data))

    assert done.text == "name: x\n[257 bytes]\nend of file\n"


def test_a_short_line_between_bytes_is_part_of_them() -> None:
    text = "\x00" * 40 + "\nab\n" + "\x01" * 40

    assert binary.replace(text).text == "[84 bytes]"


def test_a_readable_line_with_a_stray_control_character_is_left_alone() -> None:
    text = "progress \x08 50 %\n\x1b[31mred\x1b[0m text\n"

    assert binary.replace(text).text == text


def test_a_blank_line_between_readable_lines_stays() -> None:
    text = "one line\n\nother line\n" + "\x00" * 40 + "\n"

    assert binary.replace(text).text.startswith("one line\n\nother line\n[")


@settings(max_examples=50, deadline=None)
@given(
    parts=st.lists(st.binary(max_size=40) | st.just(b"a readable line\n"), max_size=20),
)
def test_no_nul_is_left_and_readable_lines_survive(parts: list[bytes]) -> None:
    source = as_text(b"\n".join(parts))
    done = binary.replace(source)

    lines = done.text.split("\n")
    assert [one for one in lines if one == "a readable line"] == [
        one for one in source.split("\n") if one == "a readable line"
    ]
    assert done.text.count("\ufffd") <= source.count("\ufffd")


def test_megabytes_of_bytes_are_read_in_bounded_time() -> None:
    assert binary.replace("\x00" * 1_000_000).text == "[1000000 bytes]"
    binary.replace("\x00\n" * 100_000)


@pytest.mark.skipif(not SHARED.is_dir(), reason="needs the shared cases (ULLAGE_SHARED)")
def test_the_case_of_a_data_url_in_json() -> None:
    text = (SHARED / "cases/24-data-url-splice/input.json").read_text(encoding="utf-8")

    assert json.loads(replace(text).text)["alt"] == "meter panel"
    assert len(replace(text).text) < 200


@pytest.mark.skipif(not SHARED.is_dir(), reason="needs the shared cases (ULLAGE_SHARED)")
def test_the_case_of_two_lines_in_binary() -> None:
    data = (SHARED / "cases/27-nul-binary/input.bin").read_bytes()
    done = binary.replace(as_text(data))

    assert done.text == "[2056 bytes]\nversion: 3.2.1-demo\n[404 bytes]\nbuild id: 77ab\n"


BARE = {
    "base64": base64.encodebytes(random.Random(1).randbytes(3000)).decode(),
    "a data URL": "data:image/png;base64," + base64.b64encode(RAW * 6).decode(),
    "bytes": random.Random(2).randbytes(3000),
}


@pytest.mark.parametrize("name", BARE)
def test_a_placeholder_is_whole_or_absent_and_is_no_part_of_the_source(name: str) -> None:
    whole = ullage.cut(BARE[name], ullage.chars(200)).text.split("\n")[1]
    for limit in range(1, 201):
        done = ullage.cut(BARE[name], ullage.chars(limit))
        assert done.text.split("\n", 1)[1:] in ([], [whole])
        assert done.account.parts[0].delivered == 0
        assert done.account.parts[0].produced >= 3000


def test_a_second_cut_of_a_placeholder_keeps_the_first_total() -> None:
    once = ullage.cut(BARE["base64"], ullage.chars(90))
    again = ullage.cut(once.text, ullage.chars(60))

    assert once.notice.startswith(again.notice)
