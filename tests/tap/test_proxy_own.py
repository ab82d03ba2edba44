"""The proxy's own pages, its switch, its token, and several upstreams behind it."""

import asyncio
import json
import sqlite3
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any

import pytest
from tests.tap.proxy_ends import (
    Records,
    Upstream,
    Wire,
    ask,
    plain,
    post,
    proxy_to,
    streamed,
    upstream_that,
)

from ullage.errors import LedgerError
from ullage.ledger.store import Ledger
from ullage.tap.proxy.figures import Arrivals, ToolFigures
from ullage.tap.proxy.readiness import Readiness
from ullage.tap.proxy.recordings import Recorder
from ullage.tap.proxy.service import Proxy, serving
from ullage.tap.proxy.settings import ProxySettings, parse_upstream

REPLY = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
JSON = b"Content-Type: application/json\r\n"
TOKEN = "t0ken-" + "x" * 16


def get(path: bytes, more: bytes = b"") -> bytes:
    return b"GET %b HTTP/1.1\r\nHost: here\r\nConnection: close\r\n%b\r\n" % (path, more)


def switched(on: str, more: bytes = JSON) -> bytes:
    return post(b"/_ullage/recorder", b'{"on": %b}' % on.encode(), more)


@asynccontextmanager
async def both(
    recorder: Recorder, faults: list[str] | None = None, **settings: Any
) -> AsyncIterator[tuple[Upstream, Proxy]]:
    async with (
        upstream_that(plain(REPLY)) as upstream,
        proxy_to(upstream.url, recorder, faults=faults, **settings) as proxy,
    ):
        yield upstream, proxy


def asked(*requests: bytes, **settings: Any) -> tuple[list[Wire], list[Wire], Records, list[str]]:
    """The answers, what the upstream got, what was recorded, and what was said."""
    records, faults = Records(), list[str]()

    async def main() -> tuple[list[Wire], list[Wire]]:
        async with both(records, faults, **settings) as (upstream, proxy):
            answers = [await ask(proxy.port, request) for request in requests]
            return answers, upstream.got

    answers, got = asyncio.run(main())
    return answers, got, records, faults


def test_a_service_that_is_up_is_healthy_and_not_recorded() -> None:
    (answer,), got, records, _ = asked(get(b"/_ullage/healthz"))

    assert answer.first_line == b"HTTP/1.1 200 OK"
    assert json.loads(answer.body) == {"healthy": True}
    assert (got, records.records) == ([], [])


def test_a_page_that_does_not_exist_names_those_that_do() -> None:
    (answer,), got, _, _ = asked(get(b"/_ullage/nothing"))

    assert answer.first_line == b"HTTP/1.1 404 Not Found"
    assert b"GET /_ullage/metrics" in answer.body
    assert got == []


def test_a_tagged_path_of_the_same_name_belongs_to_the_upstream() -> None:
    _, (got,), _, _ = asked(get(b"/run/T/_ullage/healthz"))

    assert got.first_line == b"GET /_ullage/healthz HTTP/1.1"


def test_while_the_recorder_is_off_requests_pass_unrecorded_and_are_counted() -> None:
    answers, got, records, said = asked(
        post(b"/1"), switched("false"), post(b"/2"), post(b"/3"), switched("true"), post(b"/4")
    )

    assert [wire.body for wire in answers if wire.body == b"ok"] == [b"ok"] * 4
    assert len(got) == 4
    assert [record.path for record in records.records] == ["/1", "/4"]
    assert json.loads(answers[4].body) == {"on": True, "passed_by": 2}
    assert said == [
        "recorder off: requests go through and are not recorded",
        "recorder on; while it was off 2 exchanges went through unrecorded",
    ]


def test_an_exchange_is_recorded_as_it_began_whatever_is_switched_meanwhile() -> None:
    async def main() -> tuple[Wire, Records, list[str]]:
        begun, go_on = asyncio.Event(), asyncio.Event()

        async def slow(_: Wire, writer: asyncio.StreamWriter) -> None:
            begun.set()
            await go_on.wait()
            writer.write(REPLY)

        records, faults = Records(), list[str]()
        async with (
            upstream_that(slow) as upstream,
            proxy_to(upstream.url, records, faults=faults) as proxy,
        ):
            waiting = asyncio.create_task(ask(proxy.port, post(b"/x")))
            await begun.wait()
            proxy.switch.turn(on=False)
            go_on.set()
            return await waiting, records, faults

    answer, records, _ = asyncio.run(main())

    assert answer.body == records.only.response_body == b"ok"


