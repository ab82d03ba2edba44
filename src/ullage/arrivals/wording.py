"""Whether a text still says what another one said, in its own words: by words, not by meaning.

Nothing here knows a language well. Words of one stem are taken for the same (`push`, `pushing`), a
short form for its long one (`prod`, `production`); of scripts without spaces the pairs of
neighbouring characters count. So what is found may be there by chance, and what is not found is
really not there: the side on which a check that reports a loss should err.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Literal

Language = Literal["en", "de", "fr", "es", "pt", "it", "nl"]


def vocabulary(words: str) -> frozenset[str]:
    """Return the words of a table that is written as one text."""
    return frozenset(words.split())


# So frequent that they say nothing of the subject; they also tell the language.
COMMON: dict[Language, frozenset[str]] = {
    "en": vocabulary(
        "a an the and or but if then else of to in on at by for with from as into is are was were "
        "be been being it its this that these those there here he she they them we you i me my "
        "your our their his her one ones not no do does did done don doesn didn isn aren wasn "
        "can could "
        "will would shall should may might must have has had having just also so too very now "
        "please all any some each every what which who when where how why than about over out up "
        "down only still yet after before while until because instead able let us get got make "
        "makes made sure want wants need needs asked ask user first next later again never "
        "always t s ll ve re d m"
    ),
    "de": vocabulary(
        "der die das den dem des ein eine einen einem einer eines und oder aber wenn dann von zu "
        "zum zur in im ins an am auf bei mit aus als für ist sind war waren sein wird werden wurde "
        "es er sie wir ihr ich du mich mir dir uns nicht kein keine keinen nur auch noch schon so "
        "sehr bitte alle alles jede jeder jedes was wer wo wie warum dass nach vor über unter "
        "immer nie niemals muss müssen darf dürfen soll sollen kann können hat haben hatte jetzt "
        "dabei durch um sich man bis"
    ),
    "fr": vocabulary(
        "le la les un une des du de d l et ou mais si alors à au aux en dans sur par pour avec est "
        "sont était être il elle on nous vous ils elles je tu me te se ne pas plus jamais toujours "
        "que qui quoi dont où comment ce cet cette ces son sa ses mon ma mes leur leurs tout tous "
        "toute toutes doit doivent faut peut peuvent a ont avait maintenant après avant s n qu c "
        "y seulement uniquement merci"
    ),
    "es": vocabulary(
        "el la los las un una unos unas de del y o pero si entonces a al en por para con es son "
        "era "
        "ser está están él ella ellos nosotros yo tú me te se no nunca siempre que quien donde "
        "como "
        "este esta esto estos estas su sus mi mis lo le les todo todos toda todas debe deben hay "
        "puede pueden ha han ahora después antes más solo sólo muy también"
    ),
    "pt": vocabulary(
        "o a os as um uma de do da dos das e ou mas se em no na nos nas por para com é são era ser "
        "está ele ela eles nós eu não nunca sempre que quem onde como este esta isto seu sua deve "
        "devem pode podem há foi agora depois antes mais só também ao à"
    ),
    "it": vocabulary(
        "il lo la i gli le un una di del della dei e o ma se in nel nella su per con è sono era "
        "essere egli ella noi voi io tu non mai sempre che chi dove come questo questa deve devono "
        "può possono ha hanno ora dopo prima più solo anche al alla"
    ),
    "nl": vocabulary(
        "de het een en of maar als dan van naar in op aan bij met uit voor is zijn was waren wordt "
        "worden hij zij wij jij ik niet geen nooit altijd alleen ook nog al zo dit dat deze die "
        "wat "
        "wie waar hoe moet moeten mag mogen kan kunnen heeft hebben nu na om te er"
    ),
}
_ALL_COMMON = frozenset().union(*COMMON.values())

# Han, kana, Thai: written without spaces.
_UNSPACED = r"\u3400-\u9fff\u3040-\u30ff\u0e00-\u0e7f"
_TOKEN = re.compile(rf"[{_UNSPACED}]+|\d+(?:[.,]\d+)+(?!\w)|[^\W_](?:(?![{_UNSPACED}])\w)*")
_UNSPACED_WORD = re.compile(f"[{_UNSPACED}]")
_RUN = re.compile(r"[\w./\\:-]+", re.ASCII)
_IS_NAME = re.compile(r"\d|\w[./\\:_-]+\w|[a-z0-9][A-Z]", re.ASCII)
# A dot in a version or a path ends no sentence; a line does. The full stops of Chinese and Japanese
# have no space after them.
_SENTENCE = re.compile(r"(?<=[.!?])[\"')\]]*\s+|(?<=[。\uff01\uff1f\uff1b])|\n+|;\s+")
_ITEM = re.compile(r"^\s*(?:[-*•+]\s+|\(?\d{1,3}[.)]\s+|#{1,6}\s+)*(?:\[[ xX✓]\]\s*)?")
_DOUBLED = re.compile(r"(\w{2,}?([b-df-hj-np-tv-z]))\2(?:ing|ed|er|ers|able)$")
_LONG_ENDING = re.compile(
    r"(\w{3,}?)(?:ments?|ations?|tions?|ness|able|ible|ances?|ences?|ally|ings)$"
)
_FENCE = re.compile(r"^(```|~~~).*?^\1[^\n]*$", re.DOTALL | re.MULTILINE)
_LATIN = re.compile(r"[A-Za-zÀ-ɏ]")

LONGEST_WORD = 40
"""A longer run of letters is no word, and has no stem."""
SHORTEST_STEM = 3
LONGEST_ENDING = 3
SHORT_FORM = 4
"""From so many letters on the beginning of a word is its short form: `prod`, `auth`, `repo`."""
SURE = 2
"""So many common words tell a language, if no other language has more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wording:
    """The words of a text, ready to be asked for others."""

    exact: frozenset[str]
    stems: frozenset[str]
    starts: frozenset[str]

    def has(self, word: str) -> bool:
        """Whether the text has a word, in some form of it."""
        if word in self.exact:
            return True
        if not word.isalpha() or is_unspaced(word) or len(word) > LONGEST_WORD:
            return False
        # As the short form of a word of the text, as one stem with it, or the other way round.
        return (
            (len(word) >= SHORT_FORM and word in self.starts)
            or not self.stems.isdisjoint(stems(word))
            or any(word[:end] in self.exact for end in range(SHORT_FORM, len(word)))  # a stem
        )

    def share(self, words: Iterable[str]) -> Fraction:
        """Return the share of words that the text has, 0 of none."""
        asked = set(words)
        return Fraction(sum(map(self.has, asked)), len(asked) or 1)

    def common(self, words: Iterable[str]) -> set[str]:
        """Return those of these words that the text has."""
        return {one for one in set(words) if self.has(one)}


