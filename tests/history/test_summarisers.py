"""Summarisers behind a URL, a command and a callable: what they answer, and how they fail."""

import asyncio
import socket
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from tests.history.summary_runs import GOOD, HISTORY, REPLACED, Beside
from tests.history.summary_servers import Reply, answering, completion

from ullage.history.drive import drive, drive_async
from ullage.history.summarise import summarised
from ullage.history.summarisers import Given, Messages, summariser_of
from ullage.history.summary import Refusal, Steps, Summary
from ullage.history.summary_settings import SummarySettings
from ullage.probe.script import Plan, Turn
from ullage.probe.script import Refusal as Refused
from ullage.probe.server import ScriptedModel, serving

KEY = "sk-" + "q7Zp4nX9" * 4


def steps() -> Steps:
    return summarised(HISTORY, REPLACED, Beside(), None, SummarySettings())


def in_loop(given: Given) -> Summary | Refusal:
    return asyncio.run(drive_async(steps(), given))


def without_loop(given: Given) -> Summary | Refusal:
    return drive(steps(), given)


Drive = Callable[[Given], Summary | Refusal]
both = pytest.mark.parametrize("end_of", [without_loop, in_loop])


def asked(
    replies: Sequence[Reply], *, timeout: float = 20
) -> tuple[Summary | Refusal, list[float]]:
    """Ask a server, with a key; return the end, and how long was waited before the retry."""
    waited: list[float] = []
    with answering(replies) as (url, _):
        asks = summariser_of(f"{url}?model=m", key=KEY, timeout=timeout, sleep=waited.append)
        return without_loop(asks), waited


@both
def test_a_model_behind_a_url_writes_a_summary(end_of: Drive) -> None:
    with answering([completion(GOOD)]) as (url, got):
        found = end_of(summariser_of(f"{url}?model=small&version=2", key=KEY))
    assert isinstance(found, Summary)
    assert found.text == GOOD
    (request,) = got
    assert request.path == "/v1/chat/completions?version=2"
    assert request.headers["Authorization"] == f"Bearer {KEY}"
    assert request.body["model"] == "small"
    assert request.body["max_tokens"] == SummarySettings().largest_reply
    assert HISTORY[3].message.text in str(request.body["messages"])


def test_the_scripted_model_server_writes_summaries_until_it_is_cut() -> None:
    turns = (Turn(text=GOOD), Turn(text=GOOD, finish_reason="length"))

    async def main(turn: Turn) -> Summary | Refusal:
        async with serving(ScriptedModel(default=Plan(turns=(turn,)))) as url:
            return await drive_async(steps(), summariser_of(f"{url}/v1?model=m"))

    whole, cut = (asyncio.run(main(turn)) for turn in turns)
    assert isinstance(whole, Summary)
    assert isinstance(cut, Refusal)
    assert cut.reason == "cut"
    assert "stopped at its limit of 2500 tokens" in cut.why


def test_a_server_that_is_down_is_asked_twice_and_then_refused_by_its_status() -> None:
    refused = Turn(refused=Refused(status=500, kind="planned", message="overloaded"))
    waited: list[float] = []
    model = ScriptedModel(default=Plan(turns=(refused, refused, refused)))

    async def main() -> Summary | Refusal:
        async with serving(model) as url:
            asks = summariser_of(f"{url}/v1?model=m", sleep=waited.append)
            return await drive_async(steps(), asks)

    found = asyncio.run(main())
    assert isinstance(found, Refusal)
    assert (found.reason, found.asked, len(model.asked)) == ("error", 2, 2)
    assert "answered 500" in found.why
    assert waited == [1.0]


@pytest.mark.parametrize("status", [429, 500, 503, 529])
def test_one_retry_is_enough_for_a_server_that_is_busy_for_a_moment(status: int) -> None:
    found, waited = asked([Reply(status=status, headers={"Retry-After": "3"}), completion(GOOD)])
    assert isinstance(found, Summary)
    assert found.asked == 2
    assert waited == [3.0]


def test_a_server_that_asks_for_a_long_wait_is_not_waited_for() -> None:
    found, waited = asked([Reply(status=429, body=b"later", headers={"Retry-After": "3600"})])
    assert isinstance(found, Refusal)
    assert found.asked == 1
    assert waited == []


def test_a_connection_that_breaks_is_tried_once_more() -> None:
    found, waited = asked([Reply(body=None), completion(GOOD)])
    assert isinstance(found, Summary)
    assert waited == [1.0]


def test_a_server_that_is_not_there_is_named() -> None:
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{held.getsockname()[1]}/v1"
        found = without_loop(summariser_of(f"{url}?model=m", sleep=lambda _: None))
    assert isinstance(found, Refusal)
    assert found.reason == "error"
    assert f"{url}/chat/completions (m) cannot be reached" in found.why


