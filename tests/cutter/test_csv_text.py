"""Cutting CSV and TSV: whole records under their header."""

import csv
import io
from collections.abc import Sequence

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import ullage
from ullage.cutter.blocks import cut_blocks
from ullage.cutter.budget import chars
from ullage.cutter.csv_text import read
from ullage.cutter.keep import Rule, read_rules
from ullage.cutter.values import Cut

CELLS = st.text("abc 019,;\t\"'\n#é👩", max_size=12) | st.integers().map(str) | st.just("x" * 300)
SHARES = st.floats(min_value=0, max_value=1)
DELIMITERS = st.sampled_from([",", "\t", ";"])
NOT_CSV = {
    "JSON": '{"a": [1, 2],\n "b": [3, 4],\n "c": [5, 6],\n "d": [7, 8]}',
    "prose": "Dear John, thanks.\nWe saw it, and left.\nAll fine, so far.\nYours, Ann\n",
    "prose with two commas": "Red, green, blue.\nOne, two, three.\nHe came, saw, won.\nA, b, c.\n",
    "log with a comma in its time": "2026-01-01 10:00:00,123 INFO up\n" * 9,
    "log with fields": "level=info, msg=up, id=1\nlevel=info, msg=down, id=2\n" * 5,
    "diff": "--- a/x,y\n+++ b/x,y\n@@ -1,2 +1,2 @@\n-a,b\n+b,c\n a,d\n",
    "Markdown": "# Title, one\n\n- a, b\n- c, d\n- e, f\n",
    "bullets": "- a, b\n- c, d\n- e, f\n- g, h\n",
    "accessibility tree": '[132] link "a, b"\n[133] link "c, d"\n[134] link "e, f"\n',
    "numbers without a header": "1\t2\tx.py\n3\t4\ty.py\n5\t6\tz.py\n",
    "code": "int a; int b;\nint c; int d;\nint e; int f;\n",
    "SQL": "INSERT INTO t VALUES (1,2);\nINSERT INTO t VALUES (3,4);\n" * 3,
    "one column": "a\nb\nc\nd\n",
    "YAML": "a: 1\nb: 2\nc: 3\n",
    "log with tabs": "".join(f"2026-01-01T10:00:0{at}Z\tINFO\tup {at}\n" for at in range(9)),
    "log with its level first": "INFO:\tup\nERROR:\tdown\n" * 9,
    "Makefile": "all:\n\tcc a.c\nclean:\n\trm a\n" * 4,
    "code indented with tabs": "\tint a;\n\tint b;\n" * 5,
    "ragged tabs": "a\tb\nc\td\te\n" * 6,
    "Go stack": "goroutine 1 [running]:\nmain.f()\n\t/a/b.go:7\n" * 4,
}


def cut(text: str, limit: int, keep: Sequence[Rule] = ()) -> Cut:
    layout = read(text)
    assert layout is not None
    return cut_blocks(layout, text, chars(limit), keep=read_rules(keep), inside=True)


def limit_for(text: str, share: float) -> int:
    """A budget between a notice of any wording and the size of a text."""
    floor = cut(text, 1).account.floor + 30
    assume(floor < len(text))
    return floor + round((len(text) - 1 - floor) * share)


def parsed(text: str, delimiter: str = ",") -> list[list[str]]:
    lines = io.StringIO(text, newline="")
    return [row for row in csv.reader(lines, delimiter=delimiter, strict=True) if row]


@st.composite
def sheets(draw: st.DrawFn) -> tuple[str, str]:
    """A text as the csv module writes it, and its delimiter."""
    delimiter = draw(DELIMITERS)
    columns = draw(st.integers(2, 5))
    rows = draw(st.lists(st.lists(CELLS, min_size=columns, max_size=columns), min_size=3))
    out = io.StringIO(newline="")
    writer = csv.writer(
        out,
        delimiter=delimiter,
        lineterminator=draw(st.sampled_from(["\n", "\r\n"])),
        quoting=draw(st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL])),
    )
    writer.writerows([[f"name {at}" for at in range(columns)], *rows])
    text = out.getvalue()
    return text if draw(st.booleans()) else text.rstrip("\r\n"), delimiter


@pytest.mark.parametrize("name", NOT_CSV)
def test_other_text_is_not_csv(name: str) -> None:
    assert read(NOT_CSV[name]) is None


@given(sheet=sheets(), share=SHARES)
def test_kept_records_stay_whole_under_the_header(sheet: tuple[str, str], share: float) -> None:
    text, delimiter = sheet
    assume(read(text) is not None)
    limit = limit_for(text, share)

    done = cut(text, limit)

    assert len(done.text) <= limit
    header, *source = parsed(text, delimiter)
    (part,) = done.account.parts
    gone = {at for low, high in part.left_out for at in range(low, high + 1)}
    assert part.produced == len(source) == part.delivered + len(gone)
    notice = f"# {done.notice}"
    assert notice in done.text
    first, *kept = parsed(
        done.text.replace(notice, "", 1).replace("\r\n\r\n", "\r\n", 1), delimiter
    )
    assert first == header
    assert len(kept) == part.delivered
    if not part.shortened:
        assert kept == [row for at, row in enumerate(source) if at not in gone]
    assert all(len(row) == len(header) for row in kept)


