"""Cutting aligned tables: whole rows under their header."""

from collections.abc import Sequence

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from ullage.cutter.blocks import cut_blocks
from ullage.cutter.budget import chars
from ullage.cutter.keep import Rule, read_rules
from ullage.cutter.table import read
from ullage.cutter.values import Cut

WORDS = st.text("abcdefgh0123456789-./", min_size=1, max_size=14)
SHARES = st.floats(min_value=0, max_value=1)
NOT_A_TABLE = {
    "JSON": '{\n  "a": 1,\n  "b": 2,\n  "c": 3\n}',
    "prose": "The quick brown fox jumps.\nOver it, a lazy dog sleeps.\nNothing else is known.\n"
    * 3,
    "log": "".join(f"2026-01-01 10:00:{at:02d} INFO  web  request {at}\n" for at in range(40)),
    "log that starts with its level": "INFO  main  up\nWARN  db    slow\nINFO  main  down\n" * 9,
    "diff": "--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n one  two\n-a    b\n+b    c\n",
    "Markdown": "# Title\n\n- one  two\n- six  ten\n- two  six\n",
    "Markdown table": "| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n| 5 | 6 |\n",
    "accessibility tree": '[132] link "Home"\n[133] link "Shop"\n[134] link "Cart"\n',
    "YAML": "name: a\nkind: b\nspec:\n  x: 1\n  y: 2\n",
    "code": "def f(a):\n    return a\n\ndef g(b):\n    return b\n\nif x:\n    y = 1\n",
    "key and value": "Name:    web\nStatus:  ok\nNode:    n1\nStart:   now\n",
}
PSQL = (
    " id | name  | total \n----+-------+-------\n"
    + "".join(f" {at:2} | n{at:<4} | {at * 3 % 17:5} \n" for at in range(40))
    + "(40 rows)\n\n"
)
MYSQL = (
    "+----+-------+\n| id | name  |\n+----+-------+\n"
    + "".join(f"| {at:2} | n{at:<4} |\n" for at in range(40))
    + "+----+-------+\n40 rows in set (0.00 sec)\n"
)