BROKEN = [
    ("an HTML page", Reply(body=b"<html>Welcome to the proxy</html>"), "is no JSON: '<html>"),
    ("other JSON", Reply(body=b'{"ok": true}'), "no chat completion: '{\"ok\": true}'"),
    ("no choice", Reply(body=b'{"choices": []}'), "no chat completion"),
    ("no message", Reply(body=b'{"choices": [{"text": "x"}]}'), "no chat completion"),
    ("an array", Reply(body=b"[1]"), "no chat completion"),
    ("nothing", Reply(body=b""), "is no JSON: ''"),
    ("bytes", Reply(body=b"\xff\xfe"), "is no JSON"),
    ("a bad request", Reply(status=400, body=b'{"error": "no such model"}'), "answered 400: "),
    ("a filter", completion(GOOD, "content_filter"), "stopped by a content filter"),
    ("a refusal", completion(None, refusal="I will not."), "the model refused: 'I will not.'"),
    ("cut", completion(GOOD, "length"), "stopped at its limit"),
    ("no content", completion(None), "returned nothing"),
]


@pytest.mark.parametrize(("reply", "why"), [row[1:] for row in BROKEN], ids=[r[0] for r in BROKEN])
def test_a_reply_that_is_no_summary_is_refused_with_what_it_was(reply: Reply, why: str) -> None:
    found, _ = asked([reply])
    assert isinstance(found, Refusal)
    assert why in found.why
    assert found.asked == 1


def test_a_reply_in_parts_is_read() -> None:
    found, _ = asked([completion([{"type": "text", "text": GOOD}])])
    assert isinstance(found, Summary)


def test_a_server_that_wants_the_limit_by_its_other_name_gets_it() -> None:
    wants = Reply(status=400, body=b"Use 'max_completion_tokens' instead.")
    with answering([wants, completion(GOOD)]) as (url, got):
        found = without_loop(summariser_of(f"{url}?model=m"))
    assert isinstance(found, Summary)
    assert [("max_tokens" in one.body, "max_completion_tokens" in one.body) for one in got] == [
        (True, False),
        (False, True),
    ]


@pytest.mark.parametrize("drip", [0.05, 30])
def test_a_server_that_takes_too_long_is_refused(drip: float) -> None:
    slow = Reply(body=completion(GOOD).body, drip=drip)
    found, waited = asked([slow], timeout=0.3)
    assert isinstance(found, Refusal)
    assert found.reason == "timeout"
    assert "did not answer in 0.3 seconds" in found.why
    assert waited == []


def test_a_redirect_takes_the_key_nowhere() -> None:
    with answering([completion(GOOD)]) as (other, got):
        moved = Reply(status=302, headers={"Location": f"{other}/chat/completions"})
        found, _ = asked([moved])
    assert isinstance(found, Refusal)
    assert "answered 302" in found.why
    assert got == []


@pytest.mark.parametrize(
    "reply", [Reply(status=401, body=f"bad key {KEY}".encode()), Reply(body=KEY.encode())]
)
def test_a_key_that_a_server_repeats_stands_in_no_message(reply: Reply) -> None:
    found, _ = asked([reply])
    assert isinstance(found, Refusal)
    assert KEY not in found.why
    assert "[key]" in found.why


def test_a_key_stands_in_no_name_and_no_repr() -> None:
    asks = summariser_of("http://localhost/v1?model=m", key=KEY)
    assert KEY not in f"{asks!r} {asks.name}"
    assert asks.name == "http://localhost/v1/chat/completions (m)"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("http://localhost/v1", "names no model"),
        ("http:///v1?model=m", "has no host"),
        (f"http://user:{KEY}@localhost/v1?model=m", "holds a login"),
        (f"http://localhost/v1?model=m&api_key={KEY}", r"holds a key \(api_key=\)"),
        ("ftp://localhost/v1?model=m", "is no summariser"),
        ("gpt-5", "is no summariser: give http://HOST/v1"),
        ("cmd", "is empty"),
        ("cmd 'a", "cannot be read"),
        ("cmd no-such-program-here -x", "'no-such-program-here' is not there"),
    ],
)
def test_what_names_no_summariser_is_refused_without_its_key(text: str, why: str) -> None:
    with pytest.raises(ValueError, match=why) as caught:
        summariser_of(text)
    assert KEY not in str(caught.value)


def program(tmp_path: Path, source: str) -> str:
    path = tmp_path / "summarise.py"
    path.write_text(source, encoding="utf-8")
    return f"cmd {sys.executable} {path}"


@both
def test_a_command_reads_the_request_and_prints_the_summary(tmp_path: Path, end_of: Drive) -> None:
    source = f"""
import sys
text = sys.stdin.read()
assert "You write the record" in text and "read_file, call c1" in text
sys.stdout.buffer.write({GOOD!r}.encode())
"""
    found = end_of(program(tmp_path, source))
    assert isinstance(found, Summary)
    assert found.text == GOOD


