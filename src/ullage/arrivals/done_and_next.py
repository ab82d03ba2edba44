"""Steps that a text says are done, and steps that it lists as next."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ullage.arrivals.wording import content_words, sentences, without_code

IRREGULAR: Mapping[str, str] = {
    "wrote": "write", "ran": "run", "built": "build", "made": "make", "set": "set", "sent": "send",
    "put": "put", "did": "do", "found": "find", "took": "take", "gave": "give", "got": "get",
    "split": "split", "cut": "cut", "read": "read", "began": "begin", "rebuilt": "rebuild",
    "rewrote": "rewrite", "reset": "reset", "written": "write", "sold": "sell", "bought": "buy",
    "chose": "choose", "drew": "draw", "taught": "teach", "brought": "bring", "held": "hold",
}  # fmt: skip
_IRREGULAR = "|".join(IRREGULAR)
_SUBJECT = (
    r"(?:(?:i|we)(?:['\u2019]ve| have)?\s+|successfully\s+|also\s+|then\s+|just\s+|now\s+|and\s+)*"
)
_DID = re.compile(rf"^\W*{_SUBJECT}(?:[a-z]{{2,}}ed|{_IRREGULAR})\b", re.IGNORECASE)
_STATE = re.compile(
    r"(?:\b(?:is|are|was|were|has been|have been|now)\s+(?:\w+ly\s+)?"
    r"(?:done|complete[d]?|finished|implemented|fixed|added|merged|deployed|pushed|created|removed|"
    r"updated|resolved|renamed|migrated|written|released|published|sent)\b)"
    r"|^\W*(?:done|completed|finished|fertig|erledigt|terminé|fait|hecho|listo)\b"
    r"|[✓✔✅☑]|\[[xX]\]|已完成|完成了|已经|しました|完了",
    re.IGNORECASE,
)
_NOT_DONE = re.compile(
    r"\b(?:not|n['\u2019]t|never|will|would|should|need|needs|must|going to|to be|partially|"
    r"partly|half|"
    r"almost|nearly|fail\w*|unable|cannot|if|once|after|until|when|before|tried|attempted|wanted|"
    r"asked|needed|started|planned|decided|expected|supposed|based|noted)\b|[?\uff1f]",
    re.IGNORECASE,
)
_PROMISES = re.compile(
    r"\W*(?:understood|got it|sure|ok(?:ay)?|right|working|looking|querying|starting|will do|on it|"
    r"(?:first,? )?(?:i(?:['\u2019]ll| will|['\u2019]m| am)|let me|let['\u2019]s|we['\u2019]ll))\b",
    re.IGNORECASE,
)
_TICKED = re.compile(
    r"^[ \t]*(?:[-*+•]|\d+[.)])?[ \t]*(?:\[[xX✓]\]|[✓✔✅☑])[ \t]*(?P<step>.+)$", re.M
)
_OPEN = re.compile(r"^[ \t]*(?:[-*+•]|\d+[.)])?[ \t]*(?:\[ ?\]|[☐⬜])[ \t]*(?P<step>.+)$", re.M)
_NEXT = (
    r"next(?: steps?| up| action| task| thing)?|to-?do(?:s| list)?|remaining(?: steps| work|"
    r" tasks?)?|"
    r"pending(?: steps| work| tasks?)?|still (?:to do|open)|open (?:tasks|items|steps)|upcoming|"
    r"outstanding(?: work| tasks?)?|what(?:'s| is) left|left to do|nächste[rs]? schritte?|"
    r"noch offen|"
    r"prochaines? étapes?|à faire|próximos? pasos?|pendientes?|下一步|待办|待完成|次のステップ"
)
_NEXT_LINE = re.compile(
    rf"^\W*(?:the |my |our |immediate |\d+[.)] )*(?:{_NEXT})\W*(?:is|are|:|\uff1a|-|\u2013|"
    rf"—)\s*(?P<step>.*)$",
    re.IGNORECASE,
)
_HEADING = re.compile(rf"^\W*(?:\d+[.)]\s*)?(?:{_NEXT})\W*$", re.IGNORECASE)
_LISTED = re.compile(r"^\s*(?:[-*+•]|\d+[.)])\s+(?P<step>.+)$")
_STILL = re.compile(
    r"\b(?:still (?:need|have|has)s?(?: to)?|needs? to be|remains? to|have yet to|has yet to|"
    r"i will now|"
    r"next,? i(?:['\u2019]ll| will)|then i(?:['\u2019]ll| will))\b",
    re.IGNORECASE,
)
_REFERS = re.compile(r"\b(?:it|this|that|these|those|them|there)\b", re.IGNORECASE)
_THEN = re.compile(r",?\s+(?:and\s+)?then,?\s+|\s\(?\d\)\s", re.IGNORECASE)
# What is done more than once in good faith, and what is meant to be done again.
_AGAIN = re.compile(
    r"^\W*(?:re-?)?(?:run|test|check|verify|review|read|look|monitor|continue|watch|confirm|"
    r"validate|"
    r"inspect|wait|ask|report|consider|discuss|investigate|debug)\b|\bagain\b|\bre-?\w+ing\b|"
    r"\bretry\b|"
    r"\bre-?(?:deploy|start|build|run|apply|create|write|load|install|generate|send|open|index|"
    r"fetch|"
    r"push|submit|publish|release|calculate|compute|test|check)\w*|\bredo\b|\brevert|\bundo\b|"
    r"\bfollow[- ]?up\b|\banother\b|\bmore\b|\badditional\b|\bfurther\b",
    re.IGNORECASE,
)
_NOT_TO = re.compile(r"\b(?:not|never|no|without|n['\u2019]t|nothing|none)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One step as a text names it; `about` has its words and those that `it` stands for."""

    text: str
    about: tuple[str, ...]


