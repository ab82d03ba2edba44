"""Cutting diffs: every file keeps its header and a fair share of its hunks."""

import os
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ullage.cutter import diff
from ullage.cutter.blocks import cut_blocks
from ullage.cutter.budget import chars
from ullage.cutter.keep import Keep
from ullage.cutter.values import Cut

SHARED = Path(os.environ.get("ULLAGE_SHARED", "../shared"))
SHORT = re.compile(r"… \[\d+ of \d+ characters\]$")
MARK = re.compile(r"# … \[(\d+) of (\d+) lines of this hunk\]")


def hunk(at: int, context: int, sign: str = "x") -> str:
    around = [f" {sign} context {at + one}" for one in range(context)]
    half = context // 2
    lines = [*around[:half], f"-{sign}_old()", f"+{sign}_new(limit=None)", *around[half:]]
    return "\n".join([f"@@ -{at},{context + 1} +{at},{context + 1} @@ def f():", *lines])


def git_file(name: str, *hunks: str) -> str:
    head = (
        f"diff --git a/{name} b/{name}\nindex 1111111..2222222 100644\n--- a/{name}\n+++ b/{name}"
    )
    return "\n".join([head, *hunks])


def cut_diff(text: str, limit: int) -> Cut | None:
    """Cut a diff as `cut` does; None where it fits or is no diff."""
    layout = diff.read(text) if len(text) > limit else None
    if layout is None:
        return None
    return cut_blocks(layout, text, chars(limit), keep=Keep(), inside=True)


def delivered(text: str, limit: int) -> str:
    done = cut_diff(text, limit)
    assert done is not None, "not a diff, or it fits"
    assert len(done.text) <= limit
    return done.text


def paths(text: str) -> list[str]:
    layout = diff.read(text)
    assert layout
    return [block.path for block in layout.blocks]


NAMES = ["a/notes.md", "docs/guide.md", "lib/cache.py", "src/build.py", "tests/test_build.py"]
FILES = "\n".join(git_file(name, hunk(1, 60, name[:3])) for name in NAMES)


def test_every_changed_file_keeps_its_header_and_its_changed_lines() -> None:
    text = delivered(FILES, 2500)
    for name in NAMES:
        assert f"+++ b/{name}" in text
        assert f"-{name[:3]}_old()\n+{name[:3]}_new(limit=None)" in text


def test_a_shortened_hunk_says_so_on_a_line_after_it() -> None:
    text = delivered(FILES, 2500)
    marks = MARK.findall(text)
    assert len(marks) == len(NAMES)
    body = text.split("@@ def f():\n")[1].split("\n# …")[0]
    assert (str(body.count("\n") + 1), "62") == marks[0]


def test_the_notice_is_a_comment_before_the_first_file() -> None:
    first, second = delivered(FILES, 2500).split("\n")[:2]
    assert first.startswith("# Cut")
    assert second.startswith("diff --git")


def test_a_part_is_a_file_and_its_records_are_whole_hunks() -> None:
    text = git_file("src/a.py", *(hunk(at * 100, 6) for at in range(40)))
    done = cut_diff(text, 1200)
    assert done
    (part,) = done.account.parts
    assert (part.path, part.unit, part.produced) == ('$["src/a.py"]', "records", 40)
    kept = re.split(r"\n(?=@@)", done.text)[1:]
    assert len(kept) == part.delivered
    assert all(one in text for one in kept)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("--- a/x.c\t2026-01-01\n+++ b/x.c\t2026-01-02\n@@ -1 +1 @@\n-a\n+b", "x.c"),
        ("--- old/x.c\n+++ new/x.c\n@@ -1 +1 @@\n-a\n+b", "new/x.c"),
        ("diff --git a/x b/y\nsimilarity index 100%\nrename from x\nrename to y", "y"),
        ("diff --git a/x.sh b/x.sh\nold mode 100644\nnew mode 100755", "x.sh"),
        (
            "diff --git a/p.png b/p.png\nindex 1..2\nBinary files a/p.png and b/p.png differ",
            "p.png",
        ),
        (
            "diff --git a/x b/x\ndeleted file mode 1\n--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-a",
            "x",
        ),
        ("diff --cc x\nindex 1,2..3\n--- a/x\n+++ b/x\n@@@ -1,1 -1,1 +1,1 @@@\n- a\n -b\n++c", "x"),
        (
            "Index: x.c\n"
            + "=" * 67
            + "\n--- x.c\t(revision 1)\n+++ x.c\t(copy)\n@@ -1 +1 @@\n-a\n+b",
            "x.c",
        ),
    ],
)
def test_each_kind_of_file_header_is_read_with_its_name(text: str, name: str) -> None:
    layout = diff.read(text)
    assert layout
    (block,) = layout.blocks
    assert name in block.path


def test_a_missing_newline_at_the_end_belongs_to_its_hunk() -> None:
    text = git_file(
        "x", "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n\\ No newline at end of file"
    )
    layout = diff.read(text + "\n" + git_file("y", hunk(1, 2)))
    assert layout
    assert [len(block.records) for block in layout.blocks] == [1, 1]


def test_removed_lines_that_look_like_a_header_stay_in_their_hunk() -> None:
    text = "--- x\n+++ y\n@@ -1,3 +1,3 @@\n a\n--- old\n+++ new\n b\n"
    assert len(paths(text)) == 1