@pytest.mark.parametrize(
    ("source", "why"),
    [
        (f"import sys; sys.exit('no model: {KEY}')", "ended with exit code 1: no model: [key]"),
        ("import os; os.write(1, b'\\xff')", "not UTF-8 at byte 0"),
        ("pass", "returned nothing"),
    ],
)
def test_a_command_that_fails_is_refused_with_what_it_said(
    tmp_path: Path, source: str, why: str
) -> None:
    found = without_loop(summariser_of(program(tmp_path, source), key=KEY))
    assert isinstance(found, Refusal)
    assert why in found.why


def test_a_command_that_takes_too_long_is_ended_with_what_it_started(tmp_path: Path) -> None:
    # The child of the command holds its output open: whoever waits for the end of that waits long.
    source = """
import subprocess, sys, time
subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
time.sleep(60)
"""
    found = without_loop(summariser_of(program(tmp_path, source), timeout=0.5))
    assert isinstance(found, Refusal)
    assert (found.reason, "did not answer in 0.5 seconds" in found.why) == ("timeout", True)


def good(messages: Messages) -> str:
    assert [one["role"] for one in messages] == ["system", "user"]
    return GOOD


async def good_async(messages: Messages) -> str:
    await asyncio.sleep(0)
    return good(messages)


class WithMethod:
    async def __call__(self, messages: Messages) -> str:
        return good(messages)


@both
@pytest.mark.parametrize("writer", [good, good_async, WithMethod(), lambda one: good_async(one)])
def test_a_callable_may_be_async_or_not_wherever_it_is_asked(writer: Given, end_of: Drive) -> None:
    found = end_of(writer)
    assert isinstance(found, Summary)
    assert found.text == GOOD


def test_an_async_callable_is_asked_below_a_running_loop_too() -> None:
    async def main() -> Summary | Refusal:
        return without_loop(good_async)

    assert isinstance(asyncio.run(main()), Summary)


def raising(error: BaseException) -> Callable[[Messages], str]:
    def ask(_: Messages) -> str:
        raise error

    return ask


@both
@pytest.mark.parametrize(
    ("error", "reason", "why"),
    [
        (RuntimeError(f"bad key {KEY}"), "error", "ask raised RuntimeError: bad key [key]"),
        (TimeoutError("slow"), "timeout", "ask raised TimeoutError: slow"),
        (StopIteration(), "error", "StopIteration"),
        (SystemError(), "error", "ask raised SystemError"),
    ],
)
def test_what_a_callable_raises_is_a_refusal(
    error: BaseException, reason: str, why: str, end_of: Drive
) -> None:
    found = end_of(summariser_of(raising(error), key=KEY))
    assert isinstance(found, Refusal)
    assert found.reason == reason
    assert why in found.why


@both
@pytest.mark.parametrize("error", [KeyboardInterrupt, asyncio.CancelledError])
def test_an_interrupt_and_a_cancellation_pass_through(
    error: type[BaseException], end_of: Drive
) -> None:
    async def ask(_: Messages) -> str:
        raise error

    with pytest.raises(error):
        end_of(ask)


@both
@pytest.mark.parametrize("value", [None, {"text": GOOD}, b"bytes", 3])
def test_a_callable_that_returns_no_text_is_a_refusal(value: object, end_of: Drive) -> None:
    def ask(_: Messages) -> str:
        return value  # type: ignore[return-value]

    found = end_of(ask)
    assert isinstance(found, Refusal)
    assert f"ask returned {type(value).__name__}, not a text" in found.why


@both
def test_an_async_callable_that_takes_too_long_is_a_refusal(end_of: Drive) -> None:
    ended = []

    async def ask(_: Messages) -> str:
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            ended.append(True)
            raise
        return GOOD

    found = end_of(summariser_of(ask, timeout=0.05))
    assert isinstance(found, Refusal)
    assert (found.reason, found.why) == ("timeout", "ask did not answer in 0.05 seconds")
    assert ended == [True]


def test_a_summary_that_is_cancelled_cancels_its_callable() -> None:
    began, ended = asyncio.Event(), []

    async def ask(_: Messages) -> str:
        began.set()
        try:
            await asyncio.sleep(60)
        finally:
            ended.append(True)
        return GOOD

    async def main() -> None:
        task = asyncio.ensure_future(drive_async(steps(), ask))
        await began.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await asyncio.sleep(0)
        assert ended == [True]

    asyncio.run(main())


def test_what_is_no_summariser_at_all_is_a_type_error() -> None:
    with pytest.raises(TypeError, match="not int"):
        summariser_of(3)  # type: ignore[arg-type]


def test_a_summariser_is_its_own_summariser() -> None:
    asks = summariser_of(good)
    assert summariser_of(asks) is asks