@pytest.mark.parametrize(
    "reply",
    [
        plain(b"HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nhalf"),
        plain(b""),
        streamed([b"data: 1\n\n", b"data: [DONE]\n\n"]),
    ],
)
def test_nothing_of_a_reply_whole_or_broken_is_recorded_while_it_is_off(reply: Any) -> None:
    async def main() -> tuple[Wire, Records, list[str]]:
        records, faults = Records(), list[str]()
        async with (
            upstream_that(reply) as upstream,
            proxy_to(upstream.url, records, faults=faults, recording=False) as proxy,
        ):
            return await ask(proxy.port, post(b"/x")), records, faults

    answer, records, faults = asyncio.run(main())

    assert answer.body in (b"half", b"data: 1\n\ndata: [DONE]\n\n") or b"closed" in answer.body
    assert (records.records, faults) == ([], [])


@pytest.mark.parametrize(
    ("request_", "status"),
    [
        (switched("false", b""), b"403"),
        (switched("false", JSON + b"Origin: http://page.test\r\n"), b"403"),
        (switched('"no"'), b"400"),
        (switched("{"), b"400"),
    ],
)
def test_the_switch_refuses_what_a_page_in_a_browser_could_send_and_nonsense(
    request_: bytes, status: bytes
) -> None:
    (answer, after), _, records, _ = asked(request_, post(b"/x"))

    assert answer.first_line.split()[1] == status
    assert after.body == b"ok"
    assert len(records.records) == 1


def ready(records: Records, check: Any, *, on: bool = True) -> tuple[bytes, Any]:
    async def main() -> Wire:
        settings = ProxySettings(upstream=parse_upstream("http://127.0.0.1:1"), recording=on)
        async with serving(settings, records, report=print, check_ledger=check) as proxy:
            return await ask(proxy.port, get(b"/_ullage/readyz"))

    answer = asyncio.run(main())
    return answer.first_line.split()[1], json.loads(answer.body)


def test_a_ledger_that_can_be_written_to_is_ready(tmp_path: Path) -> None:
    with Ledger(tmp_path / "a.ledger") as ledger:
        status, said = ready(Records(), Readiness(ledger))

    assert (status, said) == (b"200", {"ready": True, "why_not": []})


def test_a_recorder_that_is_off_is_not_ready(tmp_path: Path) -> None:
    with Ledger(tmp_path / "a.ledger") as ledger:
        status, said = ready(Records(), Readiness(ledger), on=False)

    assert (status, said["why_not"]) == (b"503", ["the recorder is switched off"])


def test_a_ledger_that_another_process_holds_is_not_ready(tmp_path: Path) -> None:
    path = tmp_path / "a.ledger"
    with (
        Ledger(path) as ledger,
        closing(sqlite3.connect(path, check_same_thread=False)) as other,
    ):
        other.execute("BEGIN IMMEDIATE")
        # Let go after a while: the thread that waits for it outlives the question.
        letting_go = threading.Timer(0.5, other.rollback)
        letting_go.start()
        status, said = ready(Records(), Readiness(ledger, patience=0.1))
        letting_go.join()

    assert status == b"503"
    assert said["why_not"] == [f"{path} has been held by another process for 0.1 s"]


class Lost:
    """A ledger whose file cannot be written to."""

    path = Path("lost.ledger")

    def check(self) -> None:
        raise LedgerError("cannot write to lost.ledger: no such file")


def test_a_ledger_that_cannot_be_written_to_says_why() -> None:
    status, said = ready(Records(), Readiness(Lost()))

    assert (status, said["why_not"]) == (b"503", ["cannot write to lost.ledger: no such file"])


def test_a_disk_that_is_nearly_full_is_not_ready(tmp_path: Path) -> None:
    with Ledger(tmp_path / "a.ledger") as ledger:
        status, said = ready(Records(), Readiness(ledger, least_room=1 << 62))

    assert status == b"503"
    assert "bytes left: make room on it" in said["why_not"][0]


