"""A server of chat completions on a port of its own that answers by a list."""

import json
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from email.message import Message
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass(frozen=True, kw_only=True)
class Reply:
    """One answer; `drip` sends it a byte at a time, so many seconds apart; None hangs up."""

    status: int = 200
    body: bytes | None = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    drip: float = 0


@dataclass(frozen=True, kw_only=True)
class Got:
    """One request."""

    path: str
    headers: Message
    body: dict[str, object]


def completion(text: object, reason: str = "stop", **more: object) -> Reply:
    message = {"role": "assistant", "content": text, **more}
    body = {"object": "chat.completion", "choices": [{"message": message, "finish_reason": reason}]}
    return Reply(body=json.dumps(body).encode())


@contextmanager
def answering(replies: Sequence[Reply]) -> Iterator[tuple[str, list[Got]]]:
    """Answer each request with the next reply, the last one for ever."""
    got: list[Got] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            raw = self.rfile.read(int(self.headers["Content-Length"]))
            got.append(Got(path=self.path, headers=self.headers, body=json.loads(raw)))
            reply = replies[min(len(got), len(replies)) - 1]
            if reply.body is None:
                return
            self.send_response(reply.status)
            for name, value in reply.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(reply.body)))
            self.end_headers()
            with suppress(OSError):
                self.send(reply.body, reply.drip)

        def send(self, body: bytes, drip: float) -> None:
            if not drip:
                self.wfile.write(body)
                return
            for byte in body:
                self.wfile.write(bytes([byte]))
                self.wfile.flush()
                time.sleep(drip)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    server.block_on_close = False
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1", got
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
