"""`progress`, `echoes`, `chatter` and `seen-before`: rules that take single lines."""

import json

import pytest
from tests.history.rules.histories import Did, at, elide, history, ran, read
from tests.history.rules.outputs import applied, build, listing, pip_download, satisfied, source


def test_a_download_keeps_its_last_state() -> None:
    text = at(elide(history(ran("pip install tidal-maps", pip_download())), "progress"), 2)

    assert text.startswith("[ullage: 39 of 44 lines (")
    assert "31.0/31.0 MB" in text
    assert text.count("━━━━") == 5
    assert text.endswith("Successfully installed tidal-maps-2.4.1")


def test_a_line_that_was_drawn_again_and_again_keeps_its_first_and_last_state() -> None:
    drawn = "\r".join(f"Unpacking hull {at}%" for at in range(101))
    text = at(elide(history(ran("fetch", f"start\n{drawn}\nend")), "progress"), 2)

    assert "100 redraws folded" in text
    assert text.endswith("start\nUnpacking hull 0%\nUnpacking hull 100%\nend")


def test_layers_that_docker_pulls_are_progress() -> None:
    states = ("Pulling fs layer", "Waiting", "Downloading", "Verifying Checksum", "Pull complete")
    lines = [f"{layer:012x}: {state}" for state in states for layer in range(0xABC0, 0xABCC)]
    pieces = history(ran("docker pull quay", "\n".join([*lines, "Status: ok"])))
    text = at(elide(pieces, "progress"), 2)

    assert len(text.split("\n")) == 1 + len(states) + 1


def test_percentages_that_do_not_rise_are_figures() -> None:
    shares = (91, 40, 77, 12, 66, 30, 85, 9, 51, 70, 22, 64)
    text = "\n".join(f"coverage of all parts: {share}% ({share}/100 lines)" for share in shares)

    assert elide(history(ran("cover", text)), "progress") == []


def test_a_download_that_broke_off_keeps_the_line_that_says_so() -> None:
    broken = pip_download().replace(
        "Installing collected packages: tidal-maps", "ERROR: the download failed at 97%, 1/31 MB"
    )

    text = at(elide(history(ran("pip install tidal-maps", broken, failed=True)), "progress"), 2)

    assert "ERROR: the download failed at 97%" in text


def test_a_state_of_progress_that_tells_of_trouble_stays() -> None:
    states = [f"mirror {at} timed out at {at}% of all, 3 MB/s" for at in range(0, 100, 5)]

    assert elide(history(ran("fetch", "\n".join(states))), "progress") == []


def test_a_file_that_holds_progress_is_contents() -> None:
    assert elide(history(read("notes/pip.log", pip_download())), "progress") == []


def test_lines_are_not_taken_out_of_json() -> None:
    data = json.dumps([{"state": "ok"} for _ in range(60)], indent=1)

    assert elide(history(ran("state", data)), "progress", "echoes", "chatter", "seen-before") == []


def test_what_kubectl_applied_is_counted() -> None:
    (found,) = elide(history(ran("kubectl apply -f quay", applied())), "echoes")

    assert found.text.startswith("[ullage: 40 of 40 lines (")
    assert "kubectl 40" in found.text
    assert found.why == "40 of 40 lines are echoes of 1 kind"


def test_a_line_among_the_echoes_that_is_none_stays() -> None:
    odd = "Warning: quay-3 uses an old version of its schema"
    text = at(elide(history(ran("kubectl apply -f quay", f"{applied()}\n{odd}")), "echoes"), 2)

    assert text.split("\n")[1:] == [odd]


def test_an_apply_that_failed_in_part_stays_whole() -> None:
    error = 'Error from server (Invalid): error when creating "quay/x.yaml": bad name'

    text = f"{applied(80)}\n{error}\n{applied(3)}"
    assert elide(history(ran("kubectl apply -f quay", text)), "echoes") == []


@pytest.mark.parametrize(
    "said", ["exit code: 1", "Exit code 2", '"exit_code": 137', "exited with code 3"]
)
def test_a_command_with_another_exit_code_than_0_is_no_success(said: str) -> None:
    pieces = history(ran("kubectl apply -f quay", f"{applied()}\n{said}"))

    assert elide(pieces, "echoes", "chatter") == []


def test_an_exit_code_of_0_is_a_success() -> None:
    pieces = history(ran("kubectl apply -f quay", f"{applied()}\nexit code: 0"))

    assert len(elide(pieces, "echoes")) == 1


