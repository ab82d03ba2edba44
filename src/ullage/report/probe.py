"""What a probe says of a harness: on one screen, as a document, as a table in Markdown."""

import shlex
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from ullage.probe.plan import Found
from ullage.probe.tried import Tried
from ullage.probe.verdict.cap import Cap
from ullage.report.findings import print_findings, worst_first
from ullage.report.markdown import cell
from ullage.report.markdown import table as markdown_table
from ullage.report.probe_words import cap_words, case_words, threshold_words, told
from ullage.transcript.counted import many
from ullage.transcript.finding import Finding

SCHEMA = "ullage.probe/1"
COHORT = "scripted"


@dataclass(frozen=True, slots=True, kw_only=True)
class Probed:
    """All that was tried with a command; `ledger` is None where nobody wanted to keep one.

    `searched` counts the cases of a search, which are not in `tried`.
    """

    command: Sequence[str]
    seed: str
    model: str
    tried: Sequence[Tried]
    found: Sequence[Found] = ()
    cap: Cap | None = None
    searched: int = 0
    ledger: Path | None = None

    @property
    def findings(self) -> list[Finding]:
        """What is wrong, case by case."""
        return [finding for one in self.tried for finding in one.findings]


def print_probe(console: Console, probed: Probed) -> None:
    """Print what came of each case, what is wrong, and what to do."""
    for line in opening(probed):
        console.print(Text(line))
    if probed.tried:
        console.print()
        console.print(cases_table(probed.tried))
    lines = [*map(threshold_words, probed.found), *([cap_words(probed.cap)] if probed.cap else [])]
    if lines:
        console.print()
    for line in lines:
        console.print(Text(line))
    findings = worst_first(probed.findings)
    if findings:
        console.print()
        print_findings(console, findings)
    for line in closing(probed):
        console.print(Text(line))


def opening(probed: Probed) -> Iterator[str]:
    """Yield what was tried, and how."""
    searched = f" and {probed.searched} in a search" if probed.searched else ""
    yield (
        f"{shlex.join(probed.command)}: {many(len(probed.tried), 'case')}{searched}, answered by a "
        "script (no model was asked)."
    )


def closing(probed: Probed) -> Iterator[str]:
    """Yield what is said in the end: that nothing was lost, and where all of it is."""
    seen = [one for one in probed.tried if one.is_measured]
    done = all(one.outcome.kind == "measured" for one in probed.tried)
    if seen and done and not probed.findings:
        yield f"Nothing lost in {many(len(seen), 'case')}."
    if probed.ledger is not None and seen:
        yield f"Recorded in {probed.ledger}, a run for each case: {', '.join(names(probed))}."
    yield f"The same records again: --seed {probed.seed}"


def names(probed: Probed) -> list[str]:
    """Return the names of the runs, the first and the last where there are many."""
    tags = [one.case.tag for one in probed.tried]
    return tags if len(tags) <= 3 else [tags[0], "…", tags[-1]]


def cases_table(tried: Sequence[Tried]) -> Table:
    """Return a line for each case."""
    table = Table(box=None, pad_edge=False, padding=(0, 2), show_header=True)
    for name in ("case", "what came of it", "requests"):
        table.add_column(name, justify="right" if name == "requests" else "left")
    for one in tried:
        table.add_row(Text(case_words(one.case)), Text(told(one)), str(one.requests))
    return table


def probe_document(probed: Probed) -> dict[str, object]:
    """Return `ullage.probe/1`."""
    return {
        "schema": SCHEMA,
        "command": list(probed.command),
        "cohort": COHORT,
        "model": probed.model,
        "seed": probed.seed,
        "ledger": None if probed.ledger is None else str(probed.ledger),
        "cases": [case_members(one) for one in probed.tried],
        "searched": probed.searched,
        "thresholds": [threshold_members(one) for one in probed.found],
        "history_cap": None if probed.cap is None else cap_members(probed.cap),
        "summary": {"by_check": dict(Counter(one.check for one in probed.findings))},
    }


def case_members(one: Tried) -> dict[str, object]:
    """Return one case as a member of the document; its seed stands at the top."""
    case = {name: value for name, value in asdict(one.case).items() if name != "seed"}
    return {
        **case,
        "outcome": asdict(one.outcome),
        **(one.verdict.to_dict() if one.verdict else {}),
        **details(one),
        "requests": [asdict(each) for each in one.asked],
        "answers": list(one.answers),
        "findings": [finding.to_dict() for finding in one.findings],
    }


def details(one: Tried) -> dict[str, object]:
    """Return what a kind of case shows, under the kind's name; of a history, what was kept."""
    verdict = one.verdict
    if verdict is None:
        return {}
    known = {
        name: asdict(value)
        for name in ("history", "handoff", "length", "overflow", "handle", "loop")
        if (value := getattr(verdict, name)) is not None
    }
    known.get("history", {}).pop("held", None)  # a line a request: it is in the ledger
    return {**known, "auxiliary": [asdict(each) for each in verdict.auxiliary]}


def cap_members(cap: Cap) -> dict[str, object]:
    """Return the limit of a history as a member of the document."""
    others = [
        {"unit": unit, "low": within.low, "high": within.high}
        for unit, within in cap.others.items()
    ]
    return {
        "acts": cap.acts,
        "unit": cap.unit,
        "low": cap.low,
        "high": cap.high,
        "certainty": cap.certainty,
        "others": others,
    }


def threshold_members(found: Found) -> dict[str, object]:
    """Return a threshold as a member of the document."""
    case = found.case
    return {
        "kind": case.kind,
        "format": case.format,
        "returns": case.returns,
        "tried": dict(found.threshold.tried),
        "kept": found.threshold.kept,
        "lost": found.threshold.lost,
        "monotone": found.threshold.monotone,
        "limits": [] if found.limit is None else [asdict(one) for one in found.limit.fits],
        "shapes": [
            {
                "format": shape.format,
                "lines": shape.lines,
                "wide": shape.wide,
                "kept": one.kept,
                "lost": one.lost,
            }
            for shape, one in found.thresholds
        ],
    }


def probe_markdown(probed: Probed) -> str:
    """Return a table of the cases, and the findings below it."""
    rows = [
        (case_words(one.case), told(one), ", ".join(checks(one)) or "none") for one in probed.tried
    ]
    blocks = [
        f"## Ullage probe: {cell(shlex.join(probed.command))}",
        "\n".join(cell(line) for line in opening(probed)),
        markdown_table(("case", "what came of it", "findings"), rows),
        *(f"- {cell(threshold_words(one))}" for one in probed.found),
        *([f"- {cell(cap_words(probed.cap))}"] if probed.cap else []),
        *(f"- {cell(one.check)}: {cell(one.advice)}" for one in once(probed.findings)),
    ]
    return "\n\n".join(blocks) + "\n"


def checks(one: Tried) -> list[str]:
    """Return the checks that found something in a case, each once."""
    return list(dict.fromkeys(finding.check for finding in one.findings))


def once(findings: Sequence[Finding]) -> list[Finding]:
    """Return the first finding of each check, the worst first."""
    first: dict[str, Finding] = {}
    for one in worst_first(findings):
        first.setdefault(one.check, one)
    return list(first.values())
