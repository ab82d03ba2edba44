"""Copies become results, off the path; what does not is counted."""

import json
import threading

from hypothesis import given
from hypothesis import strategies as st

from ullage.tap.mcp.faults import Faults
from ullage.tap.mcp.recorder import Recorder
from ullage.tap.mcp.results import Produced


class Kept:
    """A recorder with what it kept and what it said."""

    def __init__(self, **bounds: int) -> None:
        self.results: list[tuple[Produced, float]] = []
        self.said: list[str] = []
        self.gate = threading.Event()
        self.gate.set()
        self.broken = False
        self.recorder = Recorder(self.keep, Faults(self.said.append), clock=lambda: 7.0, **bounds)
        self.recorder.start()

    def keep(self, result: Produced, at: float) -> None:
        self.gate.wait()
        if self.broken:
            raise OSError("no space left")
        self.results.append((result, at))

    def finish(self) -> list[str]:
        self.recorder.finish(30)
        return [result.text for result, _ in self.results]


def call(number: int) -> bytes:
    message = {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": {"name": "list"}}
    return json.dumps(message).encode() + b"\n"


def answer(number: int, text: str) -> bytes:
    result = {"content": [{"type": "text", "text": text}]}
    return json.dumps({"jsonrpc": "2.0", "id": number, "result": result}).encode() + b"\n"


@given(texts=st.lists(st.text(), max_size=5), size=st.integers(1, 40))
def test_every_result_is_kept_wherever_the_bytes_are_split(texts: list[str], size: int) -> None:
    kept = Kept()
    for number, text in enumerate(texts):
        for side, line in (("client", call(number)), ("server", answer(number, text))):
            for at in range(0, len(line), size):
                kept.recorder.take("client" if side == "client" else "server", line[at : at + size])
            kept.recorder.wake()

    assert kept.finish() == texts
    assert {at for _, at in kept.results} <= {7.0}
    assert kept.said == []


def test_the_last_line_needs_no_line_end() -> None:
    kept = Kept()
    kept.recorder.take("client", call(1).rstrip())
    kept.recorder.take("client", b"")
    kept.recorder.take("server", answer(1, "x").rstrip())

    assert kept.finish() == ["x"]


def test_a_strange_line_is_said_once_counted_and_not_fatal() -> None:
    kept = Kept()
    kept.recorder.take("client", call(1))
    kept.recorder.take("server", b"Server started\nListening\n\xff\xfe\n" + answer(1, "x"))

    assert kept.finish() == ["x"]
    assert len(kept.said) == 2
    assert kept.said[0].startswith("a line of the server is not JSON-RPC")
    assert kept.said[1].endswith("3 in all")


def test_a_ledger_that_cannot_be_written_is_said_once_with_a_count() -> None:
    kept = Kept()
    kept.broken = True
    for number in range(3):
        kept.recorder.take("client", call(number))
        kept.recorder.take("server", answer(number, "x"))

    assert kept.finish() == []
    assert kept.said == [
        "a result was not recorded: OSError: no space left",
        "a result was not recorded: 3 in all",
    ]


def test_what_a_stuck_recorder_cannot_take_is_counted_and_the_rest_is_kept() -> None:
    kept = Kept(most_waiting=3000)
    kept.gate.clear()
    kept.recorder.take("client", call(0) + call(1) + call(2))
    kept.recorder.take("server", answer(0, "first"))
    kept.recorder.wake()
    for number in (1, 1, 1):  # more than may wait
        kept.recorder.take("server", answer(number, "x" * 1000))
    kept.gate.set()
    while kept.recorder.recorded == 0:
        pass
    kept.recorder.wake()
    while kept.recorder._waiting:
        pass
    kept.recorder.take("server", b'rest of a line"}\n' + answer(2, "last"))

    texts = kept.finish()
    assert texts[0] == "first"
    assert texts[-1] == "last"
    assert "the recorder is behind; passed on, but not recorded" in kept.said


def test_a_line_that_is_too_long_is_passed_over_and_said() -> None:
    kept = Kept(longest_line=500)
    kept.recorder.take("client", call(1) + call(2))
    kept.recorder.take("server", answer(1, "x" * 1000) + answer(2, "short"))

    assert kept.finish() == ["short"]
    assert kept.said == ["a line of the server is too long to be read, and was passed on unread"]


def test_what_is_not_read_in_time_is_said() -> None:
    kept = Kept()
    kept.gate.clear()
    kept.recorder.take("client", call(1))
    kept.recorder.take("server", answer(1, "x"))

    kept.recorder.finish(0.2)
    kept.gate.set()

    assert any("not read in time" in what for what in kept.said)
