"""Secrets told by their shape: keys of known makers, and values that stand beside a telling word.

Short anchors (`sk-`, `passw`, `://` …) are looked for by their rarest letter, and a rule looks
closer where one stands. Every rule is anchored and reads a stretch once, so the time is linear.
"""

import base64
import binascii
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from operator import itemgetter

from ullage.ledger.members import looks_random, named_value
from ullage.ledger.spans import INSIDE, Span

Rule = Callable[[bytes, int], Span | None]

# What may stand before a key: an escape of JSON, of a URL or of a terminal's colours, or anything
# but a letter or digit.
_ESCAPED = (
    rb"(?<=\\[nrtbf])|(?<=\\u[0-9A-Fa-f]{4})|(?<=%[0-9A-Fa-f]{2})"
    rb"|(?<=\[[0-9]m)|(?<=\[[0-9]{2}m)|(?<=;[0-9]{2}m)"
)
_BORDER = rb"(?:(?<![A-Za-z0-9])|" + _ESCAPED + rb")"
# A run of these letters is read from its start only: read from each `eyJ` in it, time would not be
# linear.
_RUN_BORDER = rb"(?:(?<![A-Za-z0-9_-])|" + _ESCAPED + rb")"
# The look-ahead is bounded for the same reason. `sk-` also begins names of style classes, which
# have no capitals.
_SK = re.compile(
    _BORDER + rb"sk-(?:(?:ant|proj|svcacct|admin|or|lf|None)-[A-Za-z0-9_-]{4,}"
    rb"|(?=[a-zA-Z]{0,64}[0-9])(?=[0-9]{0,64}[a-zA-Z])[A-Za-z0-9]{16,}[A-Za-z0-9_-]*"
    rb"|(?=[a-zA-Z_-]{0,64}[0-9])(?=[a-z0-9_-]{0,64}[A-Z])(?=[A-Z0-9_-]{0,64}[a-z])"
    rb"[A-Za-z0-9_-]{20,})"
)
_STRIPE = re.compile(_BORDER + rb"sk_(?:live|test)_[A-Za-z0-9]{10,}")
_AWS = re.compile(_BORDER + rb"A[KS]IA[A-Z0-9]{16}(?![A-Za-z0-9])")
_GOOGLE = re.compile(_BORDER + rb"AIza[A-Za-z0-9_-]{20,}")
_GITHUB = re.compile(_BORDER + rb"(?:gh[pousr]_[A-Za-z0-9]{8,}|github_pat_[A-Za-z0-9_]{8,})")
_GITLAB = re.compile(_BORDER + rb"glpat-[A-Za-z0-9_-]{8,}")
_SLACK = re.compile(_BORDER + rb"xox[abeoprs]-[A-Za-z0-9-]{8,}")
_HUB = re.compile(_BORDER + rb"(?:hf|gsk)_[A-Za-z0-9]{20,}")
_JWT = re.compile(
    _RUN_BORDER + rb"eyJ[A-Za-z0-9_-]{8,}+\.eyJ[A-Za-z0-9_-]{4,}+(?:\.[A-Za-z0-9_-]++){0,3}+"
)
_BREAK = rb"(?:\\+[nr]|[\r\n\t ])"
_PEM = re.compile(
    rb"-----BEGIN [A-Z0-9 ]{0,32}PRIVATE KEY-----"
    rb"(?:" + _BREAK + rb"++(?:[A-Za-z0-9+/=]{16,}+|(?:Proc-Type|DEK-Info):[^\r\n\\\"]*+))*+"
    rb"(?:" + _BREAK + rb"++[A-Za-z0-9+/=]{1,15}(?![A-Za-z0-9+/=]))?"
    rb"(?:" + _BREAK + rb"*+-----END [A-Z0-9 ]{0,32}PRIVATE KEY-----)?"
)
_BREAKS = re.compile(_BREAK + rb"+")
_KEY_LINE = re.compile(rb"[A-Za-z0-9+/=]{16,}")
_USERINFO = re.compile(rb"://[^\s/@:\"'<>\\?#]{0,256}:([^\s/\"'<>\\?#]{1,512})@")
_SCHEME = re.compile(
    rb"(?i:bearer|basic)(?:[ \t]{1,8}|%20|\+)([A-Za-z0-9._~+/-]{7,}[A-Za-z0-9_~+/-]=*)"
)
_QUERY = re.compile(rb"key=([A-Za-z0-9_.~%+-]{8,})")
_QUERY_BEFORE = re.compile(rb"(?:[?&]|&amp;|\\u0026)\Z")
_TICKET = re.compile(rb"[A-Z]+-[0-9]+\Z")


