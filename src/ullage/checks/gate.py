"""Which findings of a scan are new: those that no baseline knows, and nobody has accepted."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Literal

from ullage.checks.baseline import baseline_members
from ullage.checks.fingerprint import fingerprint, session_in
from ullage.checks.places import Places
from ullage.checks.suppress import Suppression
from ullage.transcript.finding import Finding

State = Literal["new", "known", "suppressed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """One finding and what is known of it.

    `place` is its file as it is called on every machine, `session` its session in there;
    `occurrence` counts findings of one fingerprint from 1; `reason` says why it is suppressed,
    else None.
    """

    finding: Finding
    place: str | None
    session: str | None
    fingerprint: str
    occurrence: int
    state: State
    reason: str | None = None

    def to_dict(self) -> dict[str, object]:
        """Return the finding's members, then its state."""
        reason = {} if self.reason is None else {"reason": self.reason}
        return {
            **self.finding.to_dict(),
            "fingerprint": self.fingerprint,
            "state": self.state,
            **reason,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Gate:
    """All findings with their states.

    `gone` counts what the baseline knows and was not found again, None without a baseline. `idle`
    are suppressions that covered nothing, `lapsed` those whose day has passed.
    """

    judged: Sequence[Judged]
    gone: int | None
    idle: Sequence[Suppression]
    lapsed: Sequence[Suppression]

    def of(self, state: State) -> list[Judged]:
        """Return the findings in one state."""
        return [one for one in self.judged if one.state == state]

    @property
    def new(self) -> list[Finding]:
        """The findings that count."""
        return [one.finding for one in self.of("new")]

    def to_dict(self) -> dict[str, object]:
        """Return the member `gate` of `ullage.scan/1`."""
        states = Counter(one.state for one in self.judged)
        return {
            "new": states["new"],
            "known": states["known"],
            "suppressed": states["suppressed"],
            "gone": self.gone,
            "suppressions_idle": list(map(str, self.idle)),
            "suppressions_lapsed": list(map(str, self.lapsed)),
        }

    def baseline(self) -> dict[str, object]:
        """Return the members of `ullage.baseline/1`: all findings that are not suppressed."""
        return baseline_members(entry(one) for one in self.judged if one.state != "suppressed")


def entry(one: Judged) -> Mapping[str, object]:
    """Return what a baseline keeps of a finding."""
    found = one.finding
    return {
        "check": found.check,
        "path": one.place,
        "session": one.session,
        "tool": found.tool,
        "call_id": found.call_id,
        "fingerprint": one.fingerprint,
    }


def judge(
    findings: Sequence[Finding],
    places: Places,
    today: date,
    *,
    baseline: Mapping[str, int] | None = None,
    suppressions: Sequence[Suppression] = (),
) -> Gate:
    """Return each finding with its state, in the order that they came in.

    A baseline knows as many findings of one fingerprint as it holds: one more is new. What is
    suppressed is so whether it is known or not.
    """
    force = [one for one in suppressions if one.holds(today)]
    used: set[int] = set()
    seen: Counter[str] = Counter()
    judged = []
    for found in findings:
        path = found.source.path
        place = None if path is None else places.name(path)
        session = session_in(found.session, path)
        accepting = [
            number for number, one in enumerate(force) if one.accepts(found, place, session)
        ]
        used.update(accepting)
        print_ = fingerprint(found, place, session)
        seen[print_] += 1
        known = seen[print_] <= (baseline or {}).get(print_, 0)
        judged.append(
            Judged(
                finding=found,
                place=place,
                session=session,
                fingerprint=print_,
                occurrence=seen[print_],
                state="suppressed" if accepting else "known" if known else "new",
                reason=force[accepting[0]].reason if accepting else None,
            )
        )
    return Gate(
        judged=judged,
        gone=None if baseline is None else (Counter(baseline) - seen).total(),
        idle=[one for number, one in enumerate(force) if number not in used],
        lapsed=[one for one in suppressions if not one.holds(today)],
    )
