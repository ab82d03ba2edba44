"""What a harness puts into a user's message: reminders, the environment, what a hook printed."""

import re

# What harnesses put into a user's message. A tag of the user's own (`<pr_description>`) is none.
_HARNESS = (
    "system-reminder|environment_context|environment_details|local-command-stdout|"
    "local-command-stderr|local-command-caveat|command-name|command-message|command-args|"
    "ide_selection|ide_opened_file|user-prompt-submit-hook|turn_aborted|git_status|bash-stdout|"
    "bash-stderr|task-notification|post-tool-use-hook"
)
_ADDED = re.compile(rf"<(?P<tag>{_HARNESS})(?:\s[^>]*)?>.*?(?:</(?P=tag)>|\Z)", re.DOTALL)
_TAG = "<"
# What one stage was handed by another: a record of findings, whose words are no user's rules. A
# line of a finding never stands at the margin, so none of them ends the block.
_HANDED = re.compile(
    r"^\[ullage: hand-off to [^\n]*; check (?P<check>[0-9a-f]{12})\]$.*?"
    r"^\[ullage: end of the hand-off; check (?P=check)\]$",
    re.DOTALL | re.MULTILINE,
)
_OURS = "[ullage: hand-off to "


def without_added(text: str) -> str:
    """Return a user's message without what a harness put into it."""
    return _ADDED.sub(" ", text).strip() if _TAG in text else text.strip()


def without_handed(text: str) -> str:
    """Return a message without the findings that another stage handed on in it."""
    return _HANDED.sub(" ", text).strip() if _OURS in text else text


def is_handed(text: str) -> bool:
    """Whether findings of another stage are handed on in a message."""
    return _OURS in text and _HANDED.search(text) is not None
