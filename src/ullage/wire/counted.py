"""Replies to requests that have a prompt counted and nothing answered, of every provider."""

from ullage.transcript.served import Usage
from ullage.wire.draft import Draft
from ullage.wire.members import number, read_object
from ullage.wire.reply import Reply

NAMES = ("input_tokens", "totalTokens")


def read_reply(body: bytes) -> Reply:
    """Read a count as a reply: its tokens are the input of the usage."""
    document = read_object(body)
    tokens = number(document, *NAMES)
    draft = Draft(ended=bool(document), known=tokens is not None, wrote=True)
    draft.usage = None if tokens is None else Usage(input=tokens)
    if document.get("error"):
        draft.fail(document)
    return draft.done()