def _shape(pattern: re.Pattern[bytes]) -> Rule:
    def rule(data: bytes, at: int) -> Span | None:
        found = pattern.match(data, at)
        return found and Span(start=at, end=found.end(), learn=True)

    return rule


def _private_key(data: bytes, at: int) -> Span | None:
    found = _PEM.match(data, at)
    return found and Span(start=at, end=found.end())


def lines_of_key(text: bytes) -> list[bytes]:
    """Return the lines that a private key is made of; a part of the key may hold any of them."""
    if not text.startswith(b"-----BEGIN "):
        return []
    return [line for line in _BREAKS.split(text) if _KEY_LINE.fullmatch(line)]


def _userinfo(data: bytes, at: int) -> Span | None:
    found = _USERINFO.match(data, at)
    if found is None or found[1].startswith((b"[secret:", b"[piece of")):
        return None
    return Span(start=found.start(1), end=found.end(1), learn=looks_random(found[1]))


def _scheme(data: bytes, at: int) -> Span | None:
    found = _SCHEME.match(data, at)
    if found is None:
        return None
    basic = data[at + 1] in b"aA"
    if not (_is_login(found[1]) if basic else looks_random(found[1])):
        return None
    return Span(start=found.start(1), end=found.end(1), learn=True)


def _is_login(value: bytes) -> bool:
    """Tell `user:password` in base64, cut off or not, from the word after "basic"."""
    whole = value.rstrip(b"=")
    try:
        text = base64.b64decode(whole[: len(whole) // 4 * 4], validate=True)
    except binascii.Error:
        return False
    return b":" in text and text.isascii()


def _key(data: bytes, at: int) -> Span | None:
    found = _QUERY.match(data, at)
    if found and _QUERY_BEFORE.search(data, max(0, at - 6), at):
        random = looks_random(found[1]) and not _TICKET.match(found[1])
        return Span(start=found.start(1), end=found.end(1), learn=True) if random else None
    return _member(data, at)


def _member(data: bytes, at: int) -> Span | None:
    if INSIDE.match(data, at):
        return None
    found = named_value(data, at)
    if found is None:
        return None
    value = data[found.start : found.end]
    return Span(start=found.start, end=found.end, learn=b" " not in value and looks_random(value))


# Each anchor: what stands before its rarest letter, that one, what stands after it, what else must
# follow so that a rule looks closer, and its rule. What follows keeps ordinary texts fast.
_WORD_BEHIND = "[A-Za-z0-9_-]{8}"
_LOGIN_BEHIND = r"[^\s/@:\"'<>\\?#]{0,256}+:[^\s/\"'<>\\?#]{1,512}@"
_KEYS: list[tuple[str, str, str, str, Rule]] = [
    ("s", "k", "-", "[A-Za-z0-9_-]{7}", _shape(_SK)),
    ("s", "k", "_", "(?:live|test)_", _shape(_STRIPE)),
    ("A[KS]", "I", "A", "[A-Z0-9]{16}", _shape(_AWS)),
    ("A", "I", "z", "a", _shape(_GOOGLE)),
    ("gh[pousr]", "_", "", _WORD_BEHIND, _shape(_GITHUB)),
    ("github", "_", "p", "at_", _shape(_GITHUB)),
    ("glpat", "-", "", _WORD_BEHIND, _shape(_GITLAB)),
    ("", "x", "o", "x[abeoprs]-", _shape(_SLACK)),
    ("hf", "_", "", _WORD_BEHIND, _shape(_HUB)),
    ("gsk", "_", "", _WORD_BEHIND, _shape(_HUB)),
    ("ey", "J", "", _WORD_BEHIND, _shape(_JWT)),
    ("-----", "B", "E", "GIN ", _private_key),
    (":", "/", "/", _LOGIN_BEHIND, _userinfo),
]
# The same for words, in small letters and in capitals.
_WORDS: list[tuple[str, str, str, Rule]] = [
    ("pass", "w", "ord", _member),
    ("pass", "w", "d", _member),
    ("p", "w", "d", _member),
    ("se", "c", "ret", _member),
    ("to", "k", "en", _member),
    ("", "k", "ey", _key),
    ("coo", "k", "ie", _member),
    ("authori", "z", "ation", _member),
    ("", "b", "earer", _scheme),
    ("", "b", "asic", _scheme),
]


# What follows the name of a value, so that `token_count` is passed over at once.
_ASSIGNED = r"(?:\\*[\"'])?[ \t]{0,8}[:=>]"
# What follows the name of a scheme.
_TOKEN_BEHIND = r"(?:[ \t+]|%20)"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Scan:
    """One pattern of the anchors of one letter, and for each how far back it begins and its rule.

    One letter a pattern: the engine looks for that ten times as fast as for any of several.
    """

    letter: bytes
    pattern: re.Pattern[bytes]
    rules: Sequence[tuple[int, Rule]]


def _compile(keys: Sequence[tuple[str, str, str, str, Rule]]) -> list[_Scan]:
    branches: dict[str, list[str]] = {}
    rules: dict[str, list[tuple[int, Rule]]] = {}
    words = [
        (
            _any_case(before),
            letter,
            _any_case(after),
            _TOKEN_BEHIND if rule is _scheme else _ASSIGNED,
            rule,
        )
        for before, pivot, after, rule in _WORDS
        for letter in (pivot, pivot.upper())
    ]
    for before, pivot, after, behind, rule in [*keys, *words]:
        # What stands after comes first: the engine passes over a branch whose first letter is not
        # there without entering it.
        look = f"(?<={before}{pivot}{after})" if before else ""
        branches.setdefault(pivot, []).append(f"{after}{look}(?={behind})()")
        rules.setdefault(pivot, []).append((len(_LETTER_SET.sub("x", before)), rule))
    return [
        _Scan(
            letter=letter.encode(),
            pattern=re.compile(f"{letter}(?:{'|'.join(rest)})".encode()),
            rules=rules[letter],
        )
        for letter, rest in branches.items()
    ]


_LETTER_SET = re.compile(r"\[\w+\]")


def _any_case(text: str) -> str:
    return "".join(f"[{letter}{letter.upper()}]" for letter in text)


_SCANS = _compile(_KEYS)


# Words that stand in keys of documentation, and nowhere in a real one.
_STAND_IN = re.compile(
    rb"(?i)example|your[-_]|placeholder|dummy|changeme|redacted|xxxx|\*{3}|\.{3}|<[a-z]"
)
_FEW_LETTERS = 5
"""The last letters of a key that somebody typed to show its form are fewer different ones."""


def find(data: bytes) -> list[Span]:
    """Return every stretch that has the shape of a secret, in order, without overlaps."""
    return _spans(data, _anchors(data))


def find_keys(data: bytes) -> list[Span]:
    """Return the stretches that are a key whatever stands beside them, real as far as can be told.

    A maker's shape, a private key, a login in a URL or a header. Values that only their name makes
    a secret are left out: pages are full of tokens that everybody may see.
    """
    found = _spans(data, (one for one in _anchors(data) if one[2] not in (_key, _member)))
    return [one for one in found if _is_key(data[one.start : one.end], known=one.learn)]


def _is_key(text: bytes, *, known: bool) -> bool:
    if text.startswith(b"-----BEGIN "):
        return bool(lines_of_key(text))
    return known and not _STAND_IN.search(text) and len(set(text[-12:])) >= _FEW_LETTERS


def _spans(data: bytes, anchors: Iterable[tuple[int, int, Rule]]) -> list[Span]:
    spans: list[Span] = []
    end = 0
    for place, before, rule in sorted(anchors, key=itemgetter(0)):
        at = place - before
        span = rule(data, at) if at >= end else None
        if span is not None:
            spans.append(span)
            end = span.end
    return spans


def _anchors(data: bytes) -> Iterator[tuple[int, int, Rule]]:
    """Give where a rule is to look closer: its letter, and how far before that."""
    for scan in _SCANS:
        # Nearly every text has URLs, few have one with a login.
        if scan.letter not in data or (scan.letter == b"/" and b"@" not in data):
            continue
        for hit in scan.pattern.finditer(data):
            before, rule = scan.rules[(hit.lastindex or 1) - 1]
            yield hit.start(), before, rule