def aligned(names: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Lay rows out as kubectl does."""
    widths = [max(map(len, column)) + 3 for column in zip(names, *rows, strict=True)]
    return "".join(
        "".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() + "\n"
        for row in (names, *rows)
    )


def pods() -> str:
    rows = [[f"web-{at:03d}", "1/1", "Running", str(at % 3), f"{3 + at % 4}d"] for at in range(60)]
    rows[17][2] = "CrashLoopBackOff"
    rows[23][3] = "57 (3m ago)"
    return aligned(["NAME", "READY", "STATUS", "RESTARTS", "AGE"], rows)


def cut(text: str, limit: int, keep: Sequence[Rule] = ()) -> Cut:
    layout = read(text)
    assert layout is not None
    return cut_blocks(layout, text, chars(limit), keep=read_rules(keep), inside=True)


@pytest.mark.parametrize("name", NOT_A_TABLE)
def test_other_text_is_no_table(name: str) -> None:
    assert read(NOT_A_TABLE[name]) is None


@settings(max_examples=60)
@given(
    rows=st.lists(st.tuples(WORDS, WORDS, WORDS), min_size=3, max_size=60),
    share=SHARES,
    again=SHARES,
)
def test_kept_rows_stay_whole_under_the_header_however_often_they_are_cut(
    rows: list[tuple[str, ...]], share: float, again: float
) -> None:
    text = aligned(["NAME", "IMAGE ID", "STATUS"], rows)
    floor = cut(text, 1).account.floor
    assume(floor < len(text))
    limit = floor + round((len(text) - 1 - floor) * share)

    done = cut(text, limit)

    assert len(done.text) <= limit
    notice, header, *kept = done.text.removesuffix("\n").split("\n")
    lines = text.removesuffix("\n").split("\n")
    (part,) = done.account.parts
    gone = {at for low, high in part.left_out for at in range(low, high + 1)}
    assert notice == f"[{done.notice.removesuffix('.')}]"
    assert header == lines[0]
    assert kept == [line for at, line in enumerate(lines[1:]) if at not in gone]
    assert part.produced == len(rows) == part.delivered + len(gone)
    if kept:
        twice = cut(done.text, floor + round((len(done.text) - floor) * again))
        assert twice.text.count("[Cut") == 1
        assert f" of {len(rows)} records" in twice.notice


def test_below_its_floor_only_the_header_stays_or_nothing() -> None:
    text = pods()
    header = text.split("\n")[0]

    assert cut(text, len(header)).text == header
    assert cut(text, len(header) - 1).text == ""


def test_a_rare_status_and_a_far_number_are_kept() -> None:
    done = cut(pods(), 600)

    assert "CrashLoopBackOff" in done.text
    assert "57 (3m ago)" in done.text


def test_what_the_caller_wants_is_kept() -> None:
    assert "web-041" in cut(pods(), 400, keep=["NAME=web-041"]).text


@pytest.mark.parametrize("text", [PSQL, MYSQL], ids=["psql", "mysql"])
def test_a_ruled_table_keeps_its_header_its_frame_and_its_footer(text: str) -> None:
    done = cut(text, 400)

    head, _, foot = text.partition("\n  ")[0], None, text.rstrip().rsplit("\n", 1)[1]
    assert head.split("| ")[0] in done.text
    assert done.text.rstrip().endswith(foot)
    assert done.account.parts[0].produced == 40
    assert all(line in text for line in done.text.split("\n")[1:])


def test_a_table_of_rows_between_rules_keeps_its_rules() -> None:
    rule = "+----+-------+\n"
    rows = "".join(f"| {at:2} | n{at:<4} |\n|    | more  |\n{rule}" for at in range(30))
    done = cut(f"{rule}| id | name  |\n{rule}{rows}", 400)

    lines = done.text.split("\n")[4:]
    assert done.account.parts[0].produced == 30
    assert len(lines) % 3 == 1
    assert all(lines[at] == rule.strip() for at in range(2, len(lines) - 1, 3))


def test_several_tables_each_keep_their_header_and_a_share() -> None:
    services = aligned(
        ["NAME", "TYPE", "CLUSTER-IP"], [[f"s{at}", "ClusterIP", f"10.0.0.{at}"] for at in range(9)]
    )
    done = cut(f"{pods()}\n{services}", 900)

    assert "\nNAME      READY" in done.text
    assert "\n\nNAME   TYPE" in done.text
    assert [part.path for part in done.account.parts] == ["$.table_1", "$.table_2"]
    assert all(part.delivered for part in done.account.parts)


@pytest.mark.parametrize(
    "text",
    [
        "total 48\n"
        + "".join(f"-rw-r--r-- 1 root root {at:6} May  1 10:00 f{at}\n" for at in range(90)),
        "USER       PID %CPU COMMAND\n"
        + "".join(
            f"root    {at:6}  0.{at % 10} /bin/sh -c {'x ' * (at % 5)}\n" for at in range(90)
        ),
        "Filesystem     1K-blocks    Used Use% Mounted on\n"
        + "".join(f"/dev/sd{at:<8} {at * 37:8} {at:7} {at:3}% /mnt/{at}\n" for at in range(90)),
        "Package    Version\n---------- -------\n"
        + "".join(f"package{at:<3} 1.0.{at}\n" for at in range(90)),
        "Active Internet connections\nProto Recv-Q Local           State\n"
        + "".join(f"tcp        {at % 2} 10.0.0.1:{at:<6} LISTEN\n" for at in range(90)),
    ],
    ids=["ls", "ps", "df", "pip", "netstat"],
)
def test_what_common_commands_print_is_a_table(text: str) -> None:
    done = cut(text, 700)

    assert done.account.parts[0].produced == 90
    assert done.text.split("\n")[1] == text.split("\n")[0]
    assert " of 90 records" in done.notice


@pytest.mark.parametrize(
    "text",
    [
        "NAME   AGE\n" + f"web    {'x' * 10**6}\n" * 4,
        " ".join(f"C{at}" for at in range(10**5)) + "\n" + (" ".join("1" * 10**5) + "\n") * 5,
        "NAME   AGE\n" + "web    3d\n" * 10**5,
        "-" * 10**6,
        "A\n" * 10**5,
        "A  B\n\n" * 10**5,
    ],
    ids=["a field", "columns", "rows", "a rule", "lines", "paragraphs"],
)
def test_hostile_text_is_read_in_bounded_time(text: str) -> None:
    layout = read(text)

    assert layout is None or len(cut(text, 2000).text) <= 2000


@pytest.mark.parametrize(
    "line", [" " * 10**5 + "a", "\t" * 10**5 + "a", "- " * 10**5 + "a", "-" * 10**5]
)
def test_a_long_line_of_spaces_or_rulers_is_read_in_bounded_time(line: str) -> None:
    assert read(f"NAME  B\n{line}\n") is None
