"""What a person made of findings in recorded sessions: read.jsonl, held against a scan of them.

read.jsonl holds no text of a session: the check, the file, the line, the call, `true` or `false`,
and the reader's reason. A finding that is reported now and was never read is counted as such.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random

from ullage.checks.audit import audit
from ullage.transcript.finding import Finding

READ = Path(__file__).parent / "read.jsonl"
MOST = 100
"""So many findings a check count; of more, a sample with a fixed seed."""

Key = tuple[str, str, int | None, str | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    """Findings of one check: how many there are, were read, and were found to be true."""

    findings: int = 0
    read: int = 0
    true: int = 0


def verdicts(corpora: Path) -> Mapping[str, Read]:
    """Scan a folder of recorded sessions, and return what was made of its findings, by check."""
    known: dict[Key, bool] = {}
    for row in map(json.loads, READ.read_text(encoding="utf-8").splitlines()):
        known[row["check"], row["file"], row["line"], row["call"]] = row["verdict"] == "true"
    by_check: dict[str, list[Finding]] = {}
    for one in audit(corpora, experimental=True).findings:
        by_check.setdefault(one.check, []).append(one)
    return {name: counted(found, known, corpora) for name, found in by_check.items()}


def counted(found: list[Finding], known: Mapping[Key, bool], corpora: Path) -> Read:
    """Count the verdicts on the findings of one check."""
    some = found if len(found) <= MOST else Random(1).sample(found, MOST)
    said = [known[key] for one in some if (key := key_of(one, corpora)) in known]
    return Read(findings=len(found), read=len(said), true=sum(said))


def key_of(one: Finding, corpora: Path) -> Key:
    """Return what tells a finding from others in read.jsonl."""
    path = Path(one.source.path or "")
    name = path.relative_to(corpora).as_posix() if path.is_relative_to(corpora) else path.as_posix()
    return one.check, name, one.source.line, one.call_id
