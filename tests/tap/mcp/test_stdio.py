"""A command behind the pass-through cannot be told from the command alone."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ullage.errors import UllageError
from ullage.tap.mcp.recorder import Side
from ullage.tap.mcp.stdio import pass_through

# Answers each piece at once, and in bytes of its own making at the end.
ECHO = "import os\nwhile c := os.read(0, 9999): os.write(1, c)\nos.write(1, b'\\xff\\x00end')"
CHUNKS = st.lists(st.binary(min_size=1, max_size=2000), max_size=6)


class Copy:
    """What the recorder would get."""

    def __init__(self) -> None:
        self.got: dict[Side, bytes] = {"client": b"", "server": b""}

    def take(self, side: Side, chunk: bytes) -> None:
        self.got[side] += chunk

    def wake(self) -> None:
        pass


class Ends:
    """The client's ends of two pipes around a command that runs behind the pass-through."""

    def __init__(self, command: Sequence[str]) -> None:
        self.copy = Copy()
        stdin, self.to_server = os.pipe()
        self.from_server, stdout = os.pipe()
        self.all = (stdin, self.to_server, self.from_server, stdout)
        self.codes: list[int] = []
        self.command = command
        self.stdin, self.stdout = stdin, stdout

    def run(self, client: Callable[["Ends"], None]) -> int:
        """Run the command here, in the main thread, and the client beside it."""
        thread = threading.Thread(target=client, args=(self,))
        thread.start()
        try:
            return pass_through(self.command, self.copy, stdin=self.stdin, stdout=self.stdout)
        finally:
            thread.join(30)
            for end in self.all:
                with suppress(OSError):
                    os.close(end)

    def close_input(self) -> None:
        os.close(self.to_server)

    def read_all(self) -> bytes:
        found = b""
        while chunk := os.read(self.from_server, 9999):
            found += chunk
        return found


def python(code: str) -> list[str]:
    return [sys.executable, "-S", "-c", code]


@settings(max_examples=25)
@given(chunks=CHUNKS)
def test_any_bytes_in_any_pieces_are_those_of_the_command_alone(chunks: list[bytes]) -> None:
    found = bytearray()

    def client(ends: Ends) -> None:
        reader = threading.Thread(target=lambda: found.extend(ends.read_all()))
        reader.start()
        for chunk in chunks:
            os.write(ends.to_server, chunk)
        ends.close_input()
        reader.join()

    ends = Ends(python(ECHO))
    code = ends.run(client)
    alone = subprocess.run(python(ECHO), input=b"".join(chunks), capture_output=True)

    assert (bytes(found), code) == (alone.stdout, alone.returncode)
    assert ends.copy.got == {"client": b"".join(chunks), "server": alone.stdout}


def test_nothing_waits_for_a_line_or_a_buffer_to_be_full() -> None:
    answers = []

    def client(ends: Ends) -> None:
        for piece in (b"a", b"bc", b"\n"):
            os.write(ends.to_server, piece)
            answers.append(os.read(ends.from_server, 100))
        ends.close_input()
        ends.read_all()

    Ends(python(ECHO)).run(client)

    assert answers == [b"a", b"bc", b"\n"]


def test_ten_megabytes_pass_in_both_directions() -> None:
    data = bytes(range(256)) * 40_000
    found = bytearray()

    def client(ends: Ends) -> None:
        reader = threading.Thread(target=lambda: found.extend(ends.read_all()))
        reader.start()
        left = memoryview(data)
        while left:
            left = left[os.write(ends.to_server, left) :]
        ends.close_input()
        reader.join()

    Ends(python(ECHO)).run(client)

    assert bytes(found) == data + b"\xff\x00end"