def done_steps(text: str) -> list[str]:
    """Return the steps that a text says are done; what was tried or planned is not."""
    plain = without_code(text)
    ticked = [match["step"].strip() for match in _TICKED.finditer(plain)]
    return ticked + [one for one in sentences(plain) if one not in ticked and says_done(one)]


def states_done(text: str) -> bool:
    """Whether a text says that anything is done."""
    return bool(done_steps(text))


def is_question(text: str) -> bool:
    """Whether a text ends by asking."""
    return text.rstrip().endswith(("?", "\uff1f"))


def promises(text: str) -> bool:
    """Whether a text begins by taking a task on, not by giving what was asked for."""
    return _PROMISES.match(text) is not None


def says_done(sentence: str) -> bool:
    """Whether a sentence says that something is done."""
    if _NOT_DONE.search(sentence) or _NEXT_LINE.match(sentence):
        return False
    return _DID.match(sentence) is not None or _STATE.search(sentence) is not None


def next_steps(text: str) -> Iterator[Step]:
    """Yield the steps that a text lists as next: open boxes, "Next: …", lists under a heading."""
    plain = without_code(text)
    for match in _OPEN.finditer(plain):
        yield Step(text=match["step"].strip(), about=tuple(content_words(match["step"])))
    yield from listed_next(plain.split("\n"))
    yield from told_next(sentences(plain))


def listed_next(lines: Sequence[str]) -> Iterator[Step]:
    """Yield the items of each list under a heading that says they are next."""
    under = False
    for line in lines:
        item = _LISTED.match(line)
        if _HEADING.match(line):
            under = True
        elif under and item is not None:
            if not (_TICKED.match(line) or _OPEN.match(line)):
                yield Step(text=item["step"], about=tuple(content_words(item["step"])))
        elif line.strip():
            under = False


def told_next(each: Sequence[str]) -> Iterator[Step]:
    """Yield what sentences say is next; `it` is what the sentence before is about."""
    for before, sentence in zip(("", *each), each, strict=False):
        told = _NEXT_LINE.match(sentence)
        text = told["step"] if told is not None else sentence if _STILL.search(sentence) else ""
        for number, step in enumerate(_THEN.split(text)):
            about = content_words(step)
            if _REFERS.search(step):
                spoken_of = before if number == 0 else text
                about += [one for one in content_words(spoken_of) if one not in about]
            if step.strip():
                yield Step(text=step.strip(), about=tuple(about))


def may_repeat(step: str) -> bool:
    """Whether a step is of a kind that is done again in good faith, or is one not to be done."""
    return _AGAIN.search(step) is not None or _NOT_TO.search(step) is not None
