"""The line that a rule leaves in a result: what is gone, by which rule, how to have it again.

    [ullage: 312 of 400 lines (20112 characters); rule progress; call the tool again to have it]

It stands first in the text, what is left of the text below it. A second rule adds to the line.
"""

import re
from dataclasses import dataclass, replace

from ullage.cutter.notice_line import one_line

AGAIN = "call the tool again to have it"
INSIDE = re.compile(r"\n|\bCut(?: to [^:;]{1,60})?: |; rule (?P<rule>[\w.:-]{1,200})\.")
"""Where a text keeps its syntax, the notice of the cut inside it names the rule at its end."""
LONGEST = 10_000
_LINE = re.compile(
    r"\[ullage: (?P<gone>[^;\n]+); rules? (?P<rules>[^;,\s]+(?:, [^;,\s]+)*); (?P<back>[^\n]+)\]"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Placeholder:
    """What is gone, by which rules, and the way back."""

    gone: str
    rules: tuple[str, ...]
    back: str = AGAIN

    def line(self) -> str:
        """Return it as the one line that stands first in a text."""
        gone = one_line(self.gone).replace(";", ",")
        word = "rule" if len(self.rules) == 1 else "rules"
        return f"[ullage: {gone}; {word} {', '.join(self.rules)}; {one_line(self.back)}]"

    def above(self, text: str) -> str:
        """Return the line, and below it what is left of a text."""
        return f"{self.line()}\n{text}" if text else self.line()

    def after(self, first: "Placeholder | None") -> "Placeholder":
        """Return what both say: the first was there before."""
        if first is None:
            return self
        back = self.back if self.back != AGAIN else first.back
        gone = f"{first.gone}, and {self.gone}"
        return replace(self, gone=gone, rules=(*first.rules, *self.rules), back=back)


def taken_off(text: str) -> tuple[Placeholder | None, str]:
    """Return the placeholder that a text begins with, None without one, and the rest."""
    if not text.startswith("[ullage: "):
        return None, text
    line, _, rest = text.partition("\n")
    found = _LINE.fullmatch(line) if len(line) <= LONGEST else None
    if found is None:
        return None, text
    rules = tuple(found["rules"].split(", "))
    return Placeholder(gone=found["gone"], rules=rules, back=found["back"]), rest


def rules_on(text: str) -> tuple[str, ...]:
    """Return the names of the rules that shortened a text."""
    head, rest = taken_off(text)
    if head is not None:
        return head.rules
    inside = rule_inside(rest) if "; rule " in rest else None
    return (inside,) if inside else ()


def rule_inside(text: str) -> str | None:
    """Return the rule that the notice of a cut names, in a text that keeps its syntax."""
    is_notice = False
    for found in INSIDE.finditer(text):
        if is_notice and found["rule"]:
            return found["rule"]
        is_notice = found[0].startswith("Cut") or (is_notice and found[0] != "\n")
    return None
