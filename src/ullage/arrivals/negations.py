"""What a user forbade, and whether what is left of it says the opposite. English only."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ullage.arrivals.kept import After
from ullage.arrivals.user_turns import own
from ullage.arrivals.wording import content_words, sentences, vocabulary, wording

# "I don't think so" forbids nothing; "you must not" does.
_FORBIDS = re.compile(
    r"(?<!\bi )(?<!\bwe )(?<!\bthey )(?<!\bit )(?<!\bhe )(?<!\bshe )(?<!\bthat )(?<!\bwhy )"
    r"\b(?:do not|don['\u2019]t|dont|must not|mustn['\u2019]t|should not|shouldn['\u2019]t|"
    r"may not|never|"
    r"not to|no longer|stop)\s+(?:ever\s+|just\s+|"
    r"yet\s+)?(?P<verb>[a-z]{3,})\b(?P<rest>[^.!?;,\n]*)",
    re.IGNORECASE,
)
# Verbs after which nothing is forbidden.
_IDLE = vocabulary(
    "forget worry hesitate know think see understand have need want care like remember mind matter "
    "be seem mean believe expect get"
)
_NEGATED = re.compile(
    r"\b(?:not|no|never|without|avoid\w*|don['\u2019]?t|mustn['\u2019]?t|shouldn['\u2019]?t|"
    r"cannot|can['\u2019]t|stop\w*|"
    r"forbid\w*|forbade|prohibit\w*|refrain\w*|against|except|instead of|rather than|nothing|none|"
    r"off[- ]limits|ban(?:ned|s)?|disallow\w*|only|hold off|leave|keep)\b",
    re.IGNORECASE,
)
_WANTED = re.compile(
    r"\b(?:next|todo|to do|remaining|pending|asked|asks|wants?|wanted|requested|should|must|"
    r"need(?:s|ed)?"
    r"|has to|have to|make sure|ensure|please|going to|will|plan(?:s|ned)?|task|goal|"
    r"instruct\w*)\b",
    re.IGNORECASE,
)
# What a prohibition of everything is about.
_ANYTHING = vocabulary("anything everything it that this them any all something nothing yet")


@dataclass(frozen=True, slots=True, kw_only=True)
class Forbidden:
    """One thing a user forbade: its verb, what it is about (empty: anything), its words."""

    verb: str
    about: tuple[str, ...]
    text: str


def forbidden(text: str) -> Iterator[Forbidden]:
    """Yield what a text forbids."""
    for sentence in sentences(own(text)):
        if sentence.endswith("?"):
            continue
        for match in _FORBIDS.finditer(sentence):
            verb = match["verb"].casefold()
            if verb in _IDLE:
                continue
            about = [one for one in content_words(match["rest"]) if one not in _ANYTHING]
            yield Forbidden(verb=verb, about=tuple(about), text=match[0].strip())


def inverted_in(one: Forbidden, there: After) -> str | None:
    """Return the sentence that wants what was forbidden; None if there is none, or it is still so.

    That the same act is denied, or its object spared, anywhere in what is left is enough to say
    nothing.
    """
    concerned = [
        sentence
        for sentence, words in zip(there.sentences, there.by_sentence, strict=True)
        if words.has(one.verb) or (one.about and words.share(one.about) > 1 / 2)
    ]
    if any(_NEGATED.search(sentence) for sentence in concerned):
        return None
    return next(
        (
            sentence
            for sentence in concerned
            if wording(sentence).has(one.verb)
            and _WANTED.search(sentence)
            and (not one.about or wording(sentence).share(one.about) > 1 / 2)
        ),
        None,
    )
