"""The page of the adapters: what arrives before and after, and what it takes to switch one on."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.adapters.lines import lines_added
from benchmarks.survey.manifest import FITTED, ROOT, Harness
from benchmarks.survey.tables import grade

from ullage.report.markdown import table

Members = Mapping[str, Any]
PAGE = ROOT / "docs" / "reference" / "adapters.md"
SMALL, LARGE, TURNS = 33_000, 200_000, 12
NOTHING = "-"
SAID = """# Adapters, before and after

Each framework is the real package, in an environment of its own, with pinned versions, on the
scripted model of `ullage probe run`: as it comes, and with Ullage at 4,000 tokens for a result and
16,000 for a request. Figures are read from the requests, *before → after*. `make adapters` makes
the environments, runs each adapter's tests and both probes, and writes this page anew; how to
switch one on is in [adapters.md](../adapters.md)."""
RESULTS_SAID = """## A result of a tool

Records that arrive whole in the next request, of one line of JSON. A framework that cuts nothing
delivers all of them and fills its window with them; with Ullage whole records are left out, and the
first, the last, unusual ones and an even sample stay. *told*: what the model is told of it.
*valid*: the text is still JSON, for a returned text and a returned object."""
HISTORY_SAID = """## Twelve turns, each with a result of 33,000 characters

What the user said that stands in the last request, the size of the requests of the last turn (two:
a call, an answer), and what becomes of a request over some 20,000 tokens, which the scripted
provider refuses."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Adapted:
    """A harness with what was found of it."""

    harness: Harness
    document: Members

    @property
    def label(self) -> str:
        """Its name and version."""
        return f"{self.harness.title.partition(',')[0]} {self.document.get('version', '')}".strip()

    @property
    def has_history(self) -> bool:
        """Whether its adapter sees the requests: that of a server does not."""
        return any("history" in one.cases for one in self.harness.variants)

    def pair(self, look: "Look") -> str:
        """Return what is seen before and after."""
        before, after = (look(self.document.get(name, {})) for name in ("default", FITTED))
        return f"{before} → {after}"


class Look:
    """What is read from a document of a probe: a case, and what of it."""

    def __init__(self, kind: str, what: Any, **members: object) -> None:
        self.kind, self.what, self.members = kind, what, members

    def __call__(self, document: Members) -> str:
        """Return a cell; a dash where the case is not there."""
        for one in document.get("cases", ()):
            if one["kind"] == self.kind and all(
                one[name] == value for name, value in self.members.items()
            ):
                return str(self.what(one))
        return NOTHING


def write(harnesses: Sequence[Harness], results: Path) -> Path:
    """Write the page of the results that are there; return where it is."""
    found = [Adapted(harness=one, document=known(results, one)) for one in harnesses]
    PAGE.parent.mkdir(parents=True, exist_ok=True)
    PAGE.write_text(page(found), encoding="utf-8")
    return PAGE


def known(results: Path, harness: Harness) -> Members:
    """Return what is known of a harness."""
    path = results / f"{harness.name}.json"
    if not path.exists():
        return {"why": "not run yet"}
    document: Members = json.loads(path.read_text(encoding="utf-8"))
    return document


def page(found: Sequence[Adapted]) -> str:
    """Return the page as Markdown."""
    seen = [one for one in found if "why" not in one.document]
    blocks = [SAID, *(measured(seen) if seen else ())]
    missing = [(one.label, str(one.document["why"])) for one in found if "why" in one.document]
    if missing:
        blocks += ["## Not measured", table(("adapter", "why"), missing)]
    return "\n\n".join(blocks) + "\n"


def measured(seen: Sequence[Adapted]) -> Sequence[str]:
    """Return when it was measured, and the tables of what was found."""
    dates = sorted({str(one.document["at"]) for one in seen})
    return (
        f"Measured {' to '.join(dict.fromkeys((dates[0], dates[-1])))}.",
        table(("adapter", "lines that a user adds", "its tests"), [taking(one) for one in seen]),
        RESULTS_SAID,
        table(
            (
                "adapter",
                "of 33,000 characters",
                "of 200,000",
                "told",
                "valid, text",
                "valid, object",
            ),
            [result(one) for one in seen],
        ),
        HISTORY_SAID,
        table(
            ("adapter", "turns", "kB, last turn", "a request too large"),
            [history(one) for one in seen if one.has_history],
        ),
    )


def taking(one: Adapted) -> Sequence[str]:
    """Return the row of what it takes."""
    name = one.harness.name.replace("-", "_")
    return one.label, str(lines_added(name)), str(one.document["tests"])


def result(one: Adapted) -> Sequence[str]:
    """Return the row of a result."""
    text = {"returns": "text", "format": "json"}
    return (
        one.label,
        one.pair(Look("result", arrived, size=SMALL, **text)),
        one.pair(Look("result", arrived, size=LARGE, **text)),
        one.pair(Look("result", told, size=LARGE, **text)),
        one.pair(Look("result", valid, size=LARGE, **text)),
        one.pair(Look("result", valid, size=LARGE, returns="object", format="json")),
    )


def history(one: Adapted) -> Sequence[str]:
    """Return the row of a history."""
    return (
        one.label,
        one.pair(Look("history", kept, turns=TURNS, size=SMALL)),
        one.pair(Look("history", size_of_last, turns=TURNS, size=SMALL)),
        one.pair(Look("overflow", reaction)),
    )


def arrived(case: Members) -> str:
    """Say how many records arrived whole."""
    return f"{case['rows_delivered']} of {case['rows_produced']}"


def told(case: Members) -> str:
    """Say what the model was told of what is missing."""
    return grade(case["notice"])


def valid(case: Members) -> str:
    """Say whether the text keeps its syntax."""
    return "yes" if case["valid"] else f"no ({case.get('syntax', 'broken')})"


def kept(case: Members) -> str:
    """Say how many turns are left."""
    found = case.get("history")
    return f"{len(found['kept'])} of {found['said']}" if found else NOTHING


def size_of_last(case: Members) -> str:
    """Say how large the last request is."""
    found = case.get("history")
    return f"{found['sizes'][-1] / 1000:.0f}" if found and found["sizes"] else NOTHING


def reaction(case: Members) -> str:
    """Say what was done about a refused prompt."""
    found = case.get("overflow")
    return str(found["reaction"]).replace("-", " ") if found else str(case["outcome"]["kind"])
