"""What no rule takes out of a result: stacks, codes, the end of the error output, names."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.history import failures
from tests.history.by_hand import asked, pieces_of, said, told, units

from ullage.history.guard import guard_of
from ullage.history.never.codes import codes_in
from ullage.history.never.names import FEW, hashes_in
from ullage.history.never.stacks import stacks_in
from ullage.history.never.stderr import tail_in
from ullage.transcript.message import Message

GONE = "[ullage: 40 of 41 lines; rule long-tails; call the tool again to have it]"


def completed(result: str, *more: Message, failed: bool = False, text: str = GONE) -> str:
    """Return what is left of a result that is followed by other messages."""
    pieces = pieces_of(asked("c0"), told("c0", result), *more, failed=failed)
    return guard_of(pieces, units(pieces), keep_turns=0).completed(1, text)


@pytest.mark.parametrize("stack", failures.ALL.values(), ids=failures.ALL)
def test_a_stack_is_found_whole(stack: str) -> None:
    assert stacks_in(failures.among(stack)) == (stack,)


@pytest.mark.parametrize("stack", failures.ALL.values(), ids=failures.ALL)
def test_a_stack_stays_word_for_word(stack: str) -> None:
    assert stack in completed(failures.among(stack))


def test_the_failures_of_a_test_report_are_stacks() -> None:
    assert stacks_in(failures.REPORT) == (failures.PYTEST,)


def test_a_stack_inside_json_is_found() -> None:
    result = json.dumps({"stdout": "", "stderr": failures.among(failures.PYTHON)})

    assert stacks_in(result) == (failures.PYTHON,)
    assert failures.PYTHON in completed(result)


def test_a_stack_that_stands_escaped_in_the_new_text_is_not_put_in_again() -> None:
    text = json.dumps({"_ullage": "Cut: 1 of 9.", "stderr": failures.NODE})

    done = completed(json.dumps({"stderr": failures.NODE, "rows": "x" * 900}), text=text)

    assert failures.NODE not in done


def test_coloured_output_hides_no_stack() -> None:
    first, _, rest = failures.NODE.partition("\n")
    coloured = f"\x1b[31m{first}\x1b[0m\n{rest}"

    assert stacks_in(failures.among(coloured)) == (coloured,)


def test_words_before_a_traceback_hide_it_not() -> None:
    stack = f"Code output: {failures.PYTHON}"

    assert stacks_in(failures.among(stack)) == (stack,)


@pytest.mark.parametrize(
    "text",
    [
        "2026-01-02 10:00:00 ERROR could not load row 7\n",
        "src/a.c:3:5: warning: unused variable 'x'\n    3 |     int x;\n",
        "0 errors, no failures\nall good\n",
        "- meet at noon\n  at the station\n",
    ],
)
def test_what_is_no_failure_is_no_stack(text: str) -> None:
    assert stacks_in(text) == ()


def test_repeats_fold_to_the_first_of_the_history() -> None:
    log = failures.among(failures.JAVA)
    pieces = pieces_of(
        asked("a"), told("a", log), asked("b"), told("b", log), asked("c"), told("c", log)
    )
    guard = guard_of(pieces, units(pieces), keep_turns=0)

    assert failures.JAVA in guard.completed(1, GONE)
    assert "same failure as in message 1 (2 times): " in guard.completed(3, GONE)
    assert "same failure as in message 1 (3 times): Caused by: " in guard.completed(5, GONE)
    assert failures.JAVA not in guard.completed(5, GONE)


@pytest.mark.parametrize("stack", [failures.PYTHON, failures.JAVA, failures.NODE, failures.RUSTC])
def test_the_time_of_the_line_before_makes_no_other_failure(stack: str) -> None:
    log = "".join(f"2026-01-02 10:00:0{second} ERROR no row\n{stack}\n" for second in range(3))

    assert stacks_in(log) == (stack, stack, stack)


def test_repeats_in_one_result_are_counted() -> None:
    done = completed(failures.among(failures.GCC) * 3)

    assert done.count(failures.GCC) == 1
    assert "same failure 3 times" in done


def test_a_later_message_changes_no_count_of_an_earlier_one() -> None:
    log = failures.among(failures.GO)
    few = pieces_of(asked("a"), told("a", log), asked("b"), told("b", log))
    more = (*few, *pieces_of(asked("c"), told("c", log)))

    assert guard_of(few, units(few), keep_turns=0).completed(3, GONE) == guard_of(
        more, units(more), keep_turns=0
    ).completed(3, GONE)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("error[E0308]: mismatched", "E0308"),
        ("ORA-00942: table or view does not exist", "ORA-00942"),
        ("a.ts(1,2): error TS2322: no", "TS2322"),
        ("LINK : fatal error LNK1104: cannot open", "LNK1104"),
        ("connect ECONNREFUSED 127.0.0.1:5432", "ECONNREFUSED"),
        ("request failed with status code 503", "status code 503"),
        ("HTTP/1.1 502 Bad Gateway", "HTTP/1.1 502 Bad Gateway"),
        ('{"exit_code": 137, "output": ""}', "exit_code: 137"),
        ("Process exited with code 2", "exited with code 2"),
        ("exit status 1", "exit status 1"),
        ("psycopg: SQLSTATE 42P01", "SQLSTATE 42P01"),
        ("Error [ERR_MODULE_NOT_FOUND]: Cannot find", "ERR_MODULE_NOT_FOUND"),
        ("killed by SIGKILL", "SIGKILL"),
    ],
)
def test_a_code_stays(text: str, code: str) -> None:
    assert code in codes_in(text)
    assert code in completed(f"{text}\n" + "line\n" * 40)


def test_ids_that_look_like_codes_are_none() -> None:
    assert codes_in("ORD-0001 shipped\nPROJ-1234 closed\n200 rows, 503 columns\n") == ()


@pytest.mark.parametrize(
    "text",
    [
        json.dumps({"stdout": "ok " * 99, "stderr": "one\ntwo\n\ndisk is full\n"}),
        "<stdout>fine</stdout>\n<stderr>one\ndisk is full\n</stderr>",
        "STDOUT:\nfine\nSTDERR:\none\ndisk is full\n",
        "a lot of lines\n" * 50 + "disk is full\nexit code: 1\n",
    ],
)
def test_the_end_of_the_error_output_stays(text: str) -> None:
    assert "disk is full" in tail_in(text, failed=False)
    assert "disk is full" in completed(text)


def test_the_end_of_a_failed_result_stays() -> None:
    assert "no space left" in completed("line\n" * 40 + "no space left\n", failed=True)
    assert "no space left" not in completed("line\n" * 40 + "no space left\n")


def test_a_long_line_of_the_error_output_says_its_length() -> None:
    assert "(9000 characters)" in completed("x" * 9000, failed=True)


def test_all_paths_of_a_few_stay() -> None:
    done = completed("read src/a.py and docs/b.md\n" * 40)

    assert "paths: src/a.py, docs/b.md" in done


def test_of_many_paths_those_that_failed_or_are_used_stay_and_the_rest_is_counted() -> None:
    lines = [f"ok src/file{number}.py" for number in range(FEW + 30)]
    lines[7] = "FAILED src/file7.py"
    later = asked("c1", '{"path": "src/file31.py"}', name="read")

    done = completed("\n".join(lines), later)

    assert "paths: src/file7.py, src/file31.py; 48 other paths left out" in done


def test_a_listing_that_comes_back_keeps_only_the_paths_that_are_used() -> None:
    placeholder = "[ullage: 9 lines that ls listed; rule listings; call the tool again to have it]"
    later = asked("c1", '{"path": "src/file3.py"}', name="read")

    done = completed(
        "\n".join(f"src/file{number}.py" for number in range(9)), later, text=placeholder
    )

    assert "src/file3.py" in done
    assert "src/file4.py" not in done
    assert "left out" not in done


def test_commits_stay() -> None:
    full = "0a1b2c3d4e" * 4

    done = completed(f"commit {full}\nAuthor: nobody\n" + "[main 1a2b3c4] Add a test\n")

    assert full in done
    assert "1a2b3c4" in done


def test_the_short_hashes_of_a_log_are_commits() -> None:
    assert list(hashes_in("1a2b3c4 Add a test\n5d6e7f8 Mend it\ndefaced word\n")) == [
        "1a2b3c4",
        "5d6e7f8",
    ]


def test_of_many_commits_those_that_are_used_stay() -> None:
    log = "\n".join(f"{number:06x}a Change {number}" for number in range(100, 200))
    later = asked("c1", '{"command": "git show 0000aaa"}')

    done = completed(log, later)

    assert "commits: 0000aaa; 99 other commits left out" in done


@pytest.mark.parametrize(
    "arguments",
    ['{"id": "ord-7731"}', '{"command": "get --id=ord-7731 -v"}', '{"ids": ["x", "ord-7731"]}'],
)
def test_an_id_that_a_later_call_uses_stays(arguments: str) -> None:
    orders = "\n".join(f"ord-{number} shipped" for number in range(7700, 7760))

    done = completed(orders, asked("c1", arguments))

    assert "used later: ord-7731" in done
    assert "ord-7732" not in done


def test_a_figure_in_the_arguments_is_an_id() -> None:
    rows = json.dumps([{"id": number} for number in range(41000, 41020)])

    assert "used later: 41007" in completed(rows, asked("c1", '{"id": 41007}'))


def test_what_an_earlier_call_used_is_no_id() -> None:
    pieces = pieces_of(asked("c0", '{"id": "ord-7731"}'), told("c0", "ord-7731 shipped " * 9))

    assert guard_of(pieces, units(pieces), keep_turns=0).completed(1, GONE) == GONE


def test_a_text_that_lacks_nothing_is_left_as_it_is() -> None:
    assert completed("line\n" * 40) == GONE


@given(st.lists(st.sampled_from(list(failures.ALL.values())), min_size=1, max_size=4))
def test_completing_twice_is_completing_once(stacks: list[str]) -> None:
    result = "src/a.py\nexit code: 2\n".join(map(failures.among, stacks))

    once = completed(result)

    assert completed(result, text=once) == once


def test_what_one_rule_kept_stays_when_a_second_one_shortens_the_rest() -> None:
    log = failures.among(failures.JAVA)
    first = pieces_of(asked("a"), told("a", log), asked("b"), told("b", f"{log}\nexit code: 3\n"))
    guard = guard_of(first, units(first), keep_turns=0)
    once = guard.completed(3, f"{GONE}\nsome lines\nmore lines")
    again = pieces_of(asked("a"), told("a", log), asked("b"), told("b", once))

    done = guard_of(again, units(again), keep_turns=0).completed(3, GONE)

    assert "same failure as in message 1 (2 times)" in done
    assert "exit code: 3" in done
    assert "some lines" not in done


def test_a_users_stack_is_a_stack() -> None:
    pieces = pieces_of(said("user", f"It fails:\n{failures.RUST}"))

    assert guard_of(pieces, units(pieces)).stacks(0) == (failures.RUST,)
