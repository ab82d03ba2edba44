"""Base64 runs, data URLs and hex dumps in any text: whole, or a description; never a part."""

import binascii
import hashlib
import math
import re
from collections import Counter
from dataclasses import dataclass
from urllib.parse import unquote_to_bytes

# A shorter run may be a word, a digest, a path or a token, and costs little as it stands.
SHORTEST = 200
# Bits a character: base64 of anything but a constant is above it, words run together are below.
LEAST_ENTROPY = 4.5
LONGEST_ADDRESS = 500
DIGEST_CHARACTERS = 16

# One character of base64, also url-safe, with the slash as some JSON writers escape it.
BASE64 = r"(?:[A-Za-z0-9+/_-]|\\/)"
TYPE = r"[\w.+-]{1,80}/[\w.+-]{1,80}"
PARAMETERS = r"(?:;[\w.=+\"-]{1,80}){0,8}"
# Lines as mail and PEM write them, the line end as it is or escaped. A short last line is one of
# them only if no word looks like it.
LINE_END = r"(?:\r?\n|\\n|\\r\\n)"
WRAPPED = (
    rf"[A-Za-z0-9+/]{{60,76}}+(?:{LINE_END}[A-Za-z0-9+/]{{60,76}}+(?![A-Za-z0-9+/])){{2,}}+"
    rf"(?:={{1,2}}|{LINE_END}(?=[A-Za-z]*[0-9+/=])[A-Za-z0-9+/]{{1,75}}+={{0,2}})?"
)
ENCODED = re.compile(
    rf"data:(?P<type>(?:{TYPE})?{PARAMETERS});base64,(?P<data>{BASE64}{{{SHORTEST},}}+(?:=|%3[Dd]){{0,2}})"
    rf"|data:(?P<text_type>{TYPE}{PARAMETERS}),(?P<text>(?:[\w.!~*'()$&+,;=:@/?-]|%[0-9A-Fa-f]{{2}})"
    rf"{{{SHORTEST},}}+)"
    rf"|(?<![A-Za-z0-9+/])(?P<lines>{WRAPPED})"
    rf"|(?<![A-Za-z0-9+/_.-])(?P<run>{BASE64}{{{SHORTEST},}}+={{0,2}})",
)
KINDS = (re.compile("[A-Z]"), re.compile("[a-z]"), re.compile("[0-9]"))
HEX = re.compile(r"(?:0x)?(?=[0-9a-fA-F]*[a-fA-F])(?=[a-fA-F]*[0-9])[0-9a-fA-F]+")
ESCAPED_LINE_END = re.compile(r"\\r\\n|\\n")
NO_ADDRESS = re.compile(r"[\s\"'<>()\[\]{}]")
URL_SAFE = str.maketrans("-_", "+/")
SIGNATURES = {
    b"\x89PNG\r\n\x1a\n": "image/png",
    b"\xff\xd8\xff": "image/jpeg",
    b"GIF8": "image/gif",
    b"%PDF-": "application/pdf",
    b"PK\x03\x04": "application/zip",
    b"\x1f\x8b": "application/gzip",
}


# The shortest run of the alphabet in any of these, a slash as JSON escapes it included. Nearly no
# text has one, which is told a hundred times faster than by the pattern.
SHORTEST_LINE = 60
ALPHABET = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/_-\\"
IN_ALPHABET = bytes(b"A"[0] if one in ALPHABET else b" "[0] for one in range(256))


@dataclass(frozen=True, slots=True, kw_only=True)
class Replaced:
    """A text without its encoded runs, the clause that says so, and how many there were.

    `gone` is the number of characters (of binary: bytes) that they took.
    """

    text: str
    also: tuple[str, ...] = ()
    count: int = 0
    gone: int = 0


