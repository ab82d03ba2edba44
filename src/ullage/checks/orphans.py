"""`orphan-result` and `orphan-call`: a result without its call, a call without its result."""

import re
from collections.abc import Iterator, Mapping, Sequence

from ullage.checks.session import Session, finding
from ullage.transcript.finding import Finding
from ullage.wire.results import is_result

RESULT = "orphan-result"
CALL = "orphan-call"
NAMES = (RESULT, CALL)

# Calls that the provider's own server carries out, and answers in the same reply.
SERVER = re.compile(r"\A(?:srvtoolu_|ws_|ci_|fs_|ig_|mcp_|cu_)")
SERVER_TOOLS = re.compile(
    r"\A(?:web_search|web_fetch|code_interpreter|file_search|image_generation|"
    r"code_execution|google_search|computer_use_preview|tool_search)",
)


def check(session: Session) -> Iterator[Finding]:
    """Report each in the whole transcript, then those that a compaction tore apart."""
    entries = session.entries
    if not any(one.message.answers for one in entries):
        return  # this harness does not name calls by ids
    told = {(RESULT, one) for one in fragment(session)}
    yield from orphans(session, [at for at, one in enumerate(entries) if one.in_context], told)
    answers = {one.message.answers: at for at, one in enumerate(entries) if one.message.answers}
    compactions = session.transcript.compactions
    for number, compaction in enumerate(compactions):
        if compaction.after is None:
            continue
        # What comes behind it, to the next one, may answer a call that was kept.
        end = compactions[number + 1].at if number + 1 < len(compactions) else len(entries)
        kept = set(compaction.after)
        fresh = [at for at in range(compaction.at, end) if at not in kept]
        order = [*compaction.after, *(at for at in fresh if entries[at].in_context)]
        yield from orphans(session, order, told, number, answers)


def fragment(session: Session) -> Iterator[str]:
    """Yield the calls that a log which begins in the middle holds no more: a request has all."""
    if session.transcript.form == "exchanges":
        return
    for entry in session.entries:
        if entry.message.calls:
            return
        if entry.message.answers:
            yield entry.message.answers


def orphans(
    session: Session,
    order: Sequence[int],
    told: set[tuple[str, str]],
    compaction: int | None = None,
    answers: Mapping[str, int] | None = None,
) -> Iterator[Finding]:
    """Report results and calls without their others among entries in force.

    Behind a compaction, a call that is answered after its stretch is no orphan: `answers` says
    where each call is answered last.
    """
    calls: dict[str, int] = {}
    results: set[str] = set()
    nameless = False
    last = max((at for at in order if session.entries[at].message.role == "assistant"), default=-1)
    for at in order:
        message = session.entries[at].message
        calls.update({one.call_id: at for one in message.calls if one.call_id})
        nameless = nameless or any(one.call_id is None for one in message.calls)
        if not (message.answers and is_result(message)):
            continue
        results.add(message.answers)
        if nameless:
            continue  # it may answer the call whose id was not written down
        if message.answers not in calls and (RESULT, message.answers) not in told:
            told.add((RESULT, message.answers))
            yield report_result(session, at, compaction)
    for call_id, at in calls.items():
        if at == last or call_id in results or is_served(session, at, call_id):
            continue
        if answers is not None and answers.get(call_id, -1) > order[-1]:
            continue
        if (CALL, call_id) not in told and at >= session.transcript.shared:
            told.add((CALL, call_id))
            yield report_call(session, at, call_id, compaction)


def is_served(session: Session, at: int, call_id: str) -> bool:
    """Whether the provider's own server answers a call."""
    names = (one.name for one in session.entries[at].message.calls if one.call_id == call_id)
    return SERVER.match(call_id) is not None or any(SERVER_TOOLS.match(one) for one in names)


def report_result(session: Session, at: int, compaction: int | None) -> Finding:
    """Return the finding about a result without its call."""
    call_id = session.entries[at].message.answers
    advice = (
        f"The result of call {call_id} stands in the history without that call. Strict providers "
        "refuse the request (400), lenient ones let the model guess what it answers. Trim a call "
        "and all its results together: ullage compact does."
    )
    evidence = {"call_id": call_id, "message": at + 1, "after_compaction": compaction is not None}
    return finding(session, at, RESULT, "error", "retain", advice, evidence)


def report_call(session: Session, at: int, call_id: str, compaction: int | None) -> Finding:
    """Return the finding about a call without its result."""
    name = next(one.name for one in session.entries[at].message.calls if one.call_id == call_id)
    advice = (
        f"The call {call_id} of {name} has no result, and the model went on. Its result was lost, "
        "or trimmed away without its call: keep both or neither, and answer a call that was "
        "broken off with an error."
    )
    evidence = {
        "call_id": call_id,
        "tool": name,
        "message": at + 1,
        "after_compaction": compaction is not None,
    }
    return finding(session, at, CALL, "error", "retain", advice, evidence)
