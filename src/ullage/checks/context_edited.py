"""`context-edited`: the server cleared or replaced history that the request still shows."""

from collections.abc import Iterator

from ullage.checks.served import Served, finding
from ullage.transcript.finding import Finding

NAME = "context-edited"


def check(served: Served) -> Iterator[Finding]:
    """Report edits that a reply tells of: by its edits, its blocks or its passes."""
    reply, request = served.exchange.reply, served.exchange.request
    if reply is None:
        return
    edits, compaction = reply.applied_edits or (), reply.compaction
    if compaction is None and not edits:
        return
    asked = bool(request and request.settings.context_edits) or served.exchange.kind == "compact"
    cleared = [one.cleared_input_tokens for one in edits if one.cleared_input_tokens is not None]
    passes = reply.usage.iterations if reply.usage else ()
    evidence = {
        "asked_for": list(request.settings.context_edits) if request else None,
        "applied_edits": None if reply.applied_edits is None else [one.kind for one in edits],
        "cleared_tool_uses": sum(one.cleared_tool_uses or 0 for one in edits) or None,
        "cleared_input_tokens": sum(cleared) if cleared else None,
        "compaction_blocks": compaction.blocks if compaction else 0,
        "compaction_passes": compaction.iterations if compaction else 0,
        "read_tokens": [one.input for one in passes] or None,
    }
    advice = (
        "The model saw less than this request shows: the server cleared or summarised part of it. "
        "What was delivered before cannot be taken from the request log from here on."
    )
    yield finding(served, NAME, "note" if asked else "warning", advice, evidence)
