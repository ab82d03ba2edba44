"""Audits by hand, and the texts that no report may stumble over."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any

from hypothesis import strategies as st
from tests.checks.findings import PLACES, finding

from ullage.checks.checklist import checklist
from ullage.checks.gate import judge
from ullage.checks.scan import NAMES, Named, scan
from ullage.checks.suppress import Suppression
from ullage.report.audit import Audit
from ullage.transcript.finding import Finding


def audit(
    *findings: Finding,
    baseline: Mapping[str, int] | None = None,
    suppressions: Sequence[Suppression] = (),
    sessions: Sequence[Named] = (),
    **more: Any,
) -> Audit:
    """Findings in an otherwise empty scan."""
    done = replace(scan([]), sessions=sessions)
    return Audit(
        scan=done,
        gate=judge(
            findings, PLACES, date(2027, 1, 31), baseline=baseline, suppressions=suppressions
        ),
        items=checklist(done.observable, findings),
        places=PLACES,
        checks=NAMES,
        version="1.2.3",
        **more,
    )


# Lone surrogates, control characters and all that ends a line somewhere stand among these.
TEXTS = (
    st.text()
    | st.text(st.characters())
    | st.sampled_from(
        [
            "\ud83d",
            "\x00\x1b[31m",
            "a\r\nb\u2028c\x85d\x0b",
            "]]>&<'\"",
            "::error::x",
            "|`*_<b>",
            "%0A,:",
        ]
    )
)
FINDINGS = st.builds(
    finding,
    st.sampled_from(["silent-cut", "a-new-check"]),
    severity=st.sampled_from(["note", "warning", "error"]),
    boundary=st.sampled_from([None, "serve"]),
    evidence=st.dictionaries(TEXTS, TEXTS | st.integers() | st.none(), max_size=3),
    path=TEXTS | st.none(),
    line=st.none() | st.integers(min_value=1),
    session=TEXTS | st.none(),
    tool=TEXTS | st.none(),
    call_id=TEXTS | st.none(),
    advice=TEXTS,
)
AUDITS = st.lists(FINDINGS, max_size=4).map(
    lambda found: audit(
        *found,
        suppressions=[Suppression(check="silent-cut", reason="\x1b\n|", tool="orders")],
        checklist=True,
    )
)
