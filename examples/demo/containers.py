"""The tool result of the demo: a container listing of a published shape, with one culprit.

33,370 characters of compact JSON, `early_list` with 118 records and `late_list` with 128: the shape
reported for a container listing of a 21-container deployment that an agent lost most of. The
records themselves are invented here; only their sizes and counts follow the report.
"""

import json
import random
from dataclasses import dataclass

EARLY, LATE = 118, 128
EARLY_SIZE, LATE_SIZE, FIRST_LATE_SIZE = 198, 76, 77
# The culprit stands in the middle 80 % of the late list: a cut by position cannot favour it.
MARGIN = 0.1
USUAL_CPU = (0.5, 3.0)
CULPRIT_CPU = 97.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """A listing as the tool makes it, and the id of the container that explains the fault."""

    text: str
    culprit: str


def make_listing(seed: int) -> Listing:
    """Make the listing; the same seed gives the same text."""
    rng = random.Random(seed)
    culprit = rng.randrange(round(LATE * MARGIN), round(LATE * (1 - MARGIN)))
    early = [padded(early_record(index, rng), "command", EARLY_SIZE) for index in range(EARLY)]
    late = [
        padded(
            late_record(index, rng, is_culprit=index == culprit),
            "name",
            FIRST_LATE_SIZE if index < 2 else LATE_SIZE,
        )
        for index in range(LATE)
    ]
    text = compact({"early_list": early, "late_list": late})
    return Listing(text=text, culprit=str(late[culprit]["id"]))


def early_record(index: int, rng: random.Random) -> dict[str, object]:
    """Make a container that was there before."""
    return {
        "id": f"e{index:03d}-{rng.randrange(16**6):06x}",
        "image": f"registry.test/team-{rng.randrange(9)}/service-{rng.randrange(100):02d}",
        "cpu_percent": round(rng.uniform(*USUAL_CPU), 2),
        "restarts": rng.randrange(3),
        "command": "run --port 8080 --log-level info --config /etc/service/config.yaml ",
    }


def late_record(index: int, rng: random.Random, *, is_culprit: bool) -> dict[str, object]:
    """Make a container that came later; the culprit differs in one number only."""
    cpu = round(rng.uniform(*USUAL_CPU), 2)
    return {
        "id": f"l{index:03d}-{rng.randrange(16**6):06x}",
        "cpu_percent": CULPRIT_CPU if is_culprit else cpu,
        "name": f"worker-{index:03d}",
    }


def padded(record: dict[str, object], field: str, size: int) -> dict[str, object]:
    """Fit one text field so that the record has exactly `size` characters."""
    text = str(record[field])
    missing = size - len(compact(record))
    record[field] = text + "-" * missing if missing >= 0 else text[:missing]
    return record


def compact(value: object) -> str:
    """Write JSON without spaces."""
    return json.dumps(value, separators=(",", ":"))
