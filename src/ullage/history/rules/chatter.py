"""`chatter`: lines that say that one more of many went well."""

import re
from collections.abc import Iterator, Sequence

from ullage.cutter.test_report import RUNNERS
from ullage.history.piece import Piece
from ullage.history.rules.failing import alarms, failed, is_loud
from ullage.history.rules.files import is_read
from ullage.history.rules.lines import FEWEST, has_lines, without
from ullage.history.rules.results import results_of
from ullage.history.rules.rule import Guard, Proposal
from ullage.transcript.counted import many

NAME = "chatter"
LONGEST = 400

CHATTER = re.compile(
    # pip
    r"Requirement already (?:satisfied|up-to-date): .*|Collecting \S.*"
    r"|Looking in (?:indexes|links): .*|Obtaining dependency information for .*"
    r"|\s*(?:Downloading|Using cached|Created wheel for|Stored in directory:?|Found existing) \S.*"
    r"|\s*(?:Installing build dependencies|Getting requirements to build wheel"
    r"|Preparing metadata|Building wheel for) ?.*(?:\.\.\.|status 'done')"
    # apt and dpkg
    r"|(?:Get|Hit|Ign):\d+ \S.*|Reading (?:package lists|state information).*"
    r"|Building dependency tree.*|\(Reading database .*|Selecting previously unselected package .*"
    r"|Preparing to unpack .*|Unpacking \S+ .*|Setting up \S+ .*|Processing triggers for .*"
    # npm, cargo, go, maven, ninja
    r"|npm (?:http fetch|timing|sill|verb|info) .*"
    r"|\s+(?:Compiling|Checking|Fresh|Downloaded|Adding) \S+ v\d.*"
    r"|go: downloading .*|\[INFO\] Download(?:ing|ed) from .*"
    r"|\[\d+/\d+\] (?:Building|Compiling|Linking|CXX|CC|Copying|Generating) .*"
    # anybody
    r"|\W*(?i:ok|okay|done|success|passed|completed)\W*|\s*[✓✔√] \S.*"
    r"|\S.*(?:\.\.\.|:) ?(?i:ok|done|passed)"
)


def chatter(pieces: Sequence[Piece], guard: Guard) -> Iterator[Proposal]:
    """Propose results without their lines of success, where nothing in them failed."""
    for one in results_of(pieces, guard):
        if not has_lines(one) or is_read(one) or failed(one):
            continue
        lines = one.text.split("\n")
        found = [at for at, line in enumerate(lines) if is_chatter(line)]
        if len(found) < FEWEST:
            continue
        alarmed = alarms(lines)
        taken = {at for at in found if not alarmed[at]}
        if len(taken) < FEWEST or is_loud(alarmed):
            continue
        why = f"{len(taken)} of {many(len(lines), 'line')} say that something went well"
        yield without(one, lines, taken, "each of a success", NAME, why)


def is_chatter(line: str) -> bool:
    """Whether a line says that something went well, and nothing else."""
    text = line.rstrip()
    if not text or len(text) > LONGEST:
        return False
    return CHATTER.fullmatch(text) is not None or any(one.passed.match(text) for one in RUNNERS)
