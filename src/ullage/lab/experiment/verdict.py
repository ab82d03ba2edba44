"""Whether a run's answer is right; and where it is wrong, what went wrong."""

import re
from collections.abc import Iterable
from typing import Literal

from ullage.lab.environment.second_path import LISTING
from ullage.lab.experiment.key import Key
from ullage.lab.experiment.recorded import Recorded
from ullage.lab.experiment.revealed import revealed

Wrong = Literal["evidence-lost", "arrived-unused", "arrived-misread", "other"]
"""`evidence-lost`: what tells did not reach the deciding stage. `arrived-…`: it did, and the answer
was `unknown` or none, or a definite other one. `other`: no answer was given."""
NONE, UNKNOWN = "none", "unknown"
NUMBER = re.compile(r"(?<![\w.])\d+(?![\w])")


def is_correct(answer: str | None, key: Key) -> bool:
    """Whether an answer names the container at fault, or its process, or `none` where none is."""
    if key.culprit is None:
        return answer == NONE
    names = {key.culprit.container, str(key.culprit.ns), *(f"pid {pid}" for pid in key.pids)}
    return answer in names


def is_definite(answer: str | None) -> bool:
    """Whether an answer claims to know: a name, or `none`."""
    return answer not in {None, "", UNKNOWN}


def is_false_alarm(answer: str | None, key: Key) -> bool:
    """Whether an answer names somebody in a healthy recording."""
    return key.culprit is None and is_definite(answer) and answer != NONE


def evidence_lost(run: Recorded, key: Key, arrived: frozenset[str]) -> bool:
    """Whether what tells the answer did not reach the deciding stage.

    `arrived` are the findings that did. Of a culprit, one of them names its process; of a healthy
    recording, the listing was delivered whole: only that tells that there is none, and a finding
    arrived that can say so.
    """
    if key.culprit is None:
        return not arrived or not listed_whole(run)
    if revealed(run, key).path == "none":
        return True
    recorded = [one.arguments for one in run.made if one.tool == "record_finding"]
    return names(recorded, key) and not names(arrived, key)


def names(texts: Iterable[str], key: Key) -> bool:
    """Whether a text names the process at fault."""
    wanted = {str(pid) for pid in key.pids}
    return any(wanted & set(NUMBER.findall(text)) for text in texts)


def listed_whole(run: Recorded) -> bool:
    """Whether every record of the listing was delivered, in one text or in pages."""
    for one in run.made:
        if one.tool != LISTING or one.delivered is None:
            continue
        rows = one.produced.count('"reclaim_ms"')
        texts = [one.delivered] + [
            page.delivered or "" for page in run.made if page.tool == "read_result"
        ]
        if "".join(texts).count("reclaim_ms") >= rows:
            return True
    return False


def wrong(run: Recorded, key: Key, arrived: frozenset[str]) -> Wrong | None:
    """Return what went wrong, None where the answer is right."""
    if is_correct(run.answer, key):
        return None
    if run.answer is None:
        return "other"
    if evidence_lost(run, key, arrived):
        return "evidence-lost"
    return "arrived-misread" if is_definite(run.answer) else "arrived-unused"