@given(sheet=sheets(), share=SHARES, again=SHARES)
def test_a_second_smaller_cut_keeps_one_notice_and_the_first_total(
    sheet: tuple[str, str], share: float, again: float
) -> None:
    text, delimiter = sheet
    assume(read(text) is not None)
    once = cut(text, limit_for(text, share)).text
    twice = cut(once, max(80, round(len(once) * again)))

    assert twice.text.count("# Cut") <= 1
    assert f" of {len(parsed(text, delimiter)) - 1} records" in twice.notice


@given(sheet=sheets(), share=SHARES)
def test_below_its_floor_only_the_header_stays_or_nothing(
    sheet: tuple[str, str], share: float
) -> None:
    text, _ = sheet
    assume(read(text) is not None)
    floor = cut(text, 1).account.floor
    limit = max(1, round((floor - 1) * share))

    done = cut(text, limit)

    header = text.split("\n", 1)[0]
    assert done.text == (header if len(header) <= limit else "")
    assert done.account.below_floor == (done.text == "")


def test_records_are_counted_not_lines() -> None:
    rows = "".join(f'{at},"one\ntwo ""quoted"", three",x\n' for at in range(40))

    done = cut("id,note,more\n" + rows, 400)

    assert done.account.parts[0].produced == 40
    assert " of 40 records" in done.notice


def test_numbers_and_rare_words_stand_out() -> None:
    rows = [f"{at},paid,{10 + at % 7}\n" for at in range(300)]
    rows[111] = "111,fraud,12\n"
    rows[222] = "222,paid,98231\n"

    done = cut("id,status,amount\n" + "".join(rows), 300)

    assert "111,fraud,12\n" in done.text
    assert "222,paid,98231\n" in done.text


def test_what_the_caller_wants_is_kept() -> None:
    text = "id;status\n" + "".join(f"{at};ok\n" for at in range(300))

    assert "\n177;ok\n" in cut(text, 120, keep=["id=177"]).text


def test_a_byte_order_mark_stays_in_front() -> None:
    text = "\ufeffid,status\n" + "".join(f"{at},ok\n" for at in range(90))

    done = cut(text, 120)

    assert done.text.startswith("\ufeffid,status\n# Cut")


def test_few_ragged_records_stay_as_they_are_and_many_make_it_no_csv() -> None:
    rows = [f"{at},ok\n" for at in range(60)]
    rows[0] = "0,ok,more\n"
    text = "id,status\n" + "".join(rows)

    assert "\n0,ok,more\n" in cut(text, 120).text
    assert read("id,status\n" + "".join(["1,ok,more\n", "2,ok\n"] * 30)) is None


def test_a_record_that_ends_inside_quotes_is_left_out_and_said() -> None:
    text = "id,note\n" + "".join(f"{at},ok\n" for at in range(60)) + '60,"not the'

    done = cut(text, 150)

    assert "last record torn" in done.notice
    assert "not the" not in done.text
    assert [one.check for one in done.findings] == ["cut-upstream"]
    assert "last record torn" in cut(done.text, 100).notice


def test_a_long_field_is_shortened_inside_its_quotes() -> None:
    long = 'say ""hi"", ' * 500
    text = "id,note\n" + "".join(f'{at},"{long}"\n' for at in range(3))

    done = cut(text, 900)

    _, _, *rows = parsed(done.text)
    assert [len(row) for row in rows] == [2, 2, 2]
    assert all(row[1].endswith("of 5000 characters]") for row in rows)


@pytest.mark.parametrize(
    "text",
    [
        ",".join(f"name{at}" for at in range(10**5)) + "\n" + (",".join("1" * 10**5) + "\n") * 5,
        "id,note\n" + f"1,{'x' * 10**6}\n" * 4,
        'id,note\n1,"' + "x,y\n" * 10**5,
        "id,note\n" + '1,"a" b\n' * 10**5,
        '"' * 10**6,
        "," * 10**6,
    ],
    ids=["columns", "a field", "an open quote", "junk after quotes", "quotes", "commas"],
)
def test_hostile_text_is_read_in_bounded_time(text: str) -> None:
    layout = read(text)

    assert layout is None or len(cut(text, 2000).text) <= 2000


TABBED = st.lists(
    st.tuples(
        st.integers(0, 9).map(str),
        st.text("abc 1,;\"'é👩", max_size=9) | st.just("x" * 300),
        st.text("xyz", max_size=5),
    ),
    min_size=5,
    max_size=40,
)


@given(rows=TABBED, share=SHARES)
def test_without_a_header_lines_of_as_many_tabs_stay_whole(
    rows: list[tuple[str, ...]], share: float
) -> None:
    text = "".join("\t".join(row) + "\n" for row in rows)
    floor = ullage.cut(text, chars(1)).account.floor + 30
    assume(floor < len(text) and read(text) is not None)
    limit = floor + round((len(text) - 1 - floor) * share)
    done = ullage.cut(text, chars(limit))

    assert (done.account.format, len(done.text) <= limit) == ("csv", True)
    notice, *kept = done.text.removesuffix("\n").split("\n")
    assert notice == f"# {done.notice}"
    whole = [line for line in kept if " characters]" not in line]
    assert all(line.count("\t") == 2 for line in kept)
    assert set(whole) <= set(text.split("\n"))
    (part,) = done.account.parts
    assert part.produced == len(rows)
    assert part.delivered == len(kept)
    assert ullage.cut(done.text, chars(limit)).text == done.text


def test_a_far_number_without_a_header_stays() -> None:
    text = "".join(f"{at}\tname\t{at % 7 if at != 88 else 90000}\n" for at in range(200))

    assert "88\tname\t90000\n" in ullage.cut(text, chars(500)).text
