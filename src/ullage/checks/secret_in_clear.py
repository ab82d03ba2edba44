"""`secret-in-clear`: a key of a known maker's shape stands in a transcript."""

from collections.abc import Iterator

from ullage.checks.session import Session, finding
from ullage.ledger.shapes import find_keys
from ullage.transcript.finding import Finding
from ullage.transcript.message import Message

NAME = "secret-in-clear"


def check(session: Session) -> Iterator[Finding]:
    """Report each secret once a session, at its first place; only its size is shown."""
    known: dict[bytes, list[int]] = {}
    for at, entry in enumerate(session.entries):
        if at < session.transcript.shared:
            continue
        for text in texts(entry.message):
            data = text.encode("utf-8", "surrogatepass")
            for span in find_keys(data):
                known.setdefault(data[span.start : span.end], []).append(at)
    for secret, places in known.items():
        advice = (
            "Take the key out of use, and keep it out of prompts and logs. A ledger of Ullage "
            "takes secrets out before anything is written."
        )
        evidence = {"characters": len(secret), "times": len(places)}
        yield finding(session, places[0], NAME, "warning", None, advice, evidence)


def texts(message: Message) -> Iterator[str]:
    """Give what a message says, and the arguments of its calls."""
    yield message.text
    for call in message.calls:
        yield call.arguments