def test_a_recorder_that_is_behind_is_not_ready_and_its_queue_is_shown() -> None:
    async def main() -> tuple[Wire, str, Wire]:
        asked, let = asyncio.Event(), asyncio.Event()

        async def slow(_: Any) -> None:
            asked.set()
            await let.wait()

        async with both(slow, full_queue=1) as (_, proxy):
            waiting = asyncio.create_task(ask(proxy.port, post(b"/x")))
            await asked.wait()
            answer = await ask(proxy.port, get(b"/_ullage/readyz"))
            metrics = (await ask(proxy.port, get(b"/_ullage/metrics"))).body.decode()
            let.set()
            return answer, metrics, await waiting

    answer, metrics, whole = asyncio.run(main())

    assert answer.first_line.split()[1] == b"503"
    assert json.loads(answer.body)["why_not"] == ["records waiting to be written: 1"]
    assert "ullage_recorder_queue 1\n" in metrics
    assert whole.body == b"ok"


def test_metrics_tell_what_went_through() -> None:
    refused = b"GET /x HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n"
    answers, _, _, _ = asked(
        post(b"/x", b"12345"), post(b"/x", b"123"), refused, get(b"/_ullage/metrics")
    )

    lines = answers[-1].body.decode().split("\n")
    assert answers[-1].header(b"content-type") == b"text/plain; version=0.0.4; charset=utf-8"
    for line in (
        'ullage_requests_total{upstream="/",status="200"} 2',
        'ullage_request_bytes_total{upstream="/"} 8',
        'ullage_reply_bytes_total{upstream="/"} 4',
        'ullage_refused_total{why="no-websocket"} 1',
        "ullage_recorder_on 1",
        "ullage_recorder_faults_total 0",
        "ullage_recorder_queue 0",
        "ullage_added_seconds_count 2",
    ):
        assert line in lines