@pytest.mark.parametrize(
    ("command", "line"),
    [
        ("git add -v .", "add 'src/hull/part{}.py'"),
        ("cp -rv a b", "'a/part{}.py' -> 'b/part{}.py'"),
        ("unzip hull.zip", "  inflating: hull/part{}.py"),
        ("rsync -av a/ b/", "hull/deck/part{}.py"),
        ("tar -xvf hull.tar", "hull/deck/part{}.py"),
        ("terraform apply", "dock.quay{}: Refreshing state... [id=quay-{}]"),
        ("ansible-playbook site.yml", "changed: [host{}]"),
        ("sh -x run.sh", "+ mkdir -p hull/part{}"),
    ],
)
def test_each_kind_of_echo_is_known(command: str, line: str) -> None:
    text = "\n".join(line.format(at, at) for at in range(30))

    assert len(elide(history(ran(command, text)), "echoes")) == 1


def test_paths_are_echoes_only_of_a_command_that_was_asked_to_name_them() -> None:
    text = "\n".join(f"hull/deck/part{at}.py" for at in range(30))

    assert elide(history(ran("git ls-files", text)), "echoes") == []


def test_what_was_satisfied_already_is_chatter() -> None:
    text = at(elide(history(ran("pip install -r base.txt", satisfied())), "chatter"), 2)

    assert text.split("\n")[1:] == ["WARNING: pip 31.0 is available; you have 30.2"]


def test_tests_that_passed_are_chatter_and_the_summary_stays() -> None:
    passed = [f"tests/test_quay.py::test_berth_{at} PASSED [{at}%]" for at in range(60)]
    summary = "============ 60 passed in 1.20s ============"
    text = at(elide(history(ran("pytest -v", "\n".join([*passed, summary]))), "chatter"), 2)

    assert text.split("\n")[1:] == [summary]


def test_a_run_in_which_a_test_failed_is_no_chatter() -> None:
    passed = [f"tests/test_quay.py::test_berth_{at} PASSED [{at}%]" for at in range(60)]
    failed = "FAILED tests/test_quay.py::test_berth_61 - AssertionError: 3 != 4"

    assert elide(history(ran("pytest -v", "\n".join([*passed, failed]))), "chatter") == []


def test_prose_is_no_chatter() -> None:
    assert elide(history(ran("notes", source(60))), "chatter", "echoes", "progress") == []


def test_a_log_seen_before_keeps_what_differs() -> None:
    new = "[build] harbour.part9 grew by 4 kB"
    pieces = history(ran("make", build(1)), ran("make", build(2, warning=new)))

    text = at(elide(pieces, "seen-before"), 4)

    assert new in text
    assert "linked module" not in text
    assert 'as the earlier result of bash({"command": "make"}) showed them' in text


def test_logs_of_two_programs_are_not_compared() -> None:
    assert elide(history(ran("make", build(1)), ran("ninja", build(2))), "seen-before") == []


def test_a_page_that_shares_lines_with_another_is_no_log() -> None:
    pieces = history(Did("visit", {"page": 1}, build(1)), Did("visit", {"page": 2}, build(2)))

    assert elide(pieces, "seen-before") == []


def test_a_tool_that_builds_may_have_no_command() -> None:
    pieces = history(Did("run_build", {}, build(1)), Did("run_build", {}, build(2)))

    assert [one.index for one in elide(pieces, "seen-before")] == [4]


def test_the_folder_in_which_a_build_runs_does_not_make_it_another() -> None:
    pieces = history(ran("cd /src && make all", build(1)), ran("make all -j4", build(2)))

    assert [one.index for one in elide(pieces, "seen-before")] == [4]


def test_the_first_log_of_its_kind_stays() -> None:
    pieces = history(ran("make", build(1)), ran("make", build(2)), ran("make", build(3)))

    assert [one.index for one in elide(pieces, "seen-before")] == [4, 6]


def test_numbers_that_are_no_times_make_another_line() -> None:
    first = "\n".join(f"berth {at} holds {at * 7} boxes" for at in range(40))
    second = "\n".join(f"berth {at} holds {at * 9 + 1} boxes" for at in range(40))

    assert elide(history(ran("count", first), ran("count", second)), "seen-before") == []


def test_an_error_that_was_seen_before_stays() -> None:
    error = "ERROR: the crane is stuck\n    at crane.lift(crane.py:7)"
    pieces = history(ran("make", build(1, warning=error)), ran("make", build(2, warning=error)))

    assert error in at(elide(pieces, "seen-before"), 4)


def test_a_file_that_is_shown_again_is_no_log() -> None:
    numbered = "\n".join(f"{at:6}\t{line}" for at, line in enumerate(source(40).split("\n"), 1))

    assert elide(history(ran("show a", numbered), ran("show b", numbered)), "seen-before") == []


def test_the_ending_of_a_log_stays_though_it_was_seen_before() -> None:
    ending = "build succeeded: 12 warnings, 0 errors"
    logs = [f"{build(run)}\n{ending}" for run in (1, 2)]

    assert ending in at(elide(history(*(ran("make", one) for one in logs)), "seen-before"), 4)


def test_a_log_of_which_little_is_known_stays() -> None:
    mixed = f"{listing(100)}\n{build(2)}"

    assert elide(history(ran("make", build(1)), ran("all", mixed)), "seen-before") == []
