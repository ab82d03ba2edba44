"""`duplicate-key` and `lone-surrogate` in results: what a reader drops or refuses."""

from collections.abc import Iterator

from ullage.checks.session import Session, finding
from ullage.cutter.faults import faults
from ullage.transcript.finding import Finding

DUPLICATE = "duplicate-key"
SURROGATE = "lone-surrogate"
NAMES = (DUPLICATE, SURROGATE)

ADVICE = {
    DUPLICATE: (
        "An object in the result of {tool} has the key {key!r} twice: most readers keep the last "
        "and drop the others without a word. Use one key with a list."
    ),
    SURROGATE: (
        "The result of {tool} holds half of a character (a lone surrogate): it was cut or joined "
        "by UTF-16 units, and some providers refuse the request. Cut by characters, and encode "
        "with errors='strict' where the text is made."
    ),
}


def check(session: Session) -> Iterator[Finding]:
    """Report each key that stands twice in an object, and halves of characters in JSON."""
    for one in session.results:
        if not one.counted or not may_hold(one.text):
            continue
        for noticed in faults(one.text, one.text):
            advice = ADVICE[noticed.check].format(tool=one.tool, key=noticed.evidence.get("key"))
            yield finding(
                session, one.entry, noticed.check, "warning", "serialise", advice, noticed.evidence
            )


def may_hold(text: str) -> bool:
    """Whether a text is JSON to the look, or holds half of a character as itself.

    An escaped half in other text may be a program's source, which is about them.
    """
    return text.lstrip()[:1] in ("{", "[", '"') or (
        not text.isascii() and any("\ud800" <= one <= "\udfff" for one in text)
    )
