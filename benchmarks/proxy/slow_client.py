"""A client that reads a large reply slowly, while the memory of the relay is watched."""

import json
import socket
import time
from pathlib import Path

from processes import megabytes

PIECE = 1 << 20
PAUSE = 0.01


def bulk(port: int, pid: int, size: int) -> float:
    """Read a reply of `size` bytes, 1 MB every 10 ms; return the relay's peak memory in MB."""
    clear = Path(f"/proc/{pid}/clear_refs")
    clear.write_text("5", encoding="utf-8")  # the peak starts again from here
    body = json.dumps({"bytes": size}).encode()
    head = f"POST /v1/files HTTP/1.1\r\nHost: h\r\nContent-Length: {len(body)}\r\n\r\n"
    with socket.create_connection(("127.0.0.1", port)) as wire:
        wire.sendall(head.encode() + body)
        left = size // 65536 * 65536
        while left > 0:
            piece = wire.recv(PIECE)
            if not piece:
                raise ConnectionError(f"{left} bytes of the reply did not come")
            left -= len(piece)
            time.sleep(PAUSE)
    return megabytes(pid, "VmHWM")
