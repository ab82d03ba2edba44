"""Judge one delivered text against the text it was cut from. No I/O."""

from __future__ import annotations

import csv
import io
import json
import re
import unicodedata
from functools import lru_cache
from itertools import accumulate
from typing import Any
from xml.etree import ElementTree

from check_tool import Answer, Faults, Skip, flag_faults

Path = list[str | int]
SURROGATE = re.compile("[\ud800-\udfff]")
LONE_ESCAPE = re.compile(r"\\ud[89ab]..(?!\\ud[c-f])|(?<!\\ud[89ab]..)\\ud[c-f]..", re.I)
QUOTED = re.compile(r"'(?:[^'\\\n]|\\.)*'|\"(?:[^\"\\\n]|\\.)*\"")


def text_faults(checks: dict[str, Any], source: str, answer: Answer, budget: int) -> Faults:
    text, notice = answer.get("text"), answer.get("notice")
    if not isinstance(text, str):
        yield "no `text` in the answer"
        return
    if len(text) > budget:
        yield f"{len(text)} characters for a budget of {budget}"
    if len(source) > budget and not (answer.get("complete") is False and notice):
        yield "cut, but `complete` is not false or `notice` is empty"
    if checks.get("unchanged") and text != source:
        yield "it fits, but it was changed"
    yield from (
        f"lost {want[:40]!r}" for want in checks.get("must_contain", ()) if want not in text
    )
    yield from (f"holds {bad!r}" for bad in checks.get("must_not_contain", ()) if bad in text)
    yield from character_faults(checks, source, text)
    if "balanced" in checks and not balanced(text, checks["balanced"]):
        yield f"brackets {checks['balanced']!r} do not balance outside quotes"
    if "even_count" in checks and text.count(checks["even_count"]) % 2:
        yield f"an odd number of {checks['even_count']!r}: something stays open"
    if checks.get("lone_surrogate") and LONE_ESCAPE.search(text):
        yield from flag_faults({"must_flag": ["lone-surrogate"]}, answer)
    yield from syntax_faults(checks, source, text)
    yield from account_faults(checks, answer)
    yield from flag_faults(checks, answer)


def character_faults(checks: dict[str, Any], source: str, text: str) -> Faults:
    if checks.get("utf8_clean") and (
        SURROGATE.search(text) or text.count("\ufffd") > source.count("\ufffd")
    ):
        yield "a surrogate, or a U+FFFD that the input does not have"
    if checks.get("no_split_crlf") and re.search(r"\r(?!\n)", text):
        yield "a CRLF was split"
    if "max_base64_run" in checks:
        run = re.compile(rf"[A-Za-z0-9+/=]{{{checks['max_base64_run'] + 1},}}")
        if set(run.findall(text)) - set(run.findall(source)):
            yield "part of a base64 value was delivered"
    if checks.get("grapheme_safe"):
        known, edges = clusters(source), boundaries(source)
        strange = (
            {one for one in clusters(text) if len(one) > 1 or ord(one) > 0x2FF}
            - set(known)
            - set("…⋯—–")
        )
        start, end = shared(source, text), len(source) - shared(source[::-1], text[::-1])
        if strange or start not in edges or end not in edges:
            yield f"a grapheme was split {sorted(strange)[:2]}"


def shared(one: str, other: str) -> int:
    """How many leading characters two texts have in common."""
    return next(
        (at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b),
        min(len(one), len(other)),
    )


@lru_cache(maxsize=8)
def boundaries(text: str) -> frozenset[int]:
    return frozenset(accumulate(map(len, clusters(text)), initial=0))


@lru_cache(maxsize=8)
def clusters(text: str) -> list[str]:
    """Grapheme clusters, well enough for these inputs: marks, joiners, skin tones, flags, conjuncts, jamo."""
    found: list[str] = []
    for char in text:
        last = found[-1] if found else ""
        flag = (
            "\U0001f1e6" <= char <= "\U0001f1ff"
            and "\U0001f1e6" <= last <= "\U0001f1ff"
            and len(last) == 1
        )
        join = (
            unicodedata.category(char)[0] == "M"
            or char == "\u200d"
            or "\U0001f3fb" <= char <= "\U0001f3ff"
        )
        after = (
            last[-1:] == "\u200d" or unicodedata.combining(last[-1:] or " ") == 9 and char.isalpha()
        )
        jamo = "\u1160" <= char <= "\u11ff" and "\u1100" <= last[-1:] <= "\u11ff"
        if last and last != "\n" and (flag or join or after or jamo):
            found[-1] += char
        else:
            found.append(char)
    return found


