"""Error codes, and the codes with which commands and requests ended."""

import re
from collections.abc import Iterator

_EXIT = re.compile(
    r"(?:\bexit(?:ed)?(?: with)?(?: non-zero)?[_ ]?(?:exit )?(?:status|code)|\bexited(?: with)?"
    r"|\breturn[_ ]?code|\breturned non-zero exit status|\brc(?==))\W{1,4}\d{1,10}\b",
    re.IGNORECASE,
)
_ERRNO = (
    *("EPERM", "ENOENT", "ESRCH", "EINTR", "EIO", "ENXIO", "E2BIG", "ENOEXEC", "EBADF", "ECHILD"),
    *("EAGAIN", "ENOMEM", "EACCES", "EFAULT", "EBUSY", "EEXIST", "EXDEV", "ENODEV", "ENOTDIR"),
    *("EISDIR", "EINVAL", "ENFILE", "EMFILE", "ENOTTY", "ETXTBSY", "EFBIG", "ENOSPC", "ESPIPE"),
    *("EROFS", "EMLINK", "EPIPE", "EDOM", "ERANGE", "EDEADLK", "ENAMETOOLONG", "ENOSYS"),
    *("ENOTEMPTY", "ELOOP", "ENOTSUP", "EOPNOTSUPP", "EADDRINUSE", "EADDRNOTAVAIL", "ENETDOWN"),
    *("ENETUNREACH", "ECONNABORTED", "ECONNRESET", "ECONNREFUSED", "ETIMEDOUT", "EHOSTDOWN"),
    *("EHOSTUNREACH", "EALREADY", "EINPROGRESS", "ESTALE", "EDQUOT", "ENOTCONN", "EPROTO"),
    *("ENOTFOUND", "EAI_AGAIN", "ERESOLVE", "EINTEGRITY", "EUNSUPPORTEDPROTOCOL", "EBADENGINE"),
)
_REASONS = (
    "Internal Server Error|Not Implemented|Bad Gateway|Service Unavailable|Gateway Time-?out|"
    "Bad Request|Unauthorized|Forbidden|Not Found|Method Not Allowed|Conflict|Too Many Requests|"
    "Unprocessable Entity|Payload Too Large"
)
_HTTP = re.compile(
    rf"\b(?:HTTP(?:/\d(?:\.\d)?)?|status(?:[_ ]?code)?|error|failed)\W{{1,4}}[45]\d\d\b"
    rf"(?:\W{{1,3}}(?:{_REASONS})\b)?|\b[45]\d\d (?:{_REASONS})\b",
    re.IGNORECASE,
)
_CODE = re.compile(
    r"\berror(?:\s*[:\[(]\s*|\s+)(?P<after>[A-Z]{1,8}-?\d{2,6})\b"
    r"|\b(?P<bare>E0\d{3}|(?:ORA|PLS|TNS|DPY|DPI|SP2|RMAN)-\d{4,5}|TS\d{4,5}(?=:)"
    r"|SQLSTATE\W{0,3}[0-9A-Z]{5}|ERR_[A-Z0-9_]{3,60}|0x8[0-9A-Fa-f]{7}"
    r"|SIG(?:KILL|SEGV|ABRT|TERM|BUS|ILL|FPE|PIPE|HUP|INT)"
    rf"|{'|'.join(_ERRNO)})\b"
)
_QUOTES = re.compile(r"[\"'\\]")


def codes_in(text: str) -> tuple[str, ...]:
    """Return the codes of a text, each once, with the words that say what they are."""
    return tuple(dict.fromkeys(_QUOTES.sub("", one) for one in found_in(text)))


def found_in(text: str) -> Iterator[str]:
    """Yield the codes as they stand in the text."""
    for match in _CODE.finditer(text):
        yield match["after"] or match["bare"]
    for pattern in (_HTTP, _EXIT):
        for match in pattern.finditer(text):
            yield match[0]


def has_code(code: str, text: str) -> bool:
    """Whether a text has a code, in quotes or not."""
    return code in text or code in _QUOTES.sub("", text)


def ended_badly(text: str) -> bool:
    """Whether a text says that a command ended with another code than 0."""
    return any(re.search(r"[1-9]\d*$", match[0]) for match in _EXIT.finditer(text))
