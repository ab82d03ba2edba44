"""The findings of a former scan: what is among them is known, and not new."""

from collections import Counter
from collections.abc import Iterable, Mapping

from ullage.checks.fingerprint import digest, session_in
from ullage.checks.places import Places

SCHEMA = "ullage.baseline/1"
SCAN = "ullage.scan/1"
NAMED = ("check", "boundary", "tool", "session", "call_id")


def read_baseline(document: object, places: Places) -> Counter[str]:
    """Return how often each fingerprint stands in a baseline, or in the document of a scan.

    Raises ValueError for anything else, and says what it is.
    """
    known: Counter[str] = Counter()
    members = document if isinstance(document, Mapping) else {}
    schema = members.get("schema")
    if schema not in (SCHEMA, SCAN):
        raise ValueError(f"its schema is {schema!r}, neither {SCHEMA} nor {SCAN}")
    for one in objects(members.get("findings")):
        if schema == SCHEMA:
            known[fingerprint_of(one)] += count_of(one)
        elif one.get("state") != "suppressed":
            known[fingerprint_of(one) if "fingerprint" in one else recomputed(one, places)] += 1
    return known


def objects(value: object) -> list[Mapping[str, object]]:
    """Return the findings of a document."""
    if isinstance(value, list):
        found = [one for one in value if isinstance(one, Mapping)]
        if len(found) == len(value):
            return found
    raise ValueError("its findings are no list of objects")


def fingerprint_of(entry: Mapping[str, object]) -> str:
    """Return the fingerprint of an entry."""
    value = entry.get("fingerprint")
    if isinstance(value, str):
        return value
    raise ValueError(f"a finding of {entry.get('check')!r} has no fingerprint")


def count_of(entry: Mapping[str, object]) -> int:
    """Return how often an entry was found."""
    value = entry.get("count", 1)
    if isinstance(value, int) and value > 0:
        return value
    raise ValueError(f"count = {value!r} of {entry.get('check')!r} is no number above 0")


def recomputed(one: Mapping[str, object], places: Places) -> str:
    """Return the fingerprint of a finding in a document that was written without them."""
    source, evidence = one.get("source"), one.get("evidence")
    found = source.get("path") if isinstance(source, Mapping) else None
    path = found if isinstance(found, str) else None
    session = one.get("session")
    named = {key: one.get(key) for key in NAMED}
    if isinstance(session, str):
        named["session"] = session_in(session, path)
    return digest(
        named,
        evidence if isinstance(evidence, Mapping) else {},
        None if path is None else places.name(path),
    )


def baseline_members(entries: Iterable[Mapping[str, object]]) -> dict[str, object]:
    """Return the members of `ullage.baseline/1`: equal entries once, with their count, sorted.

    Each entry has a `fingerprint`; whatever else it has is there for people.
    """
    counts: Counter[str] = Counter()
    first: dict[str, Mapping[str, object]] = {}
    for one in entries:
        counts[fingerprint_of(one)] += 1
        first.setdefault(fingerprint_of(one), one)
    rows = [{**one, "count": counts[key]} for key, one in first.items()]
    return {"findings": sorted(rows, key=lambda one: [str(value) for value in one.values()])}
