"""Checks that are off unless they are asked for: too many false alarms or misses, or not measured.

The figures are in docs/audit-figures.md. A check is on where the lower bound of its precision is
0.90 or more and its recall is 0.95 or more, in injected losses and in findings that were read.
"""

from collections.abc import Collection, Iterable

from ullage.transcript.finding import Finding

EXPERIMENTAL: frozenset[str] = frozenset()
"""Their names. `ullage scan --experimental` asks for all, `--fail-on NAME` for one."""


def asked_for(
    findings: Iterable[Finding],
    wanted: Collection[str],
    off: Collection[str] = EXPERIMENTAL,
) -> list[Finding]:
    """Return the findings without those of experimental checks that nobody wants."""
    return [one for one in findings if one.check not in off or one.check in wanted]