def replace(text: str) -> Replaced:
    """Replace every base64 run, data URL and hex dump by its type, size and hash.

    The description holds no quote, comma or angle bracket, so that a text of any syntax stays of
    it; a run inside a JSON string is found as it is written there.
    """
    if not may_hold_a_run(text):
        return Replaced(text=text)
    count = gone = 0

    def described(match: "re.Match[str]") -> str:
        nonlocal count, gone
        found = describe(match)
        if found is None:
            return match[0]
        count += 1
        gone += len(match[0])
        return found

    done = ENCODED.sub(described, text)
    if not count:
        return Replaced(text=text)
    runs = "1 encoded run" if count == 1 else f"{count} encoded runs"
    said = f"{runs} ({gone} characters) replaced by type, size and hash"
    return Replaced(text=done, also=(said,), count=count, gone=gone)


def may_hold_a_run(text: str) -> bool:
    """Whether a text has a data URL or a long run of the alphabet of base64."""
    if "data:" in text:
        return True
    alphabet = text.encode("utf-8", "surrogatepass").translate(IN_ALPHABET)
    return b"A" * SHORTEST_LINE in alphabet


def describe(match: "re.Match[str]") -> str | None:
    """Return what stands for a match, or None where it only looks like an encoded run."""
    if match["data"] is not None:
        return described_bytes(match["type"] or "text/plain", decode(match["data"]))
    if match["text"] is not None:
        return described_bytes(match["text_type"], unquote_to_bytes(match["text"]))
    if match["run"] is not None and in_an_address(match.string, match.start()):
        return None
    run = match["run"] if match["run"] is not None else unwrapped(match["lines"])
    if HEX.fullmatch(run):
        return described_bytes("hex", binascii.unhexlify(even(run.removeprefix("0x"))))
    if not is_plausible(run):
        return None
    data = decode(run)
    return described_bytes(media_type(data), data)


def in_an_address(text: str, at: int) -> bool:
    """Whether a run is part of a URL, which would lead nowhere without it."""
    before = text[max(at - LONGEST_ADDRESS, 0) : at]
    return "://" in (NO_ADDRESS.split(before)[-1] if before else "")


def described_bytes(kind: str, data: bytes | None) -> str | None:
    """Return the description of decoded bytes."""
    if data is None:
        return None
    digest = hashlib.sha256(data).hexdigest()[:DIGEST_CHARACTERS]
    return f"[{kind.partition(';')[0]} {len(data)} bytes sha256 {digest}]"


def is_plausible(run: str) -> bool:
    """Whether a long run of the alphabet is base64: of its length, its padding and its mixture."""
    bare = run.replace("\\/", "/")
    body = bare.rstrip("=")
    if len(body) % 4 == 1 or (len(body) < len(bare) and len(bare) % 4):
        return False
    kinds = sum(one.search(body) is not None for one in KINDS)
    if len(body) < len(bare):
        return kinds > 1
    return kinds == 3 and entropy(body) >= LEAST_ENTROPY


def entropy(text: str) -> float:
    """Return the bits a character of a text carries, by its own frequencies."""
    counts = Counter(text).values()
    return -sum(count / len(text) * math.log2(count / len(text)) for count in counts)


def decode(run: str) -> bytes | None:
    """Return the bytes of a run; None where it is not base64."""
    bare = run.replace("\\/", "/").replace("%3D", "=").replace("%3d", "=").translate(URL_SAFE)
    body = bare.rstrip("=")
    if len(body) % 4 == 1:
        body = body[:-1]  # the last character is half of nothing: somebody cut here before
    try:
        return binascii.a2b_base64(body + "=" * (-len(body) % 4))
    except binascii.Error:
        return None


def unwrapped(lines: str) -> str:
    """Return wrapped base64 as one run."""
    return "".join(ESCAPED_LINE_END.sub("", lines).split())


def even(digits: str) -> str:
    """Return hex digits as whole bytes."""
    return digits if len(digits) % 2 == 0 else "0" + digits


def media_type(data: bytes | None) -> str:
    """Return what the first bytes say about the rest."""
    if data is not None:
        for signature, name in SIGNATURES.items():
            if data.startswith(signature):
                return name
    return "base64"
