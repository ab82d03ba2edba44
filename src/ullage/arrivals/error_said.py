"""An error that stands in a result which otherwise looks like an empty success."""

from ullage.arrivals.values import MARK, decode, has_leaf
from ullage.arrivals.wording import vocabulary

NAMES = ("error", "errors", "error_message", "errorMessage", "exception")
# Beside an error these say that it is one, so nothing claims success.
FAILED = (("success", False), ("ok", False), ("isError", True), ("is_error", True))
BESIDE = vocabulary(
    "status code ok success message type request_id requestId isError is_error timestamp "
    "duration elapsed query took count total"
)
"""Members that say something of a result and hold none of it."""


def error_said(text: str) -> str | None:
    """Return the name of the member in which a result says that it failed; None if it does not.

    Only an object that holds nothing else is meant (`{"rows": [], "error": "timeout"}`): an
    `error` beside records may be one of their fields. A result that says it failed
    (`"success": false`) claims no success.
    """
    try:
        value = decode(text.removeprefix(MARK))
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, dict) or any(value.get(name) is word for name, word in FAILED):
        return None
    said = next((name for name in NAMES if holds(value.get(name))), None)
    others = (member for name, member in value.items() if name not in BESIDE and name not in NAMES)
    if said is None or any(has_leaf(member) for member in others):
        return None
    return said


def holds(value: object) -> bool:
    """Whether a member tells an error: a text, an object or a list with something in it."""
    return (
        bool(value.strip())
        if isinstance(value, str)
        else isinstance(value, (dict, list)) and bool(value)
    )
