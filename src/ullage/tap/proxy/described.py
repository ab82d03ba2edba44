"""What an exchange is called in sentences for people."""

from ullage.ledger import redact
from ullage.ledger.records import ExchangeRecord

# A key of no ledger: a placeholder on the screen tells nothing about those in a file.
NO_KEY = bytes(32)


def described(record: ExchangeRecord) -> str:
    """Name an exchange by its method and path, without what is secret in it, for people's eyes."""
    secrets = redact.header_secrets(record.request_headers)
    known = redact.NOTHING_KNOWN.learn(redact.marks(secrets, NO_KEY))
    path = record.path.encode("utf-8", "backslashreplace")
    clean = redact.redact(path, key=NO_KEY, known=known).data
    return f"{record.method} {clean.decode('utf-8', 'backslashreplace')}"
