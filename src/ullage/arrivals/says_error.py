"""Words that stand in front of an error, where a harness does not mark a result as one."""

import re

SAYS = re.compile(
    r"""^\W*(?:\w+[\w.-]*\W+){0,2}?(?:(?:error|fatal|exception|traceback|panic)\b|err!)
    |^\W*[\w.]*(?:error|exception)s?(?:\.\w+)*\s*[:(]|\bHTTP(?:/[\d.]+)?\s[45]\d\d\b
    |\b(?:no\ such\ file|does\ not\ exist|command\ not\ found|permission\ denied)
    |\bexit\ (?:code|status)\ [1-9]""",
    re.VERBOSE | re.IGNORECASE | re.MULTILINE,
)
LONGEST = 2_000


def says_error(text: str) -> bool:
    """Whether a short result says that it is an error; a long one may only tell of some."""
    return len(text) <= LONGEST and SAYS.search(text) is not None
