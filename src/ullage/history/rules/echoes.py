"""`echoes`: a command that repeats, thing by thing, that it did what it was told to do."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from ullage.history.piece import Piece
from ullage.history.rules.failing import alarms, failed, is_loud
from ullage.history.rules.files import is_read
from ullage.history.rules.lines import FEWEST, has_lines, without
from ullage.history.rules.results import Result, results_of
from ullage.history.rules.rule import Guard, Proposal
from ullage.transcript.counted import many

NAME = "echoes"
LONGEST = 500

DONE = "created|configured|unchanged|serverside-applied|patched|labeled|annotated|deleted|restarted"
ECHOES: Mapping[str, re.Pattern[str]] = {
    "kubectl": re.compile(
        rf"[\w.\-]+(?:/[\w.:\-]+| \"[^\"]+\") (?:{DONE})(?: \((?:server )?dry run\))?"
    ),
    "git": re.compile(
        r"(?:add|remove) '.+'| ?(?:create|delete) mode \d{6} .+| ?rename .+ \(\d+%\)"
        r"|warning: (?:in the working copy of '.+', )?LF will be replaced by CRLF.*"
    ),
    "files": re.compile(
        r"(?:renamed |copied )?'.+' -> '.+'|removed (?:directory )?'.+'"
        r"|mkdir: created directory '.+'"
    ),
    "archive": re.compile(r" *(?:inflating|creating|extracting|linking|adding): \S.*"),
    "terraform": re.compile(
        r"\S+: (?:(?:Refreshing state|Reading"
        r"|(?:Still )?(?:[Cc]reating|[Mm]odifying|[Dd]estroying))"
        r"\.\.\.|(?:Read|Creation|Modifications|Destruction) complete after).*"
    ),
    "ansible": re.compile(r"(?:ok|changed|skipping|included): \[.+\].*"),
    "shell": re.compile(r"\+{1,4} \S.*"),
}
"""By whose lines they are. A line counts only where all of it is an echo."""

LISTS = re.compile(r"(?:^|[\s;&|])(?P<by>rsync|tar|cp|mv|unzip)\s+(?:\S+\s+)*?-\w*v", re.MULTILINE)
"""Commands that with `-v` write the bare path of each file."""
PATH = re.compile(r"(?:\./)?[\w.@+~\-]+(?:/[\w.@+~ \-]*)*")


def echoes(pieces: Sequence[Piece], guard: Guard) -> Iterator[Proposal]:
    """Propose results without the lines that only repeat what the command was told to do."""
    for one in results_of(pieces, guard):
        if not has_lines(one) or is_read(one) or failed(one):
            continue
        lines = one.text.split("\n")
        by = echoing(one, lines)
        if len(by) < FEWEST:
            continue
        alarmed = alarms(lines)
        taken = {at: kind for at, kind in by.items() if not alarmed[at]}
        if len(taken) < FEWEST or is_loud(alarmed):
            continue
        counts = Counter(taken.values()).most_common()
        gone = "each the echo of a success: " + ", ".join(
            f"{kind} {times}" for kind, times in counts
        )
        why = (
            f"{len(taken)} of {many(len(lines), 'line')} are echoes of {many(len(counts), 'kind')}"
        )
        yield without(one, lines, taken, gone, NAME, why)


def echoing(one: Result, lines: Sequence[str]) -> dict[int, str]:
    """Return the lines that are echoes, and by whose."""
    verbose = LISTS.search(one.command) if one.command and len(one.command) <= LONGEST else None
    by = verbose["by"] if verbose else None
    found = {}
    for at, line in enumerate(lines):
        text = line.rstrip("\r")
        if not text or len(text) > LONGEST:
            continue
        kind = next((name for name, like in ECHOES.items() if like.fullmatch(text)), None)
        if kind is None and by is not None and "/" in text and PATH.fullmatch(text):
            kind = by
        if kind is not None:
            found[at] = kind
    return found
