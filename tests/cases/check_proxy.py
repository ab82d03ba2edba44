"""Run `ullage proxy` in front of a small server on loopback, and compare the bytes on both sides."""

from __future__ import annotations

import http.client
import queue
import re
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from check_tool import Case, Faults, Tool, Wrong, strings

LISTENING = re.compile(r"listening on http://127\.0\.0\.1:(\d+)")


class Upstream(ThreadingHTTPServer):
    """Keeps what it gets; answers with the same body, or with fixed pieces as a stream."""

    daemon_threads = True

    def __init__(self, pieces: Sequence[bytes] = ()) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.pieces, self.status, self.got = pieces, 200, [("", b"")]

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Upstream

    def do_POST(self) -> None:
        body = self.read_chunks() if self.headers.get("Transfer-Encoding") else self.read_length()
        self.server.got.append((self.path, body))
        self.send_response(self.server.status)
        self.send_header(
            "Content-Type", "text/event-stream" if self.server.pieces else "application/json"
        )
        if not self.server.pieces:
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)
            return
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for piece in (*self.server.pieces, b""):
            self.wfile.write(b"%x\r\n%b\r\n" % (len(piece), piece))
            self.wfile.flush()

    def read_length(self) -> bytes:
        return self.rfile.read(int(self.headers.get("Content-Length", 0)))

    def read_chunks(self) -> bytes:
        body = b""
        while size := int(self.rfile.readline().split(b";")[0], 16):
            body += self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()
        return body

    def log_message(self, format: str, *args: Any) -> None:
        pass


@contextmanager
def relay(tool: Tool, upstream: Upstream, ledger: Path) -> Iterator[int]:
    """The port of a running proxy; on leaving, both it and the upstream are stopped."""
    threading.Thread(target=upstream.serve_forever, daemon=True).start()
    words = [
        *tool.command,
        "proxy",
        "--upstream",
        upstream.url,
        "--port",
        "0",
        "--ledger",
        str(ledger),
    ]
    try:
        process = subprocess.Popen(
            words,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
        )
    except OSError as error:
        raise Wrong(f"cannot start {words[0]!r}: {error.strerror}") from None
    try:
        yield wait_for_port(process)
    finally:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        upstream.shutdown()
        upstream.server_close()


def wait_for_port(process: subprocess.Popen[str]) -> int:
    lines: queue.Queue[str | None] = queue.Queue()

    def drain() -> None:
        assert process.stderr is not None
        for line in process.stderr:
            lines.put(line)
        lines.put(None)

    threading.Thread(target=drain, daemon=True).start()
    last = "nothing on stderr"
    while True:
        try:
            line = lines.get(timeout=20)
        except queue.Empty:
            raise Wrong("`proxy` did not say where it listens within 20 s") from None
        if line is None:
            raise Wrong(f"`proxy` ended before it listened: {last[:120]}")
        if match := LISTENING.search(line):
            return int(match[1])
        last = line.strip() or last


def post(port: int, path: str, body: bytes) -> tuple[int, bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    try:
        connection.request("POST", path, body, {"Content-Type": "application/json"})
        response = connection.getresponse()
        return response.status, response.read()
    except (OSError, http.client.HTTPException) as error:
        raise Wrong(f"POST {path} through the proxy: {type(error).__name__} {error}") from None
    finally:
        connection.close()


def judge_proxy(case: Case, tool: Tool) -> Faults:
    body, upstream = case.inputs[0].read_bytes(), Upstream()
    with (
        tempfile.TemporaryDirectory() as folder,
        relay(tool, upstream, Path(folder, "case.ullage")) as port,
    ):
        for status in (200, 422):
            for path in (
                "/v1/chat/completions",
                "/run/case/v1/chat/completions",
                "/no/such/path?x=1",
            ):
                upstream.status = status
                got_status, got_body = post(port, path, body)
                if upstream.got[-1] != (path.removeprefix("/run/case"), body):
                    yield f"{path}: the request reached the upstream altered, or not at all"
                if (got_status, got_body) != (status, body):
                    yield f"{path}: the {status} reply came back altered"


def judge_relayed_stream(case: Case, tool: Tool, pieces: Sequence[bytes]) -> Faults:
    """Serve the pieces as one reply: the bytes must come back, and the ledger must hold the decoded text."""
    with tempfile.TemporaryDirectory() as folder:
        ledger = Path(folder, "case.ullage")
        with relay(tool, Upstream(pieces), ledger) as port:
            _, body = post(
                port, "/v1/chat/completions", b'{"model":"demo","stream":true,"messages":[]}'
            )
            time.sleep(1)  # recording happens after the bytes have gone out
        if body != b"".join(pieces):
            yield "the stream came back altered"
        export = tool.run("ledger", "export", ledger, "--format", "json").stdout.decode(
            "utf-8", "replace"
        )
        yield from stream_text_faults(case.checks, export)


def stream_text_faults(checks: dict[str, Any], export: str) -> Faults:
    texts = [text for text in strings(export) if "data:" not in text]
    if max(map(len, texts), default=0) < checks.get("text_len_min", 0):
        yield f"no decoded text of {checks['text_len_min']} characters in the ledger"
    yield from (
        f"the ledger's text holds {bad!r}"
        for bad in checks.get("must_not_contain", ())
        if any(bad in text for text in texts)
    )
