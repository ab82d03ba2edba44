"""Cassettes of VCR (https://vcrpy.readthedocs.io): recorded HTTP, in YAML or JSON."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import PurePath
from urllib.parse import urlsplit

import yaml

from ullage.errors import LoadError
from ullage.ledger.encodings import decoded
from ullage.sources.bodies import exchange_of
from ullage.sources.form import Form
from ullage.sources.opened import NO_DOCUMENT, Opened, is_object
from ullage.sources.record import Record
from ullage.transcript.finding import Source
from ullage.wire.exchange import Exchange
from ullage.wire.members import Object, inside, number, objects, text

LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
BEGIN = re.compile(rb"(?:---\s*\n|#[^\n]*\n|version: \d\n)*interactions:\s*\n\s*- request:")
ADDRESS = re.compile(rb"^ +uri: ", re.MULTILINE)
ITEM = re.compile(rb"^ {0,2}- request:", re.MULTILINE)
ALIAS = re.compile(rb"[-:\[{,] +\*\w")
LARGEST = 10_000_000
"""So many values may a cassette hold, each alias counted as all that it stands for."""


def fits(opened: Opened) -> bool:
    """Whether a file begins as a cassette."""
    document = opened.document
    if document is NO_DOCUMENT:
        return BEGIN.match(opened.data) is not None and ADDRESS.search(opened.data) is not None
    return is_object(document) and any(
        text(inside(one, "request"), "uri") for one in objects(document.get("interactions"))
    )


def records(opened: Opened) -> Iterator[Record]:
    """Yield the exchanges of a cassette."""
    document = opened.document if opened.document is not NO_DOCUMENT else loaded(opened)
    interactions = objects(document.get("interactions")) if is_object(document) else []
    if not interactions:
        raise LoadError(f"{opened.name}: no interactions of a cassette")
    begins = [one.start() for one in ITEM.finditer(opened.data)]
    known = len(begins) == len(interactions)
    line, last = 1, 0
    for at, one in enumerate(interactions):
        if known:
            line += opened.data.count(b"\n", last, begins[at])
            last = begins[at]
        place = Source(path=opened.name, line=line if known else None)
        found = exchange_of(document_of(one), place, at + 1) or other(one, place, at + 1)
        yield replace(found, session=PurePath(opened.name).stem)


def other(one: Object, place: Source, order: int) -> Exchange:
    """Return an exchange with a path that is not read."""
    request = inside(one, "request")
    url = urlsplit(text(request, "uri") or "")
    method = text(request, "method") or "GET"
    return Exchange(number=order, source=place, method=method, path=url.path, kind=None)


def loaded(opened: Opened) -> object:
    """Load YAML that is not larger than it looks."""
    try:
        document = yaml.load(opened.data, Loader=LOADER)
    except (yaml.YAMLError, ValueError, RecursionError, OverflowError) as error:
        said = str(error).replace("\n", " ")
        raise LoadError(f"{opened.name}: not YAML that can be read: {said}") from error
    if ALIAS.search(opened.data) and size_of(document, {}, set()) > LARGEST:
        raise LoadError(f"{opened.name}: its aliases stand for more than {LARGEST} values")
    return document


def size_of(value: object, known: dict[int, int], around: set[int]) -> int:
    """Return how many values one holds; more than is allowed for one that holds itself."""
    below = list(value.values()) if isinstance(value, dict) else value
    if not isinstance(below, list):
        return 1
    if id(value) in around:
        return LARGEST + 1
    if id(value) not in known:
        around.add(id(value))
        known[id(value)] = 1 + sum(size_of(one, known, around) for one in below)
        around.discard(id(value))
    return known[id(value)]


def document_of(one: Object) -> Object:
    """Return an interaction as a recorded exchange."""
    request, response = inside(one, "request"), inside(one, "response")
    return {
        "request": {
            "url": text(request, "uri"),
            "method": text(request, "method"),
            "body": body_of(request),
        },
        "response": {
            "status": number(inside(response, "status"), "code"),
            "body": body_of(response),
        },
    }


def body_of(side: Mapping[str, object]) -> object:
    """Return a body: parsed for people to read, as a text, or as bytes, maybe compressed."""
    parsed = side.get("parsed_body")
    if isinstance(parsed, dict):
        return parsed
    raw = side.get("body")
    held = raw.get("string", "") if isinstance(raw, dict) else raw
    if isinstance(held, bytes):
        return decoded(held, []).content.decode("utf-8", "replace")
    return held if isinstance(held, str) else ""


VCR = Form(
    name="vcr",
    what="cassettes of VCR: recorded HTTP, in YAML or JSON",
    fits=fits,
    records=records,
)
