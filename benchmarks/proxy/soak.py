"""A recording proxy under a steady, low load, to see whether its memory stays flat.

    python benchmarks/proxy/soak.py [--minutes 20] [--rate 20]

Every request is a stream of 50 events, every hundredth begins a new run. Metrics are asked for
every 15 s, as Prometheus would. It prints the resident memory at the start and at each quarter,
after a minute of the same load to warm up. Needs Linux (/proc).
"""

import argparse
import http.client
import json
import sys
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path

from processes import HERE, free_port, get, megabytes, running

EVENTS = 50
EACH_RUN = 100
SCRAPE = 15.0


def main() -> None:
    """Load the proxy for so many minutes, and print its memory."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=20.0)
    parser.add_argument("--rate", type=float, default=20.0, help="requests a second")
    parser.add_argument("--warm-up", type=float, default=60.0, help="seconds")
    options = parser.parse_args()
    (HERE / "work").mkdir(exist_ok=True)
    upstream, port = free_port(), free_port()
    with tempfile.TemporaryDirectory(dir=HERE / "work") as folder:
        ledger = Path(folder) / "soak.ledger"
        where = ["--upstream", f"http://127.0.0.1:{upstream}", "--port", str(port)]
        command = [sys.executable, "-m", "ullage", "proxy", *where, "--ledger", str(ledger)]
        with (
            running([sys.executable, "upstream.py", str(upstream)], upstream),
            running(command, port) as pid,
        ):
            load = Load(port, options.rate)
            load.start()
            time.sleep(options.warm_up)
            watch(pid, options.minutes * 60, load)
            load.stop()
            size = ledger.stat().st_size / 1e6
            print(f"ledger {size:.0f} MB; {figures(get(port, '/_ullage/metrics'))}")


def watch(pid: int, seconds: float, load: "Load") -> None:
    """Print the memory of a process at the start and at each quarter."""
    started = time.monotonic()
    for quarter in range(5):
        time.sleep(max(0.0, started + seconds * quarter / 4 - time.monotonic()))
        minutes = (time.monotonic() - started) / 60
        counts = ", ".join(f"{count} {what}" for what, count in sorted(load.counts.items()))
        print(f"{minutes:5.1f} min  {megabytes(pid):6.1f} MB  {counts}", flush=True)


def figures(metrics: str) -> str:
    """Return the lines of the metrics that say whether anything was lost."""
    wanted = ("ullage_recorder_faults_total", "ullage_requests_total", "ullage_arrival_runs ")
    return "; ".join(line for line in metrics.split("\n") if line.startswith(wanted))


class Load:
    """Requests at a steady rate, one after the other, and a scrape now and then."""

    def __init__(self, port: int, rate: float) -> None:
        self.counts: Counter[str] = Counter()
        self._port, self._pause = port, 1 / rate
        self._stopped = threading.Event()
        self._threads = [
            threading.Thread(target=self._ask, daemon=True),
            threading.Thread(target=self._scrape, daemon=True),
        ]

    def start(self) -> None:
        """Begin."""
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """End, after the request under way."""
        self._stopped.set()
        for thread in self._threads:
            thread.join()

    def _ask(self) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=30)
        number = 0
        while not self._stopped.wait(self._pause):
            number += 1
            body = {"id": number, "events": EVENTS, "gap": 0.0, "told": f"{number} " * 400}
            run = number // EACH_RUN
            try:
                connection.request("POST", f"/run/r{run}/agent/a{run % 3}/v1", json.dumps(body))
                reply = connection.getresponse().read()
            except OSError:
                self.counts["failed"] += 1
                connection.close()
                continue
            whole = reply.count(b"data: ") == EVENTS + 1 and reply.endswith(b"[DONE]\n\n")
            self.counts["whole" if whole else "broken"] += 1

    def _scrape(self) -> None:
        while not self._stopped.wait(SCRAPE):
            get(self._port, "/_ullage/metrics")
            self.counts["scrapes"] += 1


if __name__ == "__main__":
    main()
