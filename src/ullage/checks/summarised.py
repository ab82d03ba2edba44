"""What each compaction of a session lost: its checks, over a whole transcript."""

from collections.abc import Iterator
from dataclasses import replace

from ullage.checks import task_lost
from ullage.checks.compaction_checks import compaction_findings
from ullage.checks.crossed import crossed
from ullage.checks.left import comes_back, compactions
from ullage.checks.session import Session, finding
from ullage.transcript.finding import Finding


def check(session: Session) -> Iterator[Finding]:
    """Report what the summaries of a session lost of its task, instructions, rules and steps.

    Where the history was trimmed or cleared only the task is looked for: the rest is said to be
    gone by `message-lost`. A summary that cannot be read (encrypted), and one whose context before
    or after is not known, is passed over. `message` in the evidence is the entry of the session,
    from 1.
    """
    whole = session.transcript
    for left in compactions(session):
        one, pre, post = left.one, left.pre, left.post
        if post is None or one.opaque or one.act is None:
            continue
        before = [whole.entries[at].message for at in pre]
        after = [whole.entries[at].message for at in post]
        if one.act == "summarise" and one.summary:
            found = compaction_findings(before, after)
        elif one.recorded or not comes_back(session, left):
            found = list(task_lost.check(crossed(before, after, "retain"), reworded=False))
        else:
            continue
        for lost in found:
            evidence = dict(lost.evidence)
            message = evidence.get("message")
            if isinstance(message, int):
                evidence["message"] = pre[message] + 1
            placed = finding(
                session,
                one.summary[0] if one.summary else min(one.at, len(whole.entries) - 1),
                lost.check,
                lost.severity,
                lost.boundary,
                lost.advice,
                evidence,
            )
            yield replace(placed, tool=None, call_id=None)
