"""How far long work has come, at a fixed width; and what Ctrl-C leaves."""

import subprocess
import sys
from io import StringIO
from itertools import count

import pytest
from rich.console import Console

from ullage.cli.progress import counted, progress, reached, stopped_by_hand


def terminal() -> Console:
    return Console(file=StringIO(), width=60, force_terminal=True, color_system=None)


def drawn(console: Console) -> str:
    assert isinstance(console.file, StringIO)
    return console.file.getvalue()


def test_a_step_moves_the_line_and_says_what_was_found() -> None:
    console, seconds = terminal(), count()
    with progress("Reading", 3_000, console=console, timer=lambda: float(next(seconds))) as step:
        step(1_500, "2 sessions")
        step(1_500, "4 sessions")

    assert "Reading ━━━━━━━━━━           1.5 kB of 3.0 kB, 2 sessions" in drawn(console)
    assert "3.0 kB of 3.0 kB, 4 sessions" in drawn(console)


def test_the_line_is_gone_at_the_end() -> None:
    console = terminal()
    with progress("Reading", 10, console=console):
        pass

    assert drawn(console).endswith("\x1b[2K")


def test_small_steps_are_drawn_together() -> None:
    console = terminal()
    seconds = count()

    def timer() -> float:
        return next(seconds) / 50

    with progress("Reading", 20, unit="files", console=console, timer=timer) as step:
        for _ in range(20):
            step()

    assert 2 < drawn(console).count("of 20 files") < 8


def test_where_stderr_is_no_terminal_nothing_is_written(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert list(counted([1, 2], "Reading", total=2)) == [1, 2]
    assert capsys.readouterr() == ("", "")


def test_quiet_work_writes_nothing_to_a_terminal_either() -> None:
    console = terminal()
    with progress("Reading", 10, quiet=True, console=console) as step:
        step(5)

    assert drawn(console) == ""


@pytest.mark.parametrize(
    ("done", "total", "unit", "words"),
    [
        (0, None, "records", "0 records"),
        (12, 40, "files", "12 of 40 files"),
        (999, 1_000, "bytes", "999 bytes of 1.0 kB"),
        (1_500_000, None, "bytes", "1.5 MB"),
        (2_000_000_000_000_000, None, "bytes", "2000.0 TB"),
    ],
)
def test_how_far_it_has_come_is_said_in_its_unit(
    done: int, total: int | None, unit: str, words: str
) -> None:
    assert reached(done, total, unit) == words  # type: ignore[arg-type]  # a table of plain words


def test_ctrl_c_says_what_was_done_and_goes_on_to_end_the_program(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with (
        pytest.raises(KeyboardInterrupt),
        stopped_by_hand(lambda: "3 of 9 records are in a.ledger"),
    ):
        raise KeyboardInterrupt

    assert capsys.readouterr().err == "ullage: stopped by Ctrl-C: 3 of 9 records are in a.ledger\n"


def test_a_command_without_a_terminal_loads_no_progress_bar() -> None:
    code = (
        "import sys; from ullage.cli.progress import progress\n"
        "with progress('Reading', 1) as step: step()\n"
        "print('rich.progress' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout == "False\n"
