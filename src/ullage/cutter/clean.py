"""Taking out of a text what only a terminal can show: codes, redraws, backspaces, control bytes."""

import re
from dataclasses import dataclass

from ullage.transcript.counted import many

# A code that holds a text (OSC, DCS, PM, APC, SOS) is taken out with it where its end stands on the
# same line, or where the text itself ends inside it; else only what opens it, so that a lost end
# cannot swallow what follows. Possessive everywhere: each character is read once.
CODE = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*+[ -/]*+[@-~]?"
    r"|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])(?:[^\x07\x1b\x9c\r\n]*+(?:\x07|\x9c|\x1b\\|\x1b?\Z))?+"
    r"|\x1b[ -/]*+[0-~]?"
)
CONTROL = re.compile(r"[\x00-\x07\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f]+")
SPECIAL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f]|\r(?!\n)")
# A run of control bytes from this length on leaves a placeholder: it stood for something.
RUN = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Cleaned:
    """A text as a reader sees it, and a clause for each kind of thing that was taken out."""

    text: str
    also: tuple[str, ...] = ()


def clean(text: str) -> Cleaned:
    """Return `text` without terminal codes, redraws, backspaces and control bytes.

    A line that was redrawn by carriage returns becomes its first and its last state. A text that
    knows carriage returns only, and no codes, is taken for lines of an old system and keeps them.
    """
    if not SPECIAL.search(text):
        return Cleaned(text=text)
    plain, codes = CODE.subn("", text)
    controls = sum(map(len, CONTROL.findall(plain)))
    plain = CONTROL.sub(placeholder, plain)
    backspaces = plain.count("\b")
    redraws = 0
    if backspaces or ("\r" in plain and (codes or "\n" in plain)):
        plain, redraws = redrawn(plain, folds="\n" in plain or codes > 0)
    said = (
        f"terminal codes taken out ({codes})" if codes else "",
        f"{many(redraws, 'redraw')} folded" if redraws else "",
        f"{many(backspaces, 'backspace')} applied" if backspaces else "",
        f"{many(controls, 'control byte')} taken out" if controls else "",
    )
    return Cleaned(text=plain, also=tuple(clause for clause in said if clause))


def placeholder(run: re.Match[str]) -> str:
    """Return what a run of control bytes leaves."""
    return f"[{len(run[0])} control bytes]" if len(run[0]) >= RUN else ""


def redrawn(text: str, *, folds: bool) -> tuple[str, int]:
    """Return a text with each line as it was left, and how many redraws of lines were folded."""
    lines = text.split("\n")
    total = 0
    for at, line in enumerate(lines):
        if "\r" not in line and "\b" not in line:
            continue
        end = "\r" if line.endswith("\r") and at < len(lines) - 1 else ""
        states = line.removesuffix(end).split("\r")
        states = [overstruck(state) if "\b" in state else state for state in states]
        if folds:
            shown = [state for state in states if state.strip()] or [""]
            total += len(shown) - 1
            states = shown if len(shown) == 1 or shown[0] == shown[-1] else [shown[0], shown[-1]]
            states = states[:1] if states[0] == states[-1] else states
            lines[at] = f"{end}\n".join(states) + end
        else:
            lines[at] = "\r".join(states)
    return "\n".join(lines), total


def overstruck(state: str) -> str:
    """Return what a terminal shows after backspaces: later characters replace earlier ones."""
    shown: list[str] = []
    at = 0
    for character in state:
        if character == "\b":
            at = max(at - 1, 0)
        else:
            shown[at : at + 1] = [character]
            at += 1
    return "".join(shown)
