"""Standing rules and numbers in what a user or a system text says.

A rule is a sentence that tells for good what to do or not to do, or that sets a limit. The words
for it are tables by language; what they do not know is no rule, which is the safe side.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ullage.arrivals.units import figure
from ullage.arrivals.user_turns import asks
from ullage.arrivals.wording import content_words, sentences, without_code

_START = r"(?:^|[,;:\u2013—(-]\s*|\b(?:please|and|but|you|should|must|to|then|so)\s+)"
_BOUND = (
    r"at most|at least|no more than|not more than|no less than|no fewer than|maximum|max\.?|"
    r"minimum|"
    r"min\.?|up to|fewer than|less than|more than|limit(?:ed)?|budget|deadline|exceed(?:s|ing)?|"
    r"(?:keep|stay|stays|be|remain|finish)\b[^.!?\n]{0,60}?\b(?:under|below|above|over|within)|"
    r"höchstens|mindestens|maximal|au plus|au moins|au maximum|como máximo|al menos|"
    r"no máximo|pelo menos|al massimo|almeno"
)
RULES: Sequence[re.Pattern[str]] = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"{_START}(?:always|never)\s+[a-z]+",
        r"\b(?:must|may|should)(?:\s+not|n['\u2019]t)\s+[a-z]+",
        r"\b(?:must)\s+(?!be (?:a|an|the)\b|have been\b|admit\b|say\b)(?:always |only |"
        r"never )?[a-z]{2,}",
        r"(?<!\bi )(?<!\bwe )(?<!\bthey )(?<!\bit )(?<!\bthat )(?<!\bwhy )(?<!\bwhich )"
        r"\b(?:do not|don['\u2019]t|dont)\s+(?:ever\s+)?(?!forget|worry|hesitate|know|think|see|"
        r"understand|"
        r"have|need|want|care|mind|like|get\b)[a-z][a-z-]*[a-z]",
        rf"{_START}only\s+(?:use|edit|change|touch|modify|write|read|run|work|answer|reply|call)\b",
        r"\b(?:use|edit|change|touch|modify|write|read|work|answer|reply)\s+only\b",
        rf"{_START}only\s+[^.!?\n]{{1,60}}?\s(?:may|must)\s+[a-z]{{2,}}|\bmay only\s+[a-z]{{2,}}",
        r"\bfrom now on\b|\bno matter what\b|\bunder no circumstances\b|\bstrictly forbidden\b|"
        r"\bis (?:forbidden|prohibited|off[- ]limits|mandatory|required)\b",
        rf"\b(?:{_BOUND})\b[^.!?\n]{{0,40}}?\d",
        r"\b(?:budget|limit|deadline|maximum|minimum)\b[^.!?\n]{0,30}?\d",
        r"\b(?:niemals|auf keinen fall|immer|unbedingt)\b|\b(?:darf|dürfen|soll|"
        r"sollen)\b[^.!?\n]*\b"
        r"(?:nicht|kein\w*|nie|nur)\b|\b(?:muss|müssen)\b",
        r"\bne\s+\w+[^.!?\n]*\bjamais\b|\bil (?:ne )?faut\b|\bn['\u2019]?e?\s*\w+\s+(?:pas|"
        r"jamais)\b|"
        r"\b(?:doit|doivent)\b|\btoujours\b",
        r"\bnunca\b|\bsiempre\b|\bdebe(?:n|s)?\b|\bno\s+(?:uses|toques|cambies|modifiques|borres|"
        r"debes)\b",
        r"必须|不要|不得|不能|禁止|只能|始终|最多|至少|不超过|务必|千万别|严禁",
        r"必ず|しないで|してはいけない|禁止|以内|以下に|以上に|絶対に",
        r"(?:^|\s)(?:никогда|всегда|нельзя|обязательно|не более|не менее)(?=\s)",
    )
)
# A rule that says what not to do, or how far at most; and how else that is said.
RESTRICTS = re.compile(
    r"\b(?:not|no|never|without|avoid\w*|\w+n['\u2019]t|dont|cannot|stop|forbid\w*|forbade|"
    r"prohibit\w*|refrain\w*|"
    r"only|except|exclusively|solely|instead of|rather than|nothing|none|nor|ban(?:ned)?|"
    r"disallow\w*|"
    r"leave|leaving|keep|keeping|kept|stay\w*|remain\w*|preserve\w*|unchanged|untouched|intact|"
    r"frozen|"
    r"read-?only|off[- ]limits|constraint\w*|rules?|restrict\w*|must|limit\w*|strict\w*|exclud\w*|"
    r"nicht|kein\w*|nie|niemals|ohne|nur|unverändert|verboten|tabu|pas|jamais|sans|uniquement|"
    r"seulement|"
    r"interdit\w*|nunca|sin|sem|senza|zonder|proibid\w*|vietat\w*|verbod\w*|без|запрещ\w*|"
    r"solo|sólo|prohibid\w*|não|mai|niet|geen|нельзя|никогда|не)\b"
    r"|不|勿|别|禁|只|仅|ない|ません|ず|禁止|のみ|だけ|❌|🚫",
    re.IGNORECASE,
)
_NEGATIVE = re.compile(
    r"\b(?:not|never|don['\u2019]t|dont|mustn['\u2019]t|shouldn['\u2019]t|no circumstances|"
    r"forbidden|prohibited|"
    r"off[- ]limits|nicht|kein\w*|nie|niemals|auf keinen fall|pas|jamais|nunca)\b"
    r"|不要|不得|不能|禁止|千万别|严禁|しないで|いけない|никогда|нельзя",
    re.IGNORECASE,
)
_ENUMERATOR = re.compile(
    r"^\W*(?:(?:step|rule|point|note|phase)\s*)?\d{1,3}\s*[.):-]\s+", re.IGNORECASE
)
# Dates and times are written in too many ways to look for their figures.
_DATE = re.compile(
    r"\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}|\d{1,2}:\d{2}|\d{1,2}(?:st|nd|rd|th)\b", re.IGNORECASE
)
_NUMBER = re.compile(
    r"(?<![\w.])(?<![A-Za-z]-)\d{1,3}(?:[,_'\u2019\u00a0\u202f ]\d{3})+(?![\d])|"
    r"(?<![\w.])\d+(?:[.,]\d+)*(?!\w*[.]?\d)"
    r"|(?<=[^\W\d_])\d+(?:\.\d+)*"
)
_IN_WORDS = {
    word: str(value)
    for value, words in {
        0: "zero", 1: "one once", 2: "two twice zwei deux dos", 3: "three thrice drei trois tres",
        4: "four vier quatre cuatro", 5: "five fünf cinq cinco", 6: "six sechs seis",
        7: "seven sieben sept siete", 8: "eight acht huit ocho", 9: "nine neun neuf nueve",
        10: "ten zehn dix diez", 11: "eleven", 12: "twelve dozen", 15: "fifteen", 20: "twenty",
        30: "thirty", 40: "forty", 50: "fifty half", 60: "sixty", 100: "hundred", 1000: "thousand",
    }.items()
    for word in words.split()
}  # fmt: skip
_CLAUSE = re.compile(
    r",\s|[\uff0c、]|\s(?:but|aber|sondern|mais|pero)\s|(?<=[^\x00-\x7f]),", re.IGNORECASE
)
LONGEST_FIGURE = 30
LONGEST = 500
"""A longer "sentence" is pasted data, no rule."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A sentence that holds a rule, and the clause of it that does."""

    text: str
    clause: str


