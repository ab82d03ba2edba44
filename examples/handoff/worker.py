"""A worker that looks at shards one by one, and writes down what it finds as it finds it.

It does not get to its end: whoever started it kills it.
"""

import time

from ullage import open_handoff

SHARDS = 6


def main() -> None:
    """Look at some shards, then hang."""
    handoff = open_handoff()
    with handoff.worker("digger", stage="investigate"):
        for number in range(SHARDS):
            handoff.computation("scan")
            handoff.computation("compare")
            handoff.record_finding(
                f"shard-{number} holds {number * 7} stale rows", source=f"scan of shard-{number}"
            )
        print("found", flush=True)
        time.sleep(600)


if __name__ == "__main__":
    main()