def test_metrics_tell_of_replies_that_broke_and_records_that_were_lost() -> None:
    async def full(_: Any) -> None:
        raise OSError("disk full")

    async def main() -> str:
        faults: list[str] = []
        broken = plain(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf")
        async with (
            upstream_that(broken) as upstream,
            proxy_to(upstream.url, full, faults=faults) as proxy,
        ):
            await ask(proxy.port, post(b"/x"))
            return (await ask(proxy.port, get(b"/_ullage/metrics"))).body.decode()

    text = asyncio.run(main())

    assert 'ullage_broken_total{upstream="/"} 1\n' in text
    assert "ullage_recorder_faults_total 1\n" in text


def test_metrics_show_the_latest_arrivals_with_their_age() -> None:
    latest = Arrivals(
        at=1000.0,
        runs=2,
        skipped=1,
        tools=[
            ToolFigures(
                tool="search",
                agent="writer",
                results=5,
                joined=4,
                broken=1,
                produced=100,
                delivered=60,
                lost_at={"budget": 3},
            )
        ],
        served_short={"cut-by-limit": 2},
    )

    async def main() -> str:
        settings = ProxySettings(upstream=parse_upstream("http://127.0.0.1:1"))
        async with serving(
            settings, Records(), report=print, clock=lambda: 1030.0, arrivals=lambda: latest
        ) as proxy:
            return (await ask(proxy.port, get(b"/_ullage/metrics"))).body.decode()

    lines = asyncio.run(main()).split("\n")

    for line in (
        "ullage_arrival_age_seconds 30",
        "ullage_arrival_runs_skipped 1",
        'ullage_arrival_results{tool="search",agent="writer"} 5',
        'ullage_arrival_broken{tool="search",agent="writer"} 1',
        'ullage_arrival_records_delivered{tool="search",agent="writer"} 60',
        'ullage_arrival_lost_results{tool="search",agent="writer",boundary="budget"} 3',
        'ullage_served_short{why="cut-by-limit"} 2',
    ):
        assert line in lines


@pytest.mark.parametrize("shown", ["path", "header"])
def test_a_token_opens_and_does_not_go_on_to_upstream_or_record(shown: str) -> None:
    in_path = f"/token/{TOKEN}/run/T/v1/x" if shown == "path" else "/run/T/v1/x"
    header = f"x-ullage-token: {TOKEN}\r\n" if shown == "header" else ""
    request = post(in_path.encode(), more=b"X-Other: 1\r\n" + header.encode())

    (answer,), (got,), records, _ = asked(request, token=TOKEN)

    assert answer.body == b"ok"
    assert got.first_line == b"POST /v1/x HTTP/1.1"
    assert [name for name, _ in got.about_the_message] == [b"X-Other", b"Content-Length"]
    assert records.only.run == "T"
    assert TOKEN not in repr(records.only)


@pytest.mark.parametrize(
    ("path", "more"),
    [
        ("/v1/x", ""),
        ("/token/wrong-wrong-wrong-wrong/v1/x", ""),
        ("/v1/x", "X-Ullage-Token: wrong\r\n"),
        ("/v1/x", "X-Ullage-Token: J\xe9r\xf4me\r\n"),
        (f"/token/wrong/run/{TOKEN}/v1", ""),
        ("/_ullage/metrics", ""),
        ("/_ullage/recorder", ""),
    ],
)
def test_without_the_token_nothing_is_let_through(path: str, more: str) -> None:
    (answer,), got, records, _ = asked(
        post(path.encode(), more=more.encode("latin-1")), token=TOKEN
    )

    assert answer.first_line.startswith(b"HTTP/1.1 401 ")
    assert b"put /token/TOKEN in front of the path" in answer.body
    assert (got, records.records) == ([], [])


def test_health_is_told_without_a_token() -> None:
    (answer,), _, _, _ = asked(get(b"/_ullage/healthz"), token=TOKEN)

    assert answer.first_line == b"HTTP/1.1 200 OK"


def test_without_a_token_of_ours_such_a_header_and_path_go_through() -> None:
    request = post(b"/token/x/v1", more=b"X-Ullage-Token: theirs\r\n")

    _, (got,), _, _ = asked(request)

    assert got.first_line == b"POST /token/x/v1 HTTP/1.1"
    assert got.header(b"x-ullage-token") == b"theirs"


def test_each_prefix_goes_to_its_own_upstream() -> None:
    async def main() -> tuple[list[Wire], list[Wire], Records, str]:
        records = Records()
        async with (
            upstream_that(plain(REPLY)) as first,
            upstream_that(plain(REPLY)) as second,
            proxy_to(
                first.url, records, mounts={"/b": parse_upstream(f"{second.url}/ignored")}
            ) as proxy,
        ):
            await ask(proxy.port, post(b"/v1/x"))
            await ask(proxy.port, post(b"/run/T/agent/w/b/v1/y%2F?z"))
            metrics = (await ask(proxy.port, get(b"/_ullage/metrics"))).body.decode()
            return first.got, second.got, records, metrics

    first, second, records, metrics = asyncio.run(main())

    assert [wire.first_line for wire in first] == [b"POST /v1/x HTTP/1.1"]
    assert [wire.first_line for wire in second] == [b"POST /v1/y%2F?z HTTP/1.1"]
    assert [(record.run, record.agent, record.path) for record in records.records] == [
        ("default", None, "/v1/x"),
        ("T", "w", "/v1/y%2F?z"),
    ]
    assert records.records[0].upstream != records.records[1].upstream
    assert 'ullage_requests_total{upstream="/b",status="200"} 1' in metrics


def test_a_path_that_no_upstream_is_for_is_refused_with_those_there_are() -> None:
    async def main() -> Wire:
        settings = ProxySettings(mounts={"/b": parse_upstream("http://127.0.0.1:1")})
        async with serving(settings, Records(), report=print) as proxy:
            return await ask(proxy.port, get(b"/v1/x"))

    answer = asyncio.run(main())

    assert answer.first_line == b"HTTP/1.1 404 Not Found"
    assert b"no upstream for '/v1/x': there is one for /b/\\u2026" in answer.body


def test_other_machines_can_be_served_with_a_token() -> None:
    async def main() -> tuple[str, Wire]:
        async with both(Records(), host="0.0.0.0", token=TOKEN) as (_, proxy):
            return proxy.url, await ask(proxy.port, get(f"/token/{TOKEN}/x".encode()))

    url, answer = asyncio.run(main())

    assert url.startswith("http://0.0.0.0:")
    assert answer.body == b"ok"


def test_nothing_is_asked_of_an_upstream_whose_extra_certificates_cannot_be_read(
    tmp_path: Path,
) -> None:
    bad = tmp_path / "ca.pem"
    bad.write_text("no certificate", encoding="utf-8")

    with pytest.raises(Exception, match="name a PEM file with --upstream-ca"):
        asked(get(b"/x"), upstream_ca=bad)