def rules_in(text: str) -> Iterator[Rule]:
    """Yield the standing rules and limits of a text; questions are none."""
    for sentence in sentences(without_code(text)):
        if len(sentence) > LONGEST or sentence.endswith(("?", "\uff1f")):
            continue
        match = next((found for rule in RULES if (found := rule.search(sentence))), None)
        if match is not None and content_words(sentence):
            yield Rule(text=sentence, clause=clause_at(sentence, match.start(), match.end()))


def without_rules(text: str) -> str:
    """Return what a text asks for: without its standing rules, or all where it is only these."""
    rest = text
    for one in rules_in(text):
        rest = rest.replace(one.text, " ", 1)
    return rest if asks(rest) else text


def clause_at(sentence: str, start: int, end: int) -> str:
    """Return the part of a sentence, between commas and such, in which a span stands."""
    borders = [0, *(match.end() for match in _CLAUSE.finditer(sentence)), len(sentence)]
    begin = max(one for one in borders if one <= max(start, 0))
    finish = min(one for one in borders if one >= end)
    clause = sentence[begin:finish].strip(" ,\uff0c、;")  # a search term, not a text for show
    return clause if content_words(clause) else sentence


def forbids(rule: str) -> bool:
    """Whether a rule says what not to do."""
    return _NEGATIVE.search(rule) is not None


def numbers_of(text: str) -> frozenset[str]:
    """Return the figures of a text, as plain digits; list marks, dates and times are none."""
    plain = _DATE.sub(" ", _ENUMERATOR.sub("", text))
    found = {written(match[0]) for match in _NUMBER.finditer(plain)}
    return frozenset(found)


def numbers_said(text: str) -> frozenset[str]:
    """Return the figures of a text and those that stand in it as words."""
    words = {_IN_WORDS[one] for one in _words(text) if one in _IN_WORDS}
    loose = {match[0] for match in re.finditer(r"\d+(?:\.\d+)*", text)}
    return frozenset(numbers_of(text) | words | loose)


def _words(text: str) -> list[str]:
    """Return the words of a text as they stand."""
    return re.findall(r"[^\W\d_]+", text.casefold())


def written(number: str) -> str:
    """Return a figure in one spelling: `1,000` is `1000`; a version stays as it is."""
    if (
        len(number) > LONGEST_FIGURE
        or number.count(".") > 1
        or (number.count(",") > 1 and not re.fullmatch(r"\d{1,3}(,\d{3})+", number))
    ):
        return number
    value = figure(number)
    return (
        str(value.numerator)
        if value.denominator == 1 and "." not in number
        else number.replace(",", ".")
    )
