"""A scan as SARIF 2.1.0, for code scanning and editors."""

from collections.abc import Mapping, Sequence
from urllib.parse import quote

from ullage.checks.catalog import rule
from ullage.checks.gate import Judged
from ullage.checks.places import Places
from ullage.report.audit import Audit, sentence

SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
ROOT = "%SRCROOT%"
PRINT = "ullage/v1"
# The one that GitHub matches alerts by; where it is absent it hashes the line of the file itself.
GITHUB_PRINT = "primaryLocationLineHash"
STATES = {"new": "new", "known": "unchanged", "suppressed": "unchanged"}


def sarif_members(audit: Audit) -> dict[str, object]:
    """Return the members of a SARIF log with one run."""
    rules = sorted({*audit.checks, *(one.finding.check for one in audit.gate.judged)})
    return {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "ullage",
                        "version": audit.version,
                        "rules": [rule_members(check) for check in rules],
                    }
                },
                "invocations": [{"executionSuccessful": True}],
                # Without a uri: where the root lies on this machine is nobody's business.
                "originalUriBaseIds": {
                    ROOT: {"description": {"text": "The root of the checked-out repository."}}
                },
                "columnKind": "unicodeCodePoints",
                "results": [
                    result_members(one, rules, audit.places, compared=audit.gate.gone is not None)
                    for one in audit.gate.judged
                ],
            }
        ],
    }


def rule_members(check: str) -> dict[str, object]:
    """Return one check as a rule."""
    one = rule(check)
    return {
        "id": check,
        "name": "".join(word.capitalize() for word in check.split("-")),
        "shortDescription": {"text": one.what},
        "fullDescription": {"text": one.what},
        "help": {
            "text": f"{one.what} {one.remedy}",
            "markdown": f"{one.what}\n\n**What to do:** {one.remedy}",
        },
        "defaultConfiguration": {"level": one.severity},
    }


def result_members(
    judged: Judged, rules: Sequence[str], places: Places, *, compared: bool
) -> dict[str, object]:
    """Return one finding as a result; the words for a severity are those of SARIF."""
    found = judged.finding
    print_ = f"{judged.fingerprint}:{judged.occurrence}"
    members: dict[str, object] = {
        "ruleId": found.check,
        "ruleIndex": rules.index(found.check),
        "level": found.severity,
        "message": {"text": sentence(judged)},
        "locations": [location] if (location := location_members(judged, places)) else [],
        "partialFingerprints": {PRINT: print_, GITHUB_PRINT: print_},
        "suppressions": suppressions(judged),
        "properties": {
            "boundary": found.boundary,
            "tool": found.tool,
            "session": judged.session,
            "call_id": found.call_id,
            "state": judged.state,
            "evidence": dict(found.evidence),
        },
    }
    return members | ({"baselineState": STATES[judged.state]} if compared else {})


def suppressions(judged: Judged) -> list[Mapping[str, object]]:
    """Return why a finding is accepted; an empty list says that it is not."""
    if judged.state != "suppressed":
        return []
    return [{"kind": "external", "status": "accepted", "justification": judged.reason}]


def location_members(judged: Judged, places: Places) -> dict[str, object]:
    """Return where a finding stands, as far as it is known: file and line, session and tool."""
    found = judged.finding
    members: dict[str, object] = {}
    if found.source.path is not None:
        physical: dict[str, object] = {"artifactLocation": artifact(found.source.path, places)}
        if found.source.line is not None:
            physical["region"] = {"startLine": found.source.line}
        members["physicalLocation"] = physical
    named = [one for one in (judged.session, found.tool) if one]
    if named:
        members["logicalLocations"] = [{"fullyQualifiedName": "/".join(named)}]
    return members


def artifact(path: str, places: Places) -> dict[str, object]:
    """Return a file by its path from the root; one outside of it by its whole path."""
    inside = places.inside(path)
    if inside is not None:
        return {"uri": address(inside), "uriBaseId": ROOT}
    whole = places.absolute(path).as_posix()
    return {"uri": f"file://{address(whole) if whole.startswith('/') else '/' + address(whole)}"}


def address(path: str) -> str:
    """Return a path as part of an address; what no encoding has, such as half a pair, as bytes."""
    return quote(path, errors="surrogatepass")
