r"""Values that stand beside a telling word: `"password": "…"`, `API_KEY=…`, `token: …`.

The value may stand in a JSON string inside a JSON string at any depth: a quote is closed by one
with as many backslashes. A value that is no secret by its looks (`None`, `self.password`, `$TOKEN`,
a number in JSON) is left alone, so that code and counts stay what they are.
"""

import re
from dataclasses import dataclass
from typing import Literal

Standing = Literal["loud", "quiet", "login", "cookie", "folder"]
"""How much a name tells: `loud` names a secret, `quiet` may (`token`), the rest need a look."""

_NAME = re.compile(
    rb"(?P<loud>passw(?:or)?d|secret)|(?P<key>key)|(?P<quiet>token)"
    rb"|(?P<login>authorization)|(?P<cookie>cookie)|(?P<folder>pwd)",
    re.IGNORECASE,
)
_SEPARATOR = re.compile(
    rb"(?P<closed>\\*[\"'])?[ \t]{0,8}(?P<sep>:=|=>|=(?![=~])|:(?!:)|>)[ \t]{0,8}"
    rb"(?P<quote>[bBrRuUfF]{0,2}(?P<slashes>\\*)(?P<mark>[\"']))?"
)
_BEFORE = re.compile(rb"[A-Za-z0-9_-]{0,32}\Z")
_KEY_BEFORE = re.compile(rb"(?:api|access|private|secret|account|encryption|signing)[_-]?\Z", re.I)
_TOKEN_BEFORE = re.compile(
    rb"(?:access|refresh|auth|session|bearer|security|api|bot|csrf|xsrf)[_-]?\Z", re.I
)
_NOT_A_TOKEN = re.compile(
    rb"(?:page|next|continuation|sync|cursor|pagination|resume|skip|max|min|[beus]os|pad|unk|sep"
    rb"|cls|mask|stop|first|last|prompt|special|input|output|begin|end|start|num|per|each|image)"
    rb"[_-]?\Z",
    re.I,
)
_VARIABLE = re.compile(rb"[A-Z0-9_]*\Z")
_BARE = re.compile(rb"[^\s\"'&;,<>\\]++")
_COOKIES = re.compile(rb"[^\r\n\\\"'<>=;]{1,64}=[^\r\n\\\"'<>]*+")
_AUTH_SCHEME = re.compile(rb"(?i:bearer|basic|token)(?:[ \t]+|%20)")
_HELD = re.compile(rb"\[(?:piece of )?secret:[0-9a-f]{8}\]|\[redacted header\]")
_STANDS_FOR = re.compile(
    rb"(?:\$\{.*|\$\(.*|\$[A-Z_]+|\{[^{}]*\}?|\{\{[^{}]*(?:\}\})?|<[^<>]*>?|\*+|x{3,}|\.{2,}|%s"
    rb"|%\(.*|None|null|nil|true|false|undefined|True|False)\Z",
    re.DOTALL,
)
# A call or a look-up, and a dotted name: code, not a value.
_CALL = re.compile(rb"[A-Za-z_][\w.]{0,128}[(\[]")
_DOTTED = re.compile(rb"[A-Za-z_]\w*(?:\.[A-Za-z_]+)+\Z")
_SIGNS = re.compile(rb"[0-9!@#$%^*+=~]")
_QUOTES = {
    b'"': re.compile(rb'(?P<slashes>\\*)"|[\r\n]'),
    # A plain double quote before a comma or a bracket ends a JSON string around this one.
    b"'": re.compile(rb"(?P<slashes>\\*)'|[\r\n]|(?<!\\)\"(?=[,:}\]\s]|\Z)"),
}
# Long enough to be no word, whatever it is made of.
LONG = 64
# A value longer than this beside a name that only may hold a secret is a text.
LONGEST_QUIET = 16_384


@dataclass(frozen=True, slots=True, kw_only=True)
class Value:
    """Where a value stands."""

    start: int
    end: int


def named_value(data: bytes, at: int) -> Value | None:
    """Return the secret beside the telling word at `at`, None if that names no secret."""
    name = _NAME.match(data, at)
    separator = name and _SEPARATOR.match(data, name.end())
    if name is None or separator is None:
        return None
    before = _before(data, at)
    standing = _standing(name, before)
    if standing is None:
        return None
    if separator["quote"] and separator["sep"] != b">":
        return _quoted(data, separator, standing)
    if separator["closed"] and separator["sep"] in {b":", b">"}:
        return None  # a number, a list or an object of JSON; the text after a tag of HTML
    variable = bool(_VARIABLE.match(before + name[0]))
    if data.startswith(before + name[0], separator.end()):
        return None  # code that passes a variable on under its own name
    return _bare(data, separator, standing, variable=variable)


