"""`error-in-body`: a result claims success and carries an error."""

import re
from collections.abc import Iterator

from ullage.arrivals.read import read
from ullage.arrivals.values import Json, unescape
from ullage.checks.session import Session, finding
from ullage.cutter.excerpt import excerpt
from ullage.transcript.finding import Finding

NAME = "error-in-body"
LONGEST_SHOWN = 200

ERRORS = ("error", "errors", "error_message", "errorMessage", "exception")
BAD_WORDS = frozenset(("error", "failed", "failure", "fail"))
GOOD_WORDS = frozenset(("ok", "success", "succeeded", "successful", "completed", "done"))
WRAPPERS = ("data", "result", "response", "body", "output", "content")
SUCCESS = ("success", "ok", "succeeded")
CODES = ("status_code", "statusCode", "http_status", "httpStatus", "code", "status")
FIRST_OK, FIRST_REDIRECT = 200, 300
# An MCP result as its Python object prints it: its text, and its flag at the end.
PRINTED = re.compile(
    r"""\A\s*(?:CallToolResult\()?\s*meta=None,?\s+content=\[TextContent\(type='text',\s+text=
    (?:'(?P<single>(?:[^'\\]|\\.)*+)'|"(?P<double>(?:[^"\\]|\\.)*+)")""",
    re.VERBOSE | re.DOTALL,
)
NO_ERROR = re.compile(r"\bis_?error\s*=\s*False\)?\s*\Z", re.IGNORECASE)
TEXT = re.compile(
    r"\s*(?:Traceback \(most recent call last\)|(?:\w*Error|ERROR)"
    r"(?:\s*[:\]]|\s+(?:executing|calling|processing|running|fetching|reading|parsing|while)\b))"
)
DEEPEST = 3


def check(session: Session) -> Iterator[Finding]:
    """Report each result that says both, or that carries an error where errors are else marked.

    Where a result of a tool was marked as failed in this session, success is claimed of its others.
    Without such a claim an error in a body is only an error, which the model can read.
    """
    marked = {one.tool for one in session.results if session.entries[one.entry].failed}
    for one in session.results:
        if not one.counted or session.entries[one.entry].failed:
            continue
        found = contradiction(one.text, marks=one.tool in marked)
        if found is None:
            continue
        claim, said = found
        advice = (
            f"{one.tool} reports success and returns an error in its body: a harness that counts "
            "failures, retries or stops on them does not see this one. Raise the error in the "
            "tool, or set its error flag (isError, is_error)."
        )
        evidence = {"claim": claim, "error": excerpt(said, LONGEST_SHOWN)}
        yield finding(session, one.entry, NAME, "warning", "produce", advice, evidence)


def contradiction(text: str, *, marks: bool) -> tuple[str, str] | None:
    """Return the claim of success and the error beside it; None without both."""
    printed = PRINTED.match(text)
    if printed:
        inner = unescape(printed["single"] or printed["double"] or "")
        said = error_of(inner)
        return ("isError=False", said) if said and NO_ERROR.search(text) else None
    if TEXT.match(text):
        return ("not marked as failed", text.strip()) if marks else None
    root = object_of(text)
    if root is None:
        return None
    said = error_in(root) or error_of_content(root)
    claim = claim_in(root) or ("not marked as failed" if marks else None)
    return (claim, said) if claim and said else None


def object_of(text: str) -> dict[str, Json] | None:
    """Return the object that a text is, None where it is none."""
    reading = read(text) if text.lstrip()[:1] == "{" else None
    root = reading.value if reading is not None and reading.is_value else None
    return root if isinstance(root, dict) else None


def error_of(text: str) -> str | None:
    """Return the error that a text is or carries, None without one."""
    if TEXT.match(text):
        return text.strip()
    root = object_of(text)
    if root is None:
        return None
    if root.get("isError") is True or root.get("is_error") is True:
        return texts_of(root) or "isError: true"
    return error_in(root) or error_of_content(root)


def error_of_content(root: dict[str, Json]) -> str | None:
    """Return the error that is the text of an MCP result, whatever its flag says."""
    said = texts_of(root)
    return said if said and TEXT.match(said) else None


def texts_of(root: dict[str, Json]) -> str | None:
    """Return the first text of an MCP result."""
    content = root.get("content")
    for one in content if isinstance(content, list) else []:
        text = one.get("text") if isinstance(one, dict) and one.get("type") == "text" else None
        if isinstance(text, str):
            return text.strip()
    return None


def error_in(root: dict[str, Json], depth: int = 1) -> str | None:
    """Return the error that an object, or an object in it, carries."""
    for name in ERRORS:
        value = root.get(name)
        if isinstance(value, str) and value.strip() and value.strip().lower() not in EMPTY:
            return f"{name}: {value.strip()}"
        if isinstance(value, dict | list) and value:
            return f"{name}: {value}"
    value = root.get("status")
    if isinstance(value, str) and value.strip().lower() in BAD_WORDS:
        return f"status: {value}"
    if depth < DEEPEST:
        wrapped = (root.get(name) for name in WRAPPERS)
        inner = (error_in(one, depth + 1) for one in wrapped if isinstance(one, dict))
        return next((one for one in inner if one is not None), None)
    return None


EMPTY = frozenset(("none", "null", "no", "no error", "false", "0", "ok", "n/a", "-"))


def claim_in(root: dict[str, Json]) -> str | None:
    """Return the member of the root that claims success."""
    for name in SUCCESS:
        if root.get(name) is True:
            return f"{name}: true"
    if root.get("isError") is False or root.get("is_error") is False:
        return "isError: false"
    for name in CODES:
        value = root.get(name)
        if isinstance(value, int) and FIRST_OK <= value < FIRST_REDIRECT and value is not True:
            return f"{name}: {value}"
        if isinstance(value, str) and value.strip().lower() in GOOD_WORDS:
            return f"{name}: {value}"
    return None
