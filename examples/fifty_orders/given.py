"""Print of each request in a ledger what the model was given: messages, and orders by their ids."""

import json
import re
import sys

from ullage import Ledger

ORDER = re.compile(r"\bORD-\d{4}\b")


def main(path: str, run: str) -> None:
    """Read the bodies of the requests, as they went over the wire."""
    with Ledger.read(path) as ledger:
        for one in ledger.exchanges(run):
            messages = json.loads(one.request_body)["messages"]
            ids = sorted({id for each in messages for id in ORDER.findall(each["content"] or "")})
            span = f"{ids[0]} to {ids[-1]}" if ids else "none"
            print(
                f"request {one.number}: HTTP {one.status}, {len(messages)} messages, "
                f"{len(ids)} orders: {span}"
            )


if __name__ == "__main__":
    main(*sys.argv[1:])