def _before(data: bytes, at: int) -> bytes:
    """Return the rest of the name before its last word, without the letter of an escape."""
    found = _BEFORE.search(data, max(0, at - 32), at)
    start = at if found is None else found.start()
    escaped = 0 < start < at and data[start - 1] == ord("\\")
    return data[start + escaped : at]


def _standing(name: re.Match[bytes], before: bytes) -> Standing | None:
    if name["key"]:
        return "loud" if _KEY_BEFORE.search(before) else None
    if name["quiet"]:
        if _NOT_A_TOKEN.search(before):
            return None
        return "loud" if _TOKEN_BEFORE.search(before) else "quiet"
    if name["folder"]:
        return "folder"
    if name["login"]:
        return "login"
    return "cookie" if name["cookie"] else "loud"


def _quoted(data: bytes, separator: re.Match[bytes], standing: Standing) -> Value | None:
    start = separator.end()
    limit = len(data) if standing == "loud" else min(len(data), start + LONGEST_QUIET)
    end = _closing(data, start, limit, separator)
    return _chosen(data, start, end, standing)


def _closing(data: bytes, start: int, limit: int, separator: re.Match[bytes]) -> int:
    """Return where a quoted value ends: at its closing quote, the line's end or the text's."""
    slashes = len(separator["slashes"])
    for found in _QUOTES[separator["mark"]].finditer(data, start, limit):
        if found["slashes"] is None:
            return found.start()
        over = len(found["slashes"]) - slashes
        # More backslashes: a quote inside the value, unless they are escaped backslashes before
        # the closing one. Fewer: the string around this one ends, cut off as it may be.
        if over <= 0 or over % (2 * slashes + 2) == 0:
            return found.end() - 1 - min(slashes, len(found["slashes"]))
    return limit


def _bare(
    data: bytes, separator: re.Match[bytes], standing: Standing, *, variable: bool
) -> Value | None:
    start = separator.end()
    scheme = _AUTH_SCHEME.match(data, start) if standing == "login" else None
    start = scheme.end() if scheme else start
    if _HELD.match(data, start) or _CALL.match(data, start):
        return None
    found = (_COOKIES if standing == "cookie" else _BARE).match(data, start)
    if found is None:
        return None
    if separator["sep"] == b">" and data[found.end() : found.end() + 2] != b"</":
        return None
    value = found[0].rstrip(b").]}:!?")
    assigned = separator["sep"] != b":" and (variable or standing in {"loud", "folder"})
    if not _is_bare_secret(value, assigned=assigned):
        return None
    if variable and assigned and standing == "quiet":
        standing = "loud"
    return _chosen(data, start, start + len(value), standing)


def _is_bare_secret(value: bytes, *, assigned: bool) -> bool:
    """Tell a value without quotes from a word of prose or of code."""
    if _DOTTED.match(value):
        return False
    if assigned:
        return len(value) > 3 or bool(_SIGNS.search(value))
    return len(value) >= LONG or (len(value) > 5 and bool(_SIGNS.search(value)))


def _chosen(data: bytes, start: int, end: int, standing: Standing) -> Value | None:
    """Return the value if its looks fit the standing of its name."""
    if standing == "login" and (scheme := _AUTH_SCHEME.match(data, start, end)):
        start = scheme.end()
    value = data[start:end]
    if not value or _HELD.match(value) or _STANDS_FOR.match(value):
        return None
    return Value(start=start, end=end) if _fits(value, standing) else None


def _fits(value: bytes, standing: Standing) -> bool:
    if standing == "loud":
        return True
    if standing == "folder":
        return not value.startswith((b"/", b"~", b".", b"\\")) and value[1:2] != b":"
    if standing == "cookie":
        return b"=" in value
    return looks_random(value)


def looks_random(value: bytes) -> bool:
    """Tell a made-up value from a word, a number or a sentence."""
    if len(value) < 8 or b" " in value:
        return False
    letters = any(byte >= ord("A") for byte in value)
    digits = any(ord("0") <= byte <= ord("9") for byte in value)
    return letters and (digits or len(value) >= 20)
