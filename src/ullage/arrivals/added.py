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


def without_added(text: str) -> str:
    """Return a user's message without what a harness put into it."""
    return _ADDED.sub(" ", text).strip() if _TAG in text else text.strip()
