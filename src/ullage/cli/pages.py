"""The page of a scan: a few texts are read again, files named from a folder, secrets taken out."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from importlib.metadata import version
from pathlib import Path
from secrets import token_bytes

from ullage.checks.exhibits import PER_CHECK, Exhibits, chosen
from ullage.checks.places import Places
from ullage.checks.scan import Scan
from ullage.checks.walk import walk
from ullage.cli.opening import Opening
from ullage.ledger.redact import decode, encode, redact
from ullage.report.page.page import Pictures, page
from ullage.transcript.finding import Finding

TITLE = "What was lost"


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """A page, and how many findings are shown in it with their texts."""

    text: str
    with_texts: int


def page_of(
    done: Scan,
    pictures: Pictures,
    opening: Opening,
    paths: Sequence[Path],
    *,
    examples: int = PER_CHECK,
    title: str = TITLE,
) -> Made:
    """Return the page of what was scanned; `pictures` have seen it."""
    clean = partial(without_secrets, token_bytes(32))
    exhibits = Exhibits(wanted=chosen(done.findings, examples), clean=clean, per_check=examples)
    read_texts(exhibits, opening, paths)
    named = replace(done, findings=placed(done.findings, opening.places))
    now = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
    made = f"Made by ullage {version('ullage')}, {now}."
    text = page(named, pictures, exhibits, title=title, made=made)
    return Made(text=text, with_texts=len(exhibits.of))


def read_texts(exhibits: Exhibits, opening: Opening, paths: Sequence[Path]) -> None:
    """Read the texts of the wanted findings, as far as that is needed."""
    readings = opening.again(paths)
    while not exhibits.complete and (reading := next(readings, None)) is not None:
        walk(reading, exhibits.take)
    readings.close()


def placed(findings: Sequence[Finding], places: Places) -> list[Finding]:
    """Return findings that name their files from a folder, not from the top of this machine."""
    return [
        one
        if one.source.path is None
        else replace(one, source=replace(one.source, path=places.name(one.source.path)))
        for one in findings
    ]


def without_secrets(key: bytes, text: str) -> str:
    """Take secrets out of a text; equal ones of a page get equal placeholders."""
    return decode(redact(encode(text), key=key).data)