def balanced(text: str, pairs: str) -> bool:
    stack: list[str] = []
    for char in QUOTED.sub("", text):
        if char in pairs[::2]:
            stack.append(pairs[pairs.index(char) + 1])
        elif char in pairs[1::2] and (not stack or stack.pop() != char):
            return False
    return not stack


def syntax_faults(checks: dict[str, Any], source: str, text: str) -> Faults:
    kind = checks.get("parses_as")
    try:
        if (
            kind == "json"
            and json.loads(text) is not None
            and text.lstrip()[:1] != source.lstrip()[:1]
        ):
            yield "the JSON root changed its type"
        elif kind == "ndjson":
            [json.loads(line) for line in text.split("\n") if line.strip()]
        elif (
            kind == "xml"
            and ElementTree.fromstring(text.encode()).tag
            != ElementTree.fromstring(source.encode()).tag
        ):
            yield "the XML root changed its name"
        elif kind == "csv":
            yield from csv_faults(checks["csv_columns"], source, text)
        elif kind == "yaml" and type(load_yaml(text)) is not type(load_yaml(source)):
            yield "the YAML root changed its type"
        if "rows" in checks:
            yield from row_faults(checks, source, text)
    except Skip:
        raise
    except Exception as error:  # whatever a reader raises on a text that is not of its kind
        yield f"not {kind}: {type(error).__name__} {str(error).splitlines()[0][:60] if str(error) else ''}"


def load_yaml(text: str) -> Any:
    try:
        import yaml
    except ImportError:
        raise Skip("PyYAML is not installed") from None
    return yaml.safe_load(text)


def csv_faults(columns: int, source: str, text: str) -> Faults:
    """A line that starts with # or [ and is not in the source is the notice; all others are whole records."""
    header, *wanted = records(source)
    rows = [row for row in records(text) if row in wanted or not row[0].startswith(("#", "["))]
    if not rows or rows[0] != header:
        yield "the header is missing"
    if any(len(row) != columns or row not in wanted for row in rows[1:]):
        yield "a record was torn or altered"
    if len(rows) < 2:
        yield "no record was delivered"


def records(text: str) -> list[list[str]]:
    return [
        row
        for row in csv.reader(io.StringIO(text.removeprefix("\ufeff"), newline=""), strict=True)
        if row
    ]


def parse(text: str, digits: bool) -> Any:
    """JSON; with `digits`, numbers compare by their text, and NaN or an infinity may also be null."""
    if not digits:
        return json.loads(text)
    return json.loads(
        text,
        parse_int=lambda t: ("number", t),
        parse_float=lambda t: ("number", t),
        parse_constant=lambda _: None,
    )


def dig(text: str, path: Path, digits: bool) -> Any:
    value = parse(text, digits)
    for step in path:
        value = parse(value, digits) if step == "*json*" else value[step]
    return value


def delivered_rows(checks: dict[str, Any], text: str) -> list[Any]:
    rows = dig(text, checks["rows"]["path"], bool(checks.get("digits_unchanged")))
    return [row for row in rows if not (isinstance(row, dict) and "_ullage" in row)]


def row_faults(checks: dict[str, Any], source: str, text: str) -> Faults:
    key = checks["rows"]["id"]
    produced = {row[key]: row for row in delivered_rows(checks, source)}
    rows = delivered_rows(checks, text)
    ids = [row.get(key) if isinstance(row, dict) else None for row in rows]
    if not rows:
        yield "no row was delivered"
    if any(produced.get(one) != row for one, row in zip(ids, rows, strict=True)):
        yield "a delivered row differs from the original"
    elif ids != [one for one in produced if one in set(ids)]:
        yield "rows are repeated or out of order"


def account_faults(checks: dict[str, Any], answer: Answer) -> Faults:
    """The total must be said in words (text or notice), and the account must agree with what was delivered."""
    if "must_state_total" not in checks:
        return
    total, words = checks["must_state_total"], f"{answer['text']}\n{answer.get('notice')}"
    said = rf"(\bof|/|(total|produced)\D{{0,12}})\s*{total}\b|\b{total}\s*(total|rows|items|records|entries|lines)"
    if not re.search(said, words):
        yield f"the total {total} is not stated"
    parts = [part for part in answer.get("parts") or () if part.get("produced") == total]
    if not parts and (answer.get("produced") or {}).get("records") != total:
        yield f"the account has no part with {total} produced"
    if parts and "rows" in checks:
        try:
            count = len(delivered_rows(checks, answer["text"]))
        except Exception:  # already a syntax fault
            return
        if count not in [part.get("delivered") for part in parts]:
            yield f"{count} rows were delivered, but the account says otherwise"
