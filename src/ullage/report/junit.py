"""A scan as JUnit XML: a suite for each session, a case for each check."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from xml.etree import ElementTree

from ullage.checks.fingerprint import session_in
from ullage.checks.gate import Judged
from ullage.report.audit import Audit, sentence, standing
from ullage.report.spelled import spelled

UNNAMED = "(no file)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Suite:
    """What was found in one session of one file; `place` is None where no file is known."""

    place: str | None
    session: str | None
    judged: Sequence[Judged]

    @property
    def name(self) -> str:
        """The file and the session, as far as they are known."""
        return " · ".join([self.place or UNNAMED, *([self.session] if self.session else [])])


def junit_text(audit: Audit) -> str:
    """Return the document, in ASCII: what is not is written as a reference.

    A case fails if a finding in it does by `audit.fails`; it is skipped if all that was found in
    it is known or suppressed; else it passes, and what was found stands in its output.
    """
    root = ElementTree.Element("testsuites", name="ullage")
    for suite in suites(audit):
        root.append(suite_element(suite, audit))
    for key in ("tests", "failures", "errors", "skipped"):
        root.set(key, str(sum(int(one.get(key, "0")) for one in root)))
    root.set("time", "0")
    ElementTree.indent(root)
    text: bytes = ElementTree.tostring(root, encoding="us-ascii", xml_declaration=False)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text.decode("ascii")}\n'


def suites(audit: Audit) -> Iterator[Suite]:
    """Yield a suite for each session that was read, in that order, then for what stands apart.

    Findings of one file that name no session of it have a suite of their own.
    """
    found: dict[tuple[str | None, str | None], list[Judged]] = {
        (audit.places.name(one.path), session_in(one.session, one.path)): []
        for one in audit.scan.sessions
    }
    for one in audit.gate.judged:
        found.setdefault((one.place, one.session), []).append(one)
    for (place, session), judged in found.items():
        yield Suite(place=place, session=session, judged=judged)


def suite_element(suite: Suite, audit: Audit) -> ElementTree.Element:
    """Return one session."""
    checks = dict.fromkeys([*sorted(audit.checks), *(one.finding.check for one in suite.judged)])
    cases = [
        case(suite, check, [one for one in suite.judged if one.finding.check == check], audit)
        for check in checks
    ]
    element = ElementTree.Element(
        "testsuite",
        name=spelled(suite.name),
        tests=str(len(cases)),
        failures=str(sum(one.find("failure") is not None for one in cases)),
        errors="0",
        skipped=str(sum(one.find("skipped") is not None for one in cases)),
        time="0",
    )
    element.extend(cases)
    return element


def case(suite: Suite, check: str, judged: Sequence[Judged], audit: Audit) -> ElementTree.Element:
    """Return one check over one session."""
    element = ElementTree.Element("testcase", classname=spelled(suite.name), name=check, time="0")
    if suite.place is not None:
        element.set("file", spelled(suite.place))
    failing: list[Judged] = []
    others: list[Judged] = []
    for one in judged:
        fails = one.state == "new" and audit.fails(one.finding)
        (failing if fails else others).append(one)
    if failing:
        first = failing[0]
        more = f" (and {len(failing) - 1} more)" if len(failing) > 1 else ""
        failure = ElementTree.SubElement(
            element,
            "failure",
            type=first.finding.severity,
            message=spelled(f"{check}{more}: {sentence(first)}"),
        )
        failure.text = "\n\n".join(map(described, failing))
    elif judged and all(one.state != "new" for one in judged):
        ElementTree.SubElement(element, "skipped", message=spelled(standing(judged[0]) or ""))
    if others:
        ElementTree.SubElement(element, "system-out").text = "\n\n".join(map(described, others))
    return element


def described(judged: Judged) -> str:
    """Return one finding in lines: its place, what to do, its figures."""
    found = judged.finding
    line = "" if found.source.line is None else f":{found.source.line}"
    call = f" ({found.call_id})" if found.call_id else ""
    figures = "\n".join(
        f"  {key}: {json.dumps(value, default=str)}" for key, value in found.evidence.items()
    )
    because = standing(judged)
    lines = [
        f"{found.severity} {found.check} · {judged.place or UNNAMED}{line}{call}",
        *([because] if because else []),
        sentence(judged),
        *([figures] if figures else []),
    ]
    return spelled("\n".join(lines))
