"""Ask for streams, check every event, and print what they took, as one JSON object.

    python client.py PORT CONCURRENCY REQUESTS EVENTS GAP [PATH]

`lost` counts events that did not come, `reordered` those out of their order, `mixed` those of
another stream, `broken` streams without their end.
"""

import asyncio
import itertools
import json
import re
import statistics
import sys
import time
from collections import Counter

from wire import run

PORT, CONCURRENCY, REQUESTS, EVENTS = map(int, sys.argv[1:5])
GAP = float(sys.argv[5])
PATH = sys.argv[6] if len(sys.argv) > 6 else "/v1/chat/completions"
TOLD = "Find the invoices that are open, and say for each of them whom to ask. " * 28
EVENT = re.compile(rb'data: \{"id": (\d+), "n": (\d+), "t": (\d+)')

counts: Counter[str] = Counter(lost=0, reordered=0, mixed=0, broken=0, errors=0)
whole_ns: list[int] = []
late_ns: list[int] = []


def request_of(stream: int) -> bytes:
    """Return the request for a stream of that id."""
    wanted = {"id": stream, "events": EVENTS, "gap": GAP, "stream": True, "told": TOLD}
    body = json.dumps(wanted).encode()
    head = (
        f"POST {PATH} HTTP/1.1\r\nHost: 127.0.0.1:{PORT}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


async def body_of(reader: asyncio.StreamReader) -> bytes:
    """Read one chunked body; note how late each event is."""
    body = b""
    while size := int((await reader.readline()).strip() or b"0", 16):
        data = (await reader.readexactly(size + 2))[:-2]
        now = time.perf_counter_ns()
        late_ns.extend(now - int(sent) for _, _, sent in EVENT.findall(data))
        body += data
    await reader.readline()
    return body


def check(body: bytes, stream: int) -> None:
    """Count what is wrong with a stream."""
    found = [(int(one), int(number)) for one, number, _ in EVENT.findall(body)]
    mine = [number for one, number in found if one == stream]
    counts["mixed"] += len(found) - len(mine)
    counts["lost"] += len(set(range(EVENTS)) - set(mine))
    counts["reordered"] += sum(later < before for before, later in itertools.pairwise(mine))
    counts["broken"] += not body.endswith(b"data: [DONE]\n\n")


async def worker(streams: range) -> None:
    """Ask for streams one after the other, on one connection while it lasts."""
    reader = writer = None
    for stream in streams:
        try:
            if writer is None or reader is None:
                reader, writer = await asyncio.open_connection("127.0.0.1", PORT, limit=1 << 20)
            start = time.perf_counter_ns()
            writer.write(request_of(stream))
            head = (await reader.readuntil(b"\r\n\r\n")).lower()
            check(await body_of(reader), stream)
            whole_ns.append(time.perf_counter_ns() - start)
            if b"connection: close" in head:
                writer.close()
                writer = None
        except (OSError, ValueError, asyncio.IncompleteReadError) as error:
            counts["errors"] += 1
            print(repr(error), file=sys.stderr)
            if writer is not None:
                writer.close()
            writer = None


async def main() -> float:
    """Ask for all of them, and return the seconds that it took."""
    start = time.perf_counter()
    each = max(1, REQUESTS // CONCURRENCY)
    ranges = [range(one * each, (one + 1) * each) for one in range(CONCURRENCY)]
    await asyncio.gather(*map(worker, ranges))
    return time.perf_counter() - start


if __name__ == "__main__":
    seconds = run(main())
    print(
        json.dumps(
            {
                "requests": len(whole_ns),
                **counts,
                "seconds": round(seconds, 3),
                "request_ms": statistics.median(whole_ns) / 1e6 if whole_ns else None,
                "event_ms": statistics.median(late_ns) / 1e6 if late_ns else None,
            }
        )
    )
