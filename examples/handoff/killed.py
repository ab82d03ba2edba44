"""A worker is killed in the middle of its work; the next stage is given what it had found.

The model is a scripted one; what it was given is read from the ledger.
"""

import subprocess
import sys
from pathlib import Path

from openai import OpenAI

from ullage import open_handoff, record_run

WORKER = Path(__file__).parent / "worker.py"


def main() -> None:
    """Start a worker, kill it, hand on, and show what was sent."""
    with record_run("killed.ledger", run="night") as run:
        with subprocess.Popen([sys.executable, WORKER], stdout=subprocess.PIPE) as worker:
            if worker.stdout is not None:
                worker.stdout.readline()  # it has found something
            worker.kill()
        with open_handoff() as handoff, OpenAI() as client:
            block = handoff.carry("decide")
            question = f"{block}\n\nWhich shards are to be repaired?"
            client.chat.completions.create(
                model="scripted", messages=[{"role": "user", "content": question}]
            )
            found = handoff.verify()
        print(run.requests[0]["messages"][0]["content"])  # type: ignore[index]  # JSON
        print(f"\narrived: {found.total.arrived} of {found.total.recorded}, whole: {found.whole}")


if __name__ == "__main__":
    main()
