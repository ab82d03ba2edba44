"""A scan's time grows with what it reads: four times of it takes four times as long, or so."""

import time
from collections.abc import Callable, Sequence

import pytest
from tests.checks.exchanges import CHAT, asked, chat, exchange, system, user
from tests.checks.sessions import calls, gives
from tests.checks.sessions import user as says_user

from ullage.checks.measure import measure_exchanges
from ullage.checks.scan import Scanning
from ullage.transcript.served import Usage
from ullage.transcript.transcript import Compaction, Entry, Transcript
from ullage.wire.exchange import Exchange

TIMES = 4
MOST = 7
"""So many times as long is no square of four times as much; a shared machine adds its part."""


def turns(count: int, text: str = "row {at} of it") -> list[Entry]:
    """Return as many calls with their results."""
    found = [Entry(message=says_user("go through all files"))]
    for at in range(count):
        asks = calls(f"c{at}", "read_file", path=f"src/file_{at}.py")
        found.append(Entry(message=asks, usage=Usage(input=1_000 + at, output=9)))
        found.append(Entry(message=gives(f"c{at}", text.format(at=at))))
    return found


def session(entries: Sequence[Entry], compactions: Sequence[Compaction] = ()) -> Transcript:
    """Return a session of an agent."""
    return Transcript(session="s", form="test", entries=entries, compactions=compactions)


def compacted(count: int) -> Transcript:
    """Return a session that is compacted after every five calls."""
    at = range(11, 10 * count, 10)
    cuts = [Compaction(at=one, act="trim", after=tuple(range(one - 10, one))) for one in at]
    return session(turns(5 * count), cuts)


def scanned(*transcripts: Transcript) -> None:
    """Judge sessions by all checks."""
    scanning = Scanning()
    for one in transcripts:
        scanning.add_transcript(one)
    scanning.done()


SAVED = "[output truncated: 5000 bytes omitted] full output saved to /tmp/out/file_{at}.txt"
SHAPES: dict[str, Callable[[int], object]] = {
    "messages": lambda count: scanned(session(turns(10 * count))),
    "compactions": lambda count: scanned(compacted(count)),
    "handles": lambda count: scanned(session(turns(5 * count, SAVED))),
    "one long result": lambda count: scanned(session(turns(1, "a word or two; " * 2_000 * count))),
    "space": lambda count: scanned(session(turns(1, "x" + " " * 20_000 * count + "x"))),
    "nesting": lambda count: scanned(session(turns(1, "[" * 200 * count))),
    "sessions": lambda count: scanned(*(compacted(3) for _ in range(count))),
    "conversations": lambda count: judged(list(conversations(count))),
}


def judged(exchanges: list[Exchange]) -> None:
    """Judge the exchanges of one run."""
    Scanning().add_run(measure_exchanges(exchanges))


def conversations(count: int) -> list[Exchange]:
    """Return conversations that are summed up by a request of their own, and then go on."""
    found: list[Exchange] = []

    def ask(answer: str, *messages: object) -> None:
        found.append(exchange(CHAT, asked(*messages), chat(content=answer), len(found) + 1))

    for at in range(count):
        task = user(f"Task {at}: say what became of order {at}, and of the next.")
        ask(f"I have looked at order {at}, and it was sent on the third of May.", system("s"), task)
        summary = f"Order {at} was sent; what became of the next one is still to be found out."
        ask(summary, system("Sum up."), user(f"{task['content']} It was sent."))
        ask("Both were sent.", system("s"), user(f"So far: {summary}"), user("go on"))
    return found


def seconds(call: Callable[[int], object], count: int) -> float:
    """Return the least processor time of two calls."""
    times = []
    for _ in range(2):
        start = time.process_time()
        call(count)
        times.append(time.process_time() - start)
    return min(times)


@pytest.mark.parametrize("shape", SHAPES)
def test_scanning(shape: str) -> None:
    """Four times of it, against once."""
    call = SHAPES[shape]
    call(20)
    once = seconds(call, 100)
    assert seconds(call, 100 * TIMES) < MOST * max(once, 0.01)
