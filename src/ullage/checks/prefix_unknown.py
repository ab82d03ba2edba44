"""`prefix-unknown`: the server adds messages that no request shows."""

from collections.abc import Iterator

from ullage.checks.served import Served, finding
from ullage.transcript.finding import Finding

NAME = "prefix-unknown"


def check(served: Served) -> Iterator[Finding]:
    """Note it once a conversation."""
    request = served.exchange.request
    if request is None or not request.unseen or not served.first:
        return
    advice = (
        "The request goes on from what the server keeps: what the model saw before these messages "
        "is not in it, so nothing is said about it here."
    )
    yield finding(served, NAME, "note", advice, {"by": list(request.unseen)})