def test_a_binary_patch_is_kept_whole_or_left_out() -> None:
    data = "\n".join(["GIT binary patch", "literal 999", *["zcmV" + "x" * 60] * 30, ""])
    text = f"diff --git a/p.png b/p.png\nindex 1..2 100644\n{data}\n{git_file('y', hunk(1, 60))}"
    cut = delivered(text, 1000)
    assert "zcmV" not in cut
    assert "diff --git a/p.png" in cut


def test_the_header_of_a_commit_is_a_part_of_its_own() -> None:
    commits = "\n".join(
        f"commit {at}\nAuthor: A <a@b.test>\n\n    Fix {at}\n\n{git_file('src/a.py', hunk(1, 20))}"
        for at in range(3)
    )
    assert paths(commits) == [
        '$["between the files"]',
        '$["src/a.py"]',
        '$["between the files #2"]',
        '$["src/a.py #2"]',
        '$["between the files #3"]',
        '$["src/a.py #3"]',
    ]


def test_of_more_files_than_fit_the_first_and_the_last_keep_their_headers() -> None:
    many = "\n".join(git_file(f"src/file_{at}.py", hunk(1, 8)) for at in range(300))
    text = delivered(many, 3000)
    assert "src/file_0.py" in text
    assert "src/file_299.py" in text


def test_a_second_smaller_cut_keeps_one_notice_and_the_first_totals() -> None:
    text = "\n".join(git_file(n, *(hunk(at * 90, 9) for at in range(30))) for n in ("a.py", "b.py"))
    once = delivered(text, 3000)
    twice = delivered(once, 1200)
    assert twice.count("# Cut") == 1
    assert '$["a.py"]' in twice
    assert twice.split("\n")[0].count("of 30 records") == 2


def test_a_shortened_hunk_shortened_again_keeps_its_first_total() -> None:
    text = delivered(delivered(FILES, 2500), 1700)
    assert {total for _, total in MARK.findall(text)} == {"62"}


def test_crlf_diffs_are_diffs() -> None:
    assert len(paths(FILES.replace("\n", "\r\n"))) == len(NAMES)


LINES = st.sampled_from(
    [
        *("diff --git a/x b/x", "index 1..2 100644", "--- a/x", "+++ b/x", "@@ -1,2 +1,2 @@"),
        *("@@ -5 +5 @@ f", " a", "-b", "+c", "", "\\ No newline at end of file", "commit 1"),
        *("Binary files a/x and b/x differ", "rename to z", "# … [1 of 3 lines of this hunk]"),
    ]
)
DIFFS = st.lists(LINES, max_size=40).map(
    lambda lines: "\n".join(["diff --git a/y b/y", *lines])
) | st.sampled_from([FILES, FILES + "\n"])


@given(text=DIFFS, share=st.floats(0, 1))
def test_a_cut_is_within_budget_and_adds_up_and_is_stable(text: str, share: float) -> None:
    limit = max(1, round(len(text) * share))
    done = cut_diff(text, limit)
    if done is None:
        return
    assert len(done.text) <= limit
    for part in done.account.parts:
        left_out = sum(last - first + 1 for first, last in part.left_out)
        assert part.produced == part.delivered + left_out
    assert cut_diff(done.text, limit) is None


@given(text=DIFFS)
def test_every_line_of_a_diff_is_in_a_block(text: str) -> None:
    layout = diff.read(text)
    if layout is None:
        return
    blocks = [one for block in layout.blocks for one in (block.head, *block.records)]
    assert "\n".join(one for one in blocks if one is not None) == text.removesuffix("\n")


@given(text=DIFFS, share=st.floats(0, 1))
def test_kept_lines_are_lines_of_the_source_in_their_order(text: str, share: float) -> None:
    done = cut_diff(text, max(1, round(len(text) * share)))
    if done is None:
        return
    source = iter(text.split("\n"))
    for line in done.text.split("\n")[1:]:
        assert MARK.fullmatch(line) or SHORT.search(line) or any(line == one for one in source), (
            line
        )


@pytest.mark.parametrize(
    "text",
    [
        "--- \nname: a\n---\nname: b",
        "- removed\n+ added\n text",
        "# Title\n\nSome text about a diff:\n\n```diff\n- a\n+ b\n```",
        '{"diff": "--- a"}',
        "a,b\n1,2",
        "[132] RootWebArea",
        "12:00:00 INFO diff --git a/x b/x",
        "",
    ],
)
def test_other_text_is_not_a_diff(text: str) -> None:
    assert diff.read(text) is None


@pytest.mark.parametrize(
    "text",
    [
        git_file("x", *["@@ -1,2 +1,2 @@\n-a\n+b\n c"] * 20_000),
        "\n".join(git_file(f"x{at}", "@@ -1 +1 @@\n-a\n+b") for at in range(5_000)),
        git_file("x", "@@ -1,60000 +1,60000 @@\n" + "\n".join([" c", "-a", "+b"] * 20_000)),
        git_file("x", "@@ -1 +1 @@\n-a\n+" + "x" * 5_000_000),
    ],
    ids=["many hunks", "many files", "long hunk", "long line"],
)
def test_hostile_diffs_are_cut_in_bounded_time(text: str) -> None:
    delivered(text, 6000)


def test_the_reported_diff_keeps_its_late_files() -> None:
    source = SHARED / "cases/23-diff-alphabetical/input.diff"
    if not source.exists():
        pytest.skip(f"{source} is not here")
    text = delivered(source.read_text(encoding="utf-8"), 3000)
    for want in ("src/booking/build.py", "+build_new(limit=None)", "tests/test_build.py"):
        assert want in text
    assert "+tbuild_check()" in text
