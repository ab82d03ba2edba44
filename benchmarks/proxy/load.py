"""Streams through relays, side by side in one run: python benchmarks/proxy/load.py [--quick].

Processor time of the relay's process alone, for each request, as ratios to a floor that only copies
bytes; what was lost, reordered or mixed up; how late an event is, 5 ms apart; memory. Needs Linux
(/proc). `--without-peer` leaves uvicorn with starlette and httpx out, which goes into an
environment of its own under work/.
"""

import argparse
import json
import os
import platform
import re
import statistics
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, get_args

from processes import HERE, ROOT, cpu_seconds, free_port, megabytes, running
from slow_client import bulk

from ullage.ledger.records import Durability
from ullage.ledger.store import Ledger

WORK = HERE / "work"
PEER = WORK / "venv"
EVENTS = 50
PACED = (40, 0.005)
LOADS = ((1, 60), (32, 320), (200, 600))
WRONG = ("lost", "reordered", "mixed", "broken", "errors")
OURS = "Ullage"
OFF = "Ullage, recorder off"
FLOOR, PEER_NAME = "raw asyncio relay", "uvicorn + starlette + httpx"
BULK = 200_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Relay:
    """One way to the upstream: how it is started, and what it adds to the environment."""

    command: Sequence[str | Path] = ()
    environment: Mapping[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class Found:
    """What was measured of one relay."""

    cpu_ms: dict[int, list[float]] = field(default_factory=dict)
    late_ms: list[float] = field(default_factory=list)
    wrong: Counter[str] = field(default_factory=Counter)
    ledger: Path = Path()
    requests: int = 0
    idle_mb: float = 0.0
    loaded_mb: float = 0.0
    bulk_mb: float = 0.0
    recorded: str = "-"


def main() -> None:
    """Run every relay at every load, in turns, and print one table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="one round instead of three")
    parser.add_argument("--without-peer", action="store_true")
    options = parser.parse_args()
    if not options.without_peer:
        make_peer()
    with tempfile.TemporaryDirectory(dir=WORK) as folder:
        found = measured(Path(folder), options)
        for name, one in found.items():
            if name.startswith(OURS) and name != OFF:
                one.recorded = in_ledger(one.ledger, one.requests)
    print("\n".join(table(found)))


def measured(folder: Path, options: argparse.Namespace) -> dict[str, Found]:
    """Start all relays, load them in turns, and end them."""
    found: dict[str, Found] = {}
    with ExitStack() as stack:
        upstream = free_port()
        stack.enter_context(running([sys.executable, "upstream.py", str(upstream)], upstream))
        relays = relays_to(upstream, folder, with_peer=not options.without_peer)
        ports = {"direct": (upstream, None)}
        for name, (port, relay) in relays.items():
            pid = stack.enter_context(running(relay.command, port, relay.environment))
            ports[name] = (port, pid)
        for name, (port, pid) in ports.items():
            found[name] = Found(ledger=folder / f"{port}.ledger")
            note(found[name], client(port, 1, 10, EVENTS, 0.0))
            if pid is not None:
                found[name].idle_mb = megabytes(pid)
        for _ in range(1 if options.quick else 3):
            one_round(ports, found)
        for name, (port, pid) in ports.items():
            if pid is not None:
                found[name].loaded_mb = megabytes(pid)
                found[name].bulk_mb = bulk(port, pid, BULK) - found[name].loaded_mb
            if name == OFF:
                found[name].recorded = "off"
    return found


def in_ledger(path: Path, requests: int) -> str:
    """Return how many of the streams are in a ledger, whole and in order."""
    whole = 0
    with closing(Ledger.read(path)) as ledger:
        for exchange in ledger.exchanges():
            body = exchange.response_body or b""
            numbers = [int(number) for number in re.findall(rb'"n": (\d+)', body)]
            in_order = numbers == list(range(len(numbers))) and len(numbers) in (EVENTS, PACED[0])
            whole += in_order and body.endswith(b"data: [DONE]\n\n")
        faults = ledger.faults() - 1  # the large reply, of which no copy is kept
    return f"{whole} of {requests} whole, {faults} faults"


def relays_to(upstream: int, folder: Path, *, with_peer: bool) -> dict[str, tuple[int, Relay]]:
    """Return every relay with the port that it listens on."""

    def ullage(*options: str) -> tuple[int, Relay]:
        port = free_port()
        ledger = folder / f"{port}.ledger"
        where = ("--upstream", f"http://127.0.0.1:{upstream}", "--port", str(port))
        command = [sys.executable, "-m", "ullage", "proxy", *where, "--ledger", str(ledger)]
        return port, Relay(command=[*command, *options])

    raw, peer = free_port(), free_port()
    uvicorn = f"-m uvicorn asgi_relay:app --port {peer} --loop uvloop --http httptools"
    relays = {
        FLOOR: (
            raw,
            Relay(command=[sys.executable, "raw_relay.py", str(raw), str(upstream)]),
        ),
        OFF: ullage("--recorder", "off"),
        **{f"{OURS}, {mode}": ullage("--durability", mode) for mode in get_args(Durability)},
        PEER_NAME: (
            peer,
            Relay(
                command=[
                    PEER / "bin" / "python",
                    *uvicorn.split(),
                    *("--log-level", "error", "--no-access-log"),
                ],
                environment={"UPSTREAM": str(upstream)},
            ),
        ),
    }
    return relays if with_peer else {name: it for name, it in relays.items() if name != PEER_NAME}


def one_round(ports: Mapping[str, tuple[int, int | None]], found: Mapping[str, Found]) -> None:
    """Load every relay once at every concurrency, then with paced streams."""
    for concurrency, requests in LOADS:
        for name, (port, pid) in ports.items():
            before = 0.0 if pid is None else cpu_seconds(pid)
            result = client(port, concurrency, requests, EVENTS, 0.0)
            note(found[name], result)
            if pid is not None:
                spent = (cpu_seconds(pid) - before) / max(1, result["requests"]) * 1e3
                found[name].cpu_ms.setdefault(concurrency, []).append(spent)
    for name, (port, _) in ports.items():
        result = client(port, 1, 10, *PACED)
        note(found[name], result)
        found[name].late_ms.append(result["event_ms"])


def client(port: int, concurrency: int, requests: int, events: int, gap: float) -> dict[str, Any]:
    """Ask for streams in a process of its own."""
    words = [str(word) for word in (port, concurrency, requests, events, gap)]
    done = subprocess.run(
        [sys.executable, "client.py", *words], cwd=HERE, capture_output=True, check=True
    )
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def note(found: Found, result: Mapping[str, Any]) -> None:
    """Add up what went wrong."""
    found.requests += result["requests"]
    found.wrong.update({name: result[name] for name in WRONG})


def table(found: Mapping[str, Found]) -> list[str]:
    """Return the lines to print."""
    cores = os.cpu_count()
    lines = [
        f"{platform.system()} {platform.machine()}, {cores} cores, Python "
        f"{platform.python_version()}. CPU: of the relay's process alone, ms for each request of "
        f"{EVENTS} events, median of the rounds; x: times the floor.",
        "",
        f"{'':29}" + "".join(f"{f'{load} at once':>18}" for load, _ in LOADS) + f"{'peer x':>9}",
    ]
    floor, peer, direct = found[FLOOR], found.get(PEER_NAME), found["direct"]
    for name, one in found.items():
        if name == "direct":
            continue
        cells = [ratio_cell(one, floor, load) for load, _ in LOADS]
        ratios = [] if peer is None else [cpu(one, load) / cpu(peer, load) for load, _ in LOADS]
        lines.append(
            f"{name:29}"
            + "".join(f"{cell:>18}" for cell in cells)
            + f"{max(ratios, default=0):>9.2f}"
        )
    lines += [
        "",
        f"{'':29}{'requests':>9}{'wrong':>7}{'event +ms':>11}{'MB idle':>9}{'after':>7}"
        f"{'200 MB, slow':>14}  recorder",
    ]
    for name, one in found.items():
        late = statistics.median(one.late_ms) - statistics.median(direct.late_ms)
        wrong = sum(one.wrong.values())
        lines.append(
            f"{name:29}{one.requests:>9}{wrong:>7}{late:>11.3f}{one.idle_mb:>9.0f}"
            f"{one.loaded_mb:>7.0f}{one.bulk_mb:>+14.0f}  {one.recorded}"
        )
    lines += [
        "",
        "wrong: events lost, out of order or of another stream, streams without an end, errors.",
        f"event +ms: median lateness of an event {PACED[1] * 1e3:g} ms after the last, over direct "
        f"({statistics.median(direct.late_ms):.3f} ms). 200 MB, slow: peak MB over `after` while a "
        "client reads a reply of 200 MB at 100 MB/s.",
    ]
    return lines


def cpu(found: Found, load: int) -> float:
    """Return the median of a load's rounds, in ms a request."""
    return statistics.median(found.cpu_ms[load])


def ratio_cell(found: Found, floor: Found, load: int) -> str:
    """Write one figure beside its ratio to the floor."""
    return f"{cpu(found, load):.2f} ms {cpu(found, load) / cpu(floor, load):5.1f}x"


def make_peer() -> None:
    """Make the peer's environment, if it is not there or older than its list of versions."""
    ready, pins = WORK / "peer.ready", HERE / "requirements.txt"
    WORK.mkdir(exist_ok=True)
    if ready.exists() and ready.stat().st_mtime > pins.stat().st_mtime:
        return
    print("The peer goes into benchmarks/proxy/work: about 20 MB.", file=sys.stderr)
    subprocess.run([sys.executable, "-m", "venv", "--clear", str(PEER)], check=True)
    pip = [str(PEER / "bin" / "python"), "-m", "pip", "--disable-pip-version-check", "--quiet"]
    subprocess.run([*pip, "install", "-r", str(pins)], check=True, cwd=ROOT)
    ready.touch()


if __name__ == "__main__":
    main()
