"""What a tool of Gemini CLI, or of a program made from it, returned apart from what was given on.

`resultDisplay` is what a person is shown. Of a command it is the whole output; of other tools it
may be a remark ("Read 40 lines"), which is nothing that was produced.
"""

import re

from ullage.sources.opened import Opened
from ullage.transcript.finding import Source
from ullage.transcript.transcript import Produced
from ullage.wire.members import Object, compact, text

SHELLS = frozenset({"run_shell_command", "shell", "ShellTool"})
SAVED_LINE = re.compile(
    r"\n?[^\n]*\b(?:Output too long and was saved to|Output saved to):[^\n]*\s*\Z"
)
SAVED = re.compile(r"(?:saved (?:to|at)|full output see):? \S*[/\\](?P<name>[\w.-]*\w)", re.I)
FOLDER = "tool-outputs"
CLIPPED = re.compile(r"truncated for saved session")


def produced_of(
    display: object, given: str, tool: str | None, session: str, opened: Opened, line: int | None
) -> Produced | None:
    """Return what was produced of one result; None where the file does not hold it as a text."""
    whole = saved(given, session, opened)
    if whole is not None:
        return whole
    if isinstance(display, dict):
        display = text(display, "output", "ansiOutput", "text")
    if not isinstance(display, str):
        return None
    shown = SAVED_LINE.sub("", display)
    if not shown.strip() or not (tool in SHELLS or is_all_of(given, shown)):
        return None
    return Produced(
        text=shown,
        at_least=CLIPPED.search(shown) is not None,
        source=Source(path=opened.name, line=line),
    )


def is_all_of(given: str, shown: str) -> bool:
    """Whether what a person was shown holds all that the model was given."""
    return bool(given.strip()) and given.strip() in shown


def saved(given: str, session: str, opened: Opened) -> Produced | None:
    """Return the whole text out of the file that a given text names; None where it is not there."""
    named = SAVED.search(given)
    if named is None:
        return None
    # The path is that of another machine: only the name of the file counts.
    folders = ((FOLDER, f"session-{session}"), (FOLDER,))
    found = (opened.beside(*names, named["name"], up=1) for names in folders)
    file = next((one for one in found if one is not None), None)
    if file is None:
        return None
    return Produced(text=file.data.decode("utf-8", "replace"), source=Source(path=file.name))


def result_text(response: Object) -> str:
    """Return what a result gives the model: its output or its error, else all of it."""
    said = text(response, "output", "error")
    return compact(response) if said is None else said
