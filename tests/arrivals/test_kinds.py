"""What free text is made of, kind by kind: what counts as an item, and what as its arrival."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ullage.arrivals.kinds import KindArrival, commands_in, commits_in, kind_arrivals, paths_in
from ullage.arrivals.units import measures


def one_kind(produced: str, delivered: str, kind: str) -> KindArrival:
    (found,) = [one for one in kind_arrivals(produced, delivered) if one.kind == kind]
    return found


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("see src/app/main.py, please", "src/app/main.py"),
        ("error in ./src/a.py:12:5", "./src/a.py"),
        ("src/a.cs(30,5): warning", "src/a.cs"),
        ("docs/x.md#L30 says so", "docs/x.md"),
        ("It is in ~/notes/todo.md.", "~/notes/todo.md"),
        (r'File "C:\Users\x\main.py", line 3', r"C:\Users\x\main.py"),
        (r"src\win\b.cs changed", r"src\win\b.cs"),
        ("'/opt/my dir/x y.log' is full", "/opt/my dir/x y.log"),
        ("**lib/x.rs**", "lib/x.rs"),
        ("(tests/z_test.go)", "tests/z_test.go"),
        ("src/app/[id]/page.tsx:10", "src/app/[id]/page.tsx"),
        ("config=etc/app.toml", "etc/app.toml"),
        ("--- a/src/q.py", "src/q.py"),
        ("修改了 src/中文.py。然后", "src/中文.py"),
        (r"one\nsrc/n.py", "src/n.py"),
    ],
)
def test_a_path_is_read_without_what_stands_around_it(text: str, path: str) -> None:
    assert list(paths_in(text).values()) == [path]


@pytest.mark.parametrize(
    "text",
    [
        "and/or, TCP/IP, 1/2.5",
        "https://example.test/a/b.html",
        "main.py alone",
        "the folder src/app",
        "$ cat src/hidden.py",
        "go test ./services/...",
        r"the pattern \d+\.x",
    ],
)
def test_what_has_no_slash_or_no_extension_is_no_path(text: str) -> None:
    assert list(paths_in(text).values()) == []


def test_a_path_counts_once_and_arrives_inside_a_command_or_below_an_absolute_one() -> None:
    found = one_kind("a/b.py\na/b.py:3\nc/d.py\ne/f.py", "$ cat ./a/b.py; see /r/c/d.py", "paths")

    assert (found.delivered, found.produced, found.missing) == (2, 3, ("e/f.py",))


def test_a_longer_path_is_another_one() -> None:
    assert one_kind("a/b.py", "a/b.pyi and x/a/b.py", "paths").delivered == 0


def test_a_command_stands_behind_its_prompt() -> None:
    text = "$ make test\n~/w$ ls -la\nuser@host:~/w$ git log\ncosts $ 5"

    assert list(commands_in(text).values()) == ["make test", "ls -la", "git log"]


def test_a_command_arrives_as_it_is_and_not_as_a_description() -> None:
    found = one_kind("$ make  test\n$ ls", "Ran `make test`; listed with lsof.", "commands")

    assert (found.delivered, found.produced, found.missing) == (1, 2, ("ls",))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("1,204 rows", "1204 rows"),
        ("1 204 rows", "1_204 rows"),
        ("1.2 s", "1200 ms"),
        ("12ms", "12 milliseconds"),
        ("41,7 MB", "41.7MB"),
        ("3.2%", "3.2 percent"),
        ("120 requests per second", "120 req/s"),
        ("€150", "150 euros"),
        ("p99=88 ms", "(88 ms)"),
        ("提高到 812 毫秒", "812 ms"),
    ],
)
def test_a_measured_value_is_the_same_in_another_spelling(one: str, other: str) -> None:
    assert one_kind(one, other, "numbers").delivered == 1


@pytest.mark.parametrize("other", ["88 s", "8.8 ms", "188 ms", "88", "88 msgs", "v88 ms"])
def test_another_figure_or_unit_is_another_value(other: str) -> None:
    assert one_kind("88 ms", other, "numbers").delivered == 0


@pytest.mark.parametrize(
    "text", ["line 30", "port 8080", "python 3.11", "2024-05-06 12:30", "run #500 hits", "plan 3 b"]
)
def test_a_bare_number_is_no_measured_value(text: str) -> None:
    assert list(measures(text)) == []


def test_a_commit_is_an_id_behind_the_word_and_its_short_form_stands_for_it() -> None:
    text = "commit ef4bfd1e6d\nCommits: abc1234, def5678 and 9999999; commit defaced"

    assert list(commits_in(text)) == ["ef4bfd1e6d", "abc1234", "def5678", "9999999"]
    assert one_kind(text, "last was ef4bfd1 (abc1235)", "commits").delivered == 1


def test_a_text_without_items_has_no_kinds() -> None:
    assert kind_arrivals("nothing of note", "") == ()


TEXTS = st.text(st.sampled_from("ab/\\.:$ '\"`\n0,1ms%-~[]()=#@commit"), max_size=200)


@given(TEXTS)
def test_all_of_a_text_arrives_in_itself(text: str) -> None:
    assert [one.missing for one in kind_arrivals(text, text) if one.missing] == []


@given(TEXTS, TEXTS)
def test_delivered_and_missing_are_what_was_produced(produced: str, delivered: str) -> None:
    for one in kind_arrivals(produced, delivered):
        assert one.delivered + len(one.missing) == one.produced > 0


@given(TEXTS)
def test_nothing_arrives_in_an_empty_text(text: str) -> None:
    assert sum(one.delivered for one in kind_arrivals(text, "")) == 0


@given(st.lists(st.from_regex(r"[a-z]{1,5}/[a-z]{1,5}\.(py|go)", fullmatch=True), max_size=8))
def test_every_listed_path_is_read_once(paths: list[str]) -> None:
    assert list(paths_in("\n".join(f"edited {one}:3" for one in paths)).values()) == list(
        dict.fromkeys(paths)
    )
