"""What each summary in a session lost: the checks of a compaction, over a whole transcript."""

from collections.abc import Iterator
from dataclasses import replace

from ullage.checks.compaction_checks import compaction_findings
from ullage.checks.session import Session, finding
from ullage.transcript.finding import Finding


def check(session: Session) -> Iterator[Finding]:
    """Report what the summaries of a session lost of its task, instructions, rules and steps.

    A summary that cannot be read (encrypted), and one whose context before or after is not known,
    is passed over. `message` in the evidence is the entry of the session, from 1.
    """
    whole = session.transcript
    for number, one in enumerate(whole.compactions):
        post = whole.post(number)
        if one.act != "summarise" or one.opaque or not one.summary or post is None:
            continue
        pre = whole.pre(number)
        found = compaction_findings(
            [whole.entries[at].message for at in pre], [whole.entries[at].message for at in post]
        )
        for lost in found:
            evidence = dict(lost.evidence)
            message = evidence.get("message")
            if isinstance(message, int):
                evidence["message"] = pre[message] + 1
            placed = finding(
                session,
                one.summary[0],
                lost.check,
                lost.severity,
                lost.boundary,
                lost.advice,
                evidence,
            )
            yield replace(placed, tool=None, call_id=None)
