"""The documents of a survey, and what is looked up in them."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.survey.jobs import Job, jobs
from benchmarks.survey.manifest import Harness

Members = Mapping[str, Any]
# What a harness raised, or asked for ever, is a figure of the survey; what it never asked is not.
SEEN = ("measured", "raised", "looped")


@dataclass(frozen=True, slots=True, kw_only=True)
class Surveyed:
    """One setting of a harness, and its document (`ullage.probe/1`); `why`: why there is none."""

    job: Job
    document: Members
    why: str = ""

    @property
    def harness(self) -> Harness:
        """Whose setting it is."""
        return self.job.harness

    @property
    def version(self) -> str:
        """The version that was probed."""
        return str(self.document.get("version") or "n/a")

    def case(self, kind: str, **members: object) -> Members | None:
        """Return the first case of a kind with these members of which something was seen."""
        for one in self.document.get("cases", ()):
            is_it = one["kind"] == kind and all(
                one[name] == value for name, value in members.items()
            )
            if is_it and one["outcome"]["kind"] in SEEN:
                return dict(one)
        return None

    def outcomes(self) -> Sequence[str]:
        """Return what is said of the cases that did not come to their end."""
        known = [one["outcome"] for one in self.document.get("cases", ())]
        return list(dict.fromkeys(one["line"] for one in known if one["kind"] not in SEEN))

    def threshold(self, **members: object) -> Members | None:
        """Return the limit of a result, where one was found."""
        for one in self.document.get("thresholds", ()):
            if all(one[name] == value for name, value in members.items()):
                return dict(one)
        return None


def surveyed(harnesses: Sequence[Harness]) -> list[Surveyed]:
    """Read what is known of each setting."""
    found = []
    for job in jobs(harnesses):
        known = json.loads(job.result.read_text(encoding="utf-8")) if job.result.exists() else {}
        why = str(known.get("why", "")) if known else "not run yet"
        found.append(Surveyed(job=job, document=known, why=why))
    return found
