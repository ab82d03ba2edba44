"""Findings that somebody has looked at and accepted, each with a reason, for a time or for good."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import date, datetime

from ullage.checks.globs import covers
from ullage.transcript.finding import Finding

WORDS = ("check", "tool", "path", "session", "reason")
KEYS = (*WORDS, "until")


@dataclass(frozen=True, slots=True, kw_only=True)
class Suppression:
    """Which findings are accepted, and why. What is None covers all.

    `path` is a pattern of files from the root; `until` is the last day on which it holds.
    """

    check: str
    reason: str
    tool: str | None = None
    path: str | None = None
    session: str | None = None
    until: date | None = None

    def holds(self, today: date) -> bool:
        """Whether it is still in force."""
        return self.until is None or today <= self.until

    def accepts(self, finding: Finding, place: str | None, session: str | None) -> bool:
        """Whether it covers a finding in a file and session of this name, or in none."""
        return (
            finding.check == self.check
            and self.tool in (None, finding.tool)
            and self.session in (None, session)
            and (self.path is None or (place is not None and covers(self.path, place)))
        )

    def __str__(self) -> str:
        """Return what it covers, for a message."""
        named = {"tool": self.tool, "path": self.path, "session": self.session}
        return " ".join(
            [self.check, *(f"{key}={value!r}" for key, value in named.items() if value is not None)]
        )


def read_suppression(entry: Mapping[str, object], checks: Collection[str]) -> Suppression:
    """Return one entry of a settings file; `checks` are the names that there are.

    Raises ValueError that says what is wrong with it.
    """
    if unknown := sorted(map(str, set(entry) - set(KEYS))):
        raise ValueError(f"unknown {', '.join(unknown)}: choose {', '.join(KEYS)}")
    words = {key: word(entry, key) for key in WORDS}
    check, reason = words.pop("check"), words.pop("reason")
    if check is None:
        raise ValueError('no check: name one, such as check = "silent-cut"')
    if check not in checks:
        raise ValueError(f"check = {check!r} is none: choose {', '.join(checks)}")
    if reason is None or not reason.strip():
        raise ValueError(f'no reason to accept {check}: say why in reason = "…"')
    return Suppression(check=check, reason=reason, until=day(entry), **words)


def word(entry: Mapping[str, object], key: str) -> str | None:
    """Return a member that must be text, or None where it is absent."""
    value = entry.get(key)
    if value is None or isinstance(value, str):
        return value
    raise ValueError(f"{key} = {value!r} is not text: put it in quotes")


def day(entry: Mapping[str, object]) -> date | None:
    """Return the last day on which an entry holds, or None for good."""
    value = entry.get("until")
    if value is None or (isinstance(value, date) and not isinstance(value, datetime)):
        return value
    raise ValueError(f"until = {value!r} is no day: write until = 2027-01-31, without quotes")
