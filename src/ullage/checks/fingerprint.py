"""What makes two findings the same one, in another run and on another machine."""

import hashlib
import json
from collections.abc import Mapping

from ullage.transcript.finding import Finding

# Members of the evidence that say what a finding is about. All others are figures and places:
# they move with each line that is added, and with each version that counts better.
ABOUT = ("id", "field", "part", "setting")


def fingerprint(finding: Finding, place: str | None, session: str | None) -> str:
    """Return 32 hexadecimal digits for a finding in a file and session of this name, or in none.

    They rest on check, boundary, tool, file, session, call and on what the evidence is about; not
    on the line, the figures, the severity or the advice.
    """
    return digest(
        {
            "check": finding.check,
            "boundary": finding.boundary,
            "tool": finding.tool,
            "session": session,
            "call_id": finding.call_id,
        },
        finding.evidence,
        place,
    )


def session_in(session: str | None, path: str | None) -> str | None:
    """Return what a session is called inside its file; None where it goes by the file's path.

    Conversations of a file without names of their own are called by its path and a number.
    """
    if session is None or path is None or not session.startswith(path):
        return session
    return session.removeprefix(path) or None


def digest(named: Mapping[str, object], evidence: Mapping[str, object], place: str | None) -> str:
    """Return the digits for the members of a finding."""
    about = {key: evidence[key] for key in ABOUT if key in evidence}
    text = json.dumps([named, about, place], sort_keys=True, ensure_ascii=True, default=str)
    return hashlib.blake2b(text.encode("ascii"), digest_size=16).hexdigest()