def test_a_client_that_does_not_read_makes_the_server_wait() -> None:
    code = (
        "import os, time\n"
        "os.set_blocking(1, False)\n"
        "n = 0\n"
        "for _ in range(200):\n"
        "    try: n += os.write(1, b'x' * 65536)\n"
        "    except BlockingIOError: time.sleep(0.01)\n"
        "os.set_blocking(1, True)\n"
        "os.write(1, b' %d' % n)\n"
    )
    found = []

    def client(ends: Ends) -> None:
        time.sleep(3)
        found.append(ends.read_all())

    Ends(python(code)).run(client)

    written = int(found[0].split()[1])
    assert found[0] == b"x" * written + b" %d" % written
    assert written < 1_000_000  # of 13 MB; two pipes and one piece is what may stand between


def test_the_end_of_input_is_passed_on() -> None:
    found = []

    def client(ends: Ends) -> None:
        ends.close_input()
        found.append(ends.read_all())

    code = Ends(python("import sys; sys.stdin.read(); print('end'); sys.exit(5)")).run(client)

    assert (found, code) == ([b"end\n"], 5)


def test_a_client_that_is_gone_is_gone_for_the_server_too() -> None:
    code = (
        "import os, time, sys\n"
        "try:\n"
        "    for _ in range(3000): os.write(1, b'x'); time.sleep(0.01)\n"
        "except BrokenPipeError: sys.exit(9)\n"
    )

    def client(ends: Ends) -> None:
        os.read(ends.from_server, 1)
        os.close(ends.from_server)

    assert Ends(python(code)).run(client) == 9


def test_a_server_that_reads_no_more_is_seen_by_the_client() -> None:
    code = (
        "import os, time\nos.close(0)\nos.write(1, b'closed')\ntime.sleep(1)\nos.write(1, b'end')"
    )
    seen = []

    def client(ends: Ends) -> None:
        os.read(ends.from_server, 6)
        try:
            for _ in range(100):
                os.write(ends.to_server, b"x")
                time.sleep(0.01)
        except BrokenPipeError:
            seen.append("broken pipe")
        ends.read_all()

    Ends(python(code)).run(client)

    assert seen == ["broken pipe"]


def test_a_server_that_closes_its_output_and_lives_on_is_seen_at_once(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    code = f"import os, sys\nos.close(1)\nsys.stdin.read()\nopen({str(mark)!r}, 'w').close()"
    alive = []

    def client(ends: Ends) -> None:
        ends.read_all()
        alive.append(not mark.exists())
        ends.close_input()

    Ends(python(code)).run(client)

    assert alive == [True]
    assert mark.exists()


def test_a_server_that_dies_ends_the_pass_through_though_the_client_stays() -> None:
    found = []

    def client(ends: Ends) -> None:
        found.append(ends.read_all())  # stdin stays open

    code = Ends(python("import os, signal; os.write(1, b'x'); os.kill(os.getpid(), 9)")).run(client)

    assert (found, code) == ([b"x"], -9)


def test_what_a_process_behind_the_server_still_writes_is_passed_on() -> None:
    found = []

    def client(ends: Ends) -> None:
        found.append(ends.read_all())

    code = Ends(["sh", "-c", "(sleep 0.5; echo late) & exit 3"]).run(client)

    assert (found, code) == ([b"late\n"], 3)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGUSR1, signal.SIGHUP, signal.SIGINT])
def test_a_signal_reaches_the_server_once(number: signal.Signals) -> None:
    code = (
        "import os, signal, time\n"
        f"signal.signal({int(number)}, lambda n, f: os.write(1, b'got %d;' % n))\n"
        "os.write(1, b'ready;')\n"
        "end = time.monotonic() + 1.5\n"
        "while time.monotonic() < end: time.sleep(0.05)\n"
    )
    found = []

    def client(ends: Ends) -> None:
        first = os.read(ends.from_server, 6)
        os.kill(os.getpid(), number)
        found.append(first + ends.read_all())

    Ends(python(code)).run(client)

    assert found == [b"ready;got %d;" % number]


def test_a_command_that_does_not_exist_is_said() -> None:
    with pytest.raises(UllageError, match="cannot start 'no-such-server'"):
        Ends(["no-such-server"]).run(lambda _: None)