def wording(*texts: str) -> Wording:
    """Read the words of texts."""
    exact = {word for text in texts for word in tokens(text)}
    plain = [
        word
        for word in exact
        if word.isalpha()
        and len(word) <= LONGEST_WORD
        and not is_unspaced(word)
        and word not in _ALL_COMMON
    ]
    return Wording(
        exact=frozenset(exact),
        stems=frozenset(stem for word in plain for stem in stems(word)),
        starts=frozenset(word[:end] for word in plain for end in range(SHORT_FORM, len(word))),
    )


def stems(word: str) -> list[str]:
    """Return what a word may be without its ending, the word itself last."""
    shortest = max(SHORTEST_STEM, len(word) - LONGEST_ENDING)
    found = [word[:end] for end in range(shortest, len(word) + 1)]
    return found + [bare[1] for ending in (_DOUBLED, _LONG_ENDING) if (bare := ending.match(word))]


def tokens(text: str) -> list[str]:
    """Return all words of a text, case folded; without spaces, the pairs of neighbours."""
    found = []
    for match in _TOKEN.finditer(text.replace("_", " ")):
        word = match[0].casefold()
        found += pairs_of(word) if is_unspaced(word) else [word]
    return found


def content_words(text: str) -> list[str]:
    """Return the words that say what a text is about, each once, in order."""
    return list(
        dict.fromkeys(
            one
            for one in tokens(text)
            if one not in _ALL_COMMON and (len(one) > 1 or one[0].isdigit())
        )
    )


def names(text: str) -> list[str]:
    """Return what every language writes alike: identifiers, paths, figures. Each once."""
    runs = (match[0].strip("./\\:-") for match in _RUN.finditer(text))
    return list(dict.fromkeys(one.casefold() for one in runs if _IS_NAME.search(one)))


def is_unspaced(word: str) -> bool:
    """Whether a word is of a script without spaces."""
    return _UNSPACED_WORD.match(word) is not None


def pairs_of(word: str) -> list[str]:
    """Return the neighbouring characters of a run, a single one by itself."""
    return [one + other for one, other in pairwise(word)] or [word]


def sentences(text: str) -> list[str]:
    """Split a text into its sentences and lines, list marks taken off."""
    found = (_ITEM.sub("", one).strip(" \t\r*_`") for one in _SENTENCE.split(text))
    return [one for one in found if one]


def without_code(text: str) -> str:
    """Return a text without its fenced blocks and quoted lines: those are not its own words."""
    kept = _FENCE.sub("\n", text)
    return "\n".join(line for line in kept.split("\n") if not line.lstrip().startswith(">"))


def language(text: str) -> str | None:
    """Return a guess of a text's language, else its script; None where it is too short to tell."""
    found = [match[0].casefold() for match in _TOKEN.finditer(text)]
    foreign = next((one for one in found if one[:1].isalpha() and not _LATIN.match(one)), None)
    latin = sum(bool(_LATIN.match(one)) for one in found)
    others = sum(one[:1].isalpha() and not _LATIN.match(one) for one in found)
    if foreign is not None and others * 2 >= latin:
        return script(foreign)
    counts = {name: sum(one in common for one in found) for name, common in COMMON.items()}
    ranked = sorted(counts.items(), key=lambda one: -one[1])
    (best, most), (_, second) = ranked[0], ranked[1]
    return best if most >= SURE and most > second else None


def script(word: str) -> str:
    """Return a word for the script of a word."""
    code = ord(word[0])
    for name, low, high in (
        ("kana", 0x3040, 0x30FF),
        ("han", 0x3400, 0x9FFF),
        ("hangul", 0xAC00, 0xD7AF),
        ("cyrillic", 0x0400, 0x052F),
        ("greek", 0x0370, 0x03FF),
        ("arabic", 0x0600, 0x06FF),
        ("hebrew", 0x0590, 0x05FF),
        ("thai", 0x0E00, 0x0E7F),
        ("devanagari", 0x0900, 0x097F),
    ):
        if low <= code <= high:
            return name
    return "other"


def comparable(one: str, other: str) -> bool:
    """Whether two texts may be of one language, so that their words can be compared."""
    here, there = language(one), language(other)
    return here is None or there is None or here == there or {here, there} == {"kana", "han"}


def squeezed(text: str) -> str:
    """Return a text on one line, case folded: how it is looked for in another one."""
    return " ".join(text.split()).casefold()


def stands_in(text: str, texts: Sequence[str]) -> bool:
    """Whether one of these texts, already squeezed, holds a text as it is but for white space."""
    looked_for = squeezed(text)
    return bool(looked_for) and any(looked_for in one for one in texts)
