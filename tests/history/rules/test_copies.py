"""`identical` and `superseded`: what stands in the history a second time, or is out of date."""

import pytest
from tests.history.rules.histories import Did, at, elide, history, ran, read
from tests.history.rules.outputs import listing, source


def test_of_equal_results_of_one_call_the_newest_stays() -> None:
    pieces = history(*(ran("make status", source(8)) for _ in range(3)))

    found = elide(pieces, "identical")

    assert [one.index for one in found] == [2, 4]
    assert "rule identical" in found[0].text


def test_of_equal_failures_the_first_stays() -> None:
    failure = f"{source(8)}\nValueError: the quay is too short"
    pieces = history(*(ran("make test", failure, failed=True) for _ in range(3)))

    found = elide(pieces, "identical")

    assert [one.index for one in found] == [4, 6]
    assert "the same as the earlier result of" in found[0].text


def test_a_placeholder_of_identical_says_where_the_text_is() -> None:
    pieces = history(ran("make status", source(8)), ran("make status", source(8)))

    text = at(elide(pieces, "identical"), 2)

    assert text == (
        f"[ullage: {len(source(8))} characters, the same as the newer result of "
        'bash({"command": "make status"}); rule identical; read them there]'
    )


def test_a_long_text_is_the_same_whichever_call_gave_it() -> None:
    pieces = history(ran("cat a", source(30)), Did("show", {"name": "a"}, source(30)))

    assert [one.index for one in elide(pieces, "identical")] == [2]


def test_a_short_text_of_another_call_is_not_the_same() -> None:
    text = source(8)
    assert 240 < len(text) < 600
    pieces = history(ran("one", text), ran("two", text))

    assert elide(pieces, "identical") == []


def test_arguments_in_another_order_are_the_same_call() -> None:
    text = source(8)
    pieces = history(
        Did("look", {"where": "a", "deep": 1}, text), Did("look", {"deep": 1, "where": "a"}, text)
    )

    assert [one.index for one in elide(pieces, "identical")] == [2]


def test_a_result_that_changed_is_not_the_same() -> None:
    pieces = history(ran("make status", source(20)), ran("make status", source(21)))

    assert elide(pieces, "identical") == []


@pytest.mark.parametrize("rule", ["superseded", "listings", "chatter", "echoes", "seen-before"])
def test_a_result_that_is_marked_as_an_error_stays(rule: str) -> None:
    pieces = history(
        *(Did("list_files", {"path": "src"}, listing(), failed=True) for _ in range(3))
    )

    assert elide(pieces, rule) == []


def test_an_older_read_of_a_file_is_superseded_by_a_newer() -> None:
    pieces = history(read("src/quay.py", source(40)), read("./src/quay.py", source(44)))

    found = elide(pieces, "superseded")

    assert [one.index for one in found] == [2]
    assert "40 lines" in found[0].text
    assert "src/quay.py" in found[0].text
    assert "the newer read of it stands below" in found[0].text


def test_the_newest_read_of_a_file_stays() -> None:
    pieces = history(*(read("src/quay.py", source(40 + one)) for one in range(4)))

    assert 8 not in [one.index for one in elide(pieces, "superseded")]


def test_a_read_of_another_file_stays() -> None:
    pieces = history(read("src/quay.py", source(40)), read("lib/quay.py", source(44)))

    assert elide(pieces, "superseded") == []


def test_a_part_of_a_file_does_not_supersede_the_whole() -> None:
    part = read("src/quay.py", source(10), offset=1, limit=10)

    assert elide(history(read("src/quay.py", source(40)), part), "superseded") == []


def test_the_whole_file_supersedes_a_part_of_it() -> None:
    part = read("src/quay.py", source(10), offset=1, limit=10)

    found = elide(history(part, read("src/quay.py", source(40))), "superseded")

    assert [one.index for one in found] == [2]


def test_a_read_that_was_cut_on_its_way_does_not_supersede_a_whole_one() -> None:
    cut = read("src/quay.py", source(10) + "\n[30 more lines truncated]")

    assert elide(history(read("src/quay.py", source(40)), cut), "superseded") == []


def test_a_file_that_was_written_anew_supersedes_what_was_read_before() -> None:
    wrote = Did("write_file", {"path": "src/quay.py", "content": "x"}, "written")

    found = elide(history(read("src/quay.py", source(40)), wrote), "superseded")

    assert "it was written anew below" in at(found, 2)


def test_a_write_that_failed_supersedes_nothing() -> None:
    wrote = Did("write_file", {"path": "src/quay.py", "content": "x"}, "Error: read-only", True)

    assert elide(history(read("src/quay.py", source(40)), wrote), "superseded") == []


EDIT = Did("edit_file", {"path": "src/mast.py", "old": "a", "new": "b"}, "edited")
PART = read("src/mast.py", source(9), offset=1, limit=9)


def test_the_newest_read_of_a_file_stays_though_it_was_edited() -> None:
    assert elide(history(read("src/mast.py", source(40)), EDIT), "superseded") == []


def test_a_file_as_it_was_before_an_edit_goes_where_it_was_looked_at_again() -> None:
    pieces = history(read("src/mast.py", source(40)), EDIT, PART)

    assert [one.index for one in elide(pieces, "superseded")] == [2]


def test_a_part_that_was_read_before_the_edit_leaves_the_whole() -> None:
    assert elide(history(read("src/mast.py", source(40)), PART, EDIT), "superseded") == []


def test_a_file_that_a_shell_shows_is_a_read() -> None:
    pieces = history(ran("cat src/quay.py", source(40)), read("src/quay.py", source(44)))

    assert [one.index for one in elide(pieces, "superseded")] == [2]


def test_a_tool_for_edits_that_only_shows_a_file_reads_it() -> None:
    def shows(text: str) -> Did:
        return Did("str_replace_editor", {"command": "view", "path": "src/quay.py"}, text)

    found = elide(history(shows(source(40)), shows(source(44))), "superseded")

    assert [one.index for one in found] == [2]


def test_a_tool_that_names_its_act_in_its_arguments_is_understood() -> None:
    def acts(command: str, text: str) -> Did:
        return Did("file_tool", {"command": command, "path": "src/quay.py"}, text)

    pieces = history(acts("view", source(40)), acts("create", "made"))

    assert [one.index for one in elide(pieces, "superseded")] == [2]
