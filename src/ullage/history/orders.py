"""Sentences in a text that give orders to whoever reads it: "ignore the rules above" and the like.

A summary is read by a model that acts on it. Such a sentence has no place in one, whoever it is
from: the user's rules stand beside the summary word for word, and nobody else may give any. The
wordings are tables of ten languages; what they do not know is not found, so this lowers a risk and
does not end it. A quoted order counts as one: a model may follow what stands in quotes.
"""

# ruff: noqa: RUF001  # the words of other scripts

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

_EN_THEM = (
    r"(?:instructions?|rules?|prompts?|directions?|directives?|guidelines?|constraints?|commands?|"
    r"orders|polic(?:y|ies)|system (?:prompt|message|text)|context|conversation|guard ?rails?|"
    r"restrictions?)"
)
_EN_WHICH = (
    r"(?:all|any|every(?:thing)?|previous(?:ly)?|prior|above|earlier|preceding|foregoing|your|"
    r"existing|initial|original|system|before this|you (?:were|have been) (?:given|told))"
)
_EN_IGNORE = (
    r"(?:ignor(?:e|ing)|disregard(?:ing)?|forget(?:ting)?|overrid(?:e|ing)|bypass(?:ing)?|"
    r"pay no attention to|do not (?:follow|obey)|don['\u2019]t (?:follow|obey)|"
    r"stop (?:following|obeying)|throw away|set aside|cancel|void)"
)
ORDERS: Sequence[re.Pattern[str]] = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        # English: the rules before are void; a new role; a new system text; hide it from the user.
        rf"\b{_EN_IGNORE}\b[^.!?\n]{{0,40}}\b{_EN_WHICH}\b[^.!?\n]{{0,40}}\b{_EN_THEM}\b",
        rf"\b{_EN_IGNORE}\b[^.!?\n]{{0,30}}\b{_EN_THEM}\b[^.!?\n]{{0,20}}"
        r"\b(?:above|before|so far|given earlier|you (?:were|have been) (?:given|told))\b",
        r"\b(?:ignore|disregard|forget) (?:everything|all|anything|what)\b[^.!?\n]{0,20}"
        r"\b(?:above|before|previous|earlier|so far|prior|told)\b",
        rf"\b{_EN_WHICH}\b[^.!?\n]{{0,20}}\b{_EN_THEM}\b[^.!?\n]{{0,20}}\b(?:no longer "
        r"(?:appl(?:y|ies)|hold|count|bind)|(?:are|is) (?:now )?(?:void|cancelled|canceled|revoked|"
        r"suspended|lifted|superseded by))\b",
        r"\byou are (?:now|no longer|from now on|henceforth) (?:an?\b|the\b|in\b[^.!?\n]{0,20}"
        r"\bmode|dan\b|free\b|bound\b|allowed\b|unrestricted\b|acting\b|required\b|to\b|"
        r"going to\b)",
        r"\b(?:new|updated|real|actual|hidden) (?:system[ -]?(?:prompt|message|instructions?)|"
        r"instructions? (?:for|to) (?:you|the (?:assistant|agent|model)))\b",
        r"(?:^|[\n\"'“*_>•-]\s*)(?:(?-i:SYSTEM)|system (?:prompt|message|override)|"
        r"new instructions?)\s*:\s*\S",
        rf"\b{_EN_THEM} (?:above|before|so far|given earlier)\b[^.!?\n]{{0,10}}\b(?:no longer "
        r"(?:apply|applies|hold|count|bind)|(?:are|is) (?:now )?(?:void|cancelled|revoked|lifted))",
        r"\byour (?:new|real|actual|only|true) (?:task|goal|instructions?|role|objective|job)\b"
        r"[^.!?\n]{0,10}\b(?:is|are|will be)\b",
        r"\b(?:do not|don['\u2019]t|never|without) (?:tell|inform|alert|notify|mention|reveal|"
        r"telling|informing|alerting|notifying)\b[^.!?\n]{0,40}\b(?:the user|the human)\b",
        r"\b(?:reveal|print|repeat|output|send|leak) (?:me )?(?:your|the) (?:system prompt|system "
        r"message|hidden instructions|api keys?|credentials)\b",
        r"(?:^|[\n.!?:;\"“*•-]\s*)(?:please )?(?:act as (?:an?|the|if)\b|"
        r"pretend (?:to be|that you|you)|roleplay as)",
        r"\b(?:attention|note to|message to|instructions? (?:for|to)),?:? (?:the )?(?:ai|assistant|"
        r"agent|model|llm|reader)s?\b\s*[:!,]",
        # Marks by which models tell who speaks.
        r"<\|(?:im_start|im_end|system|user|assistant|start_header_id|end_header_id|eot_id)[^>\n]*\|>"
        r"|\[/?INST\]|<</?SYS>>|</?material-[0-9a-f]{4}",
        # German, French, Spanish, Portuguese, Italian, Dutch.
        r"\b(?:ignorier(?:e|en|t)|missacht(?:e|en|et)|vergiss|vergessen sie|übergeh(?:e|en))\b"
        r"[^.!?\n]{0,60}\b(?:anweisung(?:en)?|regeln?|vorgaben?|instruktionen|befehle|systemprompt)\b",
        r"\b(?:du bist|sie sind) (?:jetzt|nun|ab jetzt|ab sofort|von nun an) (?:ein(?:e|en|em)?|"
        r"der|die|das|kein|im|frei)\b|\bneuer? system[- ]?(?:prompt|anweisung)\b",
        r"\b(?:ignore[zr]?|oublie[zr]?|ne (?:tiens|tenez) pas compte de)\b[^.!?\n]{0,60}"
        r"\b(?:instructions?|règles?|consignes?|directives?)\b",
        r"\b(?:tu es|vous êtes) (?:désormais|maintenant|à présent) (?:une?|le|la|libre|en mode)\b|"
        r"\bnouve(?:lle|au)x?s? (?:instructions? système|prompt système|invite système)\b",
        r"\b(?:ignor[ae]|ignorad|olvid[ae]|haz caso omiso de)\b[^.!?\n]{0,60}"
        r"\b(?:instrucciones|reglas|indicaciones|órdenes)\b",
        r"\b(?:ahora eres|a partir de ahora eres|eres ahora|ahora usted es) (?:una?|el|la|libre)\b|"
        r"\bnuevo (?:prompt|mensaje) (?:del|de) sistema\b",
        r"\b(?:ignor[ea]|esque(?:ça|ce)|desconsidere)\b[^.!?\n]{0,60}\b(?:instruções|regras|ordens)\b",
        r"\b(?:agora (?:você|tu) (?:é|és)|(?:você|tu) agora (?:é|és)|a partir de agora,? você é) "
        r"(?:uma?|o|a|livre)\b|\bnovo prompt (?:do|de) sistema\b",
        r"\b(?:ignora(?:te|re)?|ignori|dimentica(?:te)?)\b[^.!?\n]{0,60}"
        r"\b(?:istruzioni|regole|indicazioni|direttive)\b",
        r"\b(?:ora|adesso|d['\u2019]ora in poi) (?:sei|siete) (?:una?|il|lo|la|libero)\b|"
        r"\bnuovo prompt di sistema\b",
        r"\b(?:negeer|vergeet)\b[^.!?\n]{0,60}\b(?:instructies|regels|aanwijzingen|opdrachten)\b",
        r"\b(?:je|jij) bent (?:nu|vanaf nu|voortaan) (?:een|de|het|vrij)\b|"
        r"\bnieuwe systeemprompt\b",
        # Russian, Chinese, Japanese.
        r"(?:про)?игнориру(?:й|йте)\b[^.!?\n]{0,60}(?:инструкци|правил|указани)|"
        r"\bзабудь(?:те)?\b[^.!?\n]{0,60}(?:инструкци|правил|указани)",
        r"\b(?:теперь (?:ты|вы)|(?:ты|вы) теперь)\s+\w|\bновый системный промпт\b",
        r"(?:忽略|无视|無視|忽視|忘记|忘掉|忘記|不要理会)[^。！？!?\n]{0,20}"
        r"(?:指令|指示|规则|規則|说明|說明|提示|要求|约束)",
        r"(?:你现在是|您现在是|从现在起你|從現在起你|從現在開始你|从现在开始你)|新的?系统提示|新的?系統提示",
        r"(?:上記|上の|以前|前の|これまで|今まで|すべて|全て)[^。！？!?\n]{0,20}"
        r"(?:指示|ルール|規則|命令|プロンプト|制約)[^。！？!?\n]{0,8}(?:無視|忘れ|従わない)",
        r"あなたは(?:今|これ)から|新しいシステムプロンプト",
    )
)
_LINE_END = re.compile(r"\r\n?|[\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
# A line that goes on in small letters is one with the next: orders are wrapped like other text.
_BORDER = re.compile(r"(?<=[.!?])[\"'”)\]]*\s+|(?<=[。！？])|\n(?![ \t]*[a-zа-яß-ÿ])")


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """A sentence that gives its reader an order: where it stands in the text, and its words.

    `words` are those that make it an order, in the plain spelling in which they were found.
    """

    start: int
    end: int
    words: str


def orders_in(text: str) -> Iterator[Order]:
    """Yield the sentences of a text that give its reader orders, in their order, each once."""
    for start, end in spans(text):
        words = order_of(text[start:end])
        if words is not None:
            yield Order(start=start, end=end, words=words)


def order_of(sentence: str) -> str | None:
    """Return the words by which a sentence gives its reader an order, None where it gives none."""
    plain = plainly(sentence)
    found = (one.search(plain) for one in ORDERS)
    return next((match[0].strip() for match in found if match is not None), None)


def gives_orders(text: str) -> bool:
    """Whether any sentence of a text gives its reader orders."""
    return next(orders_in(text), None) is not None


def plainly(text: str) -> str:
    """Return a text in one spelling: compatible forms, nothing hidden, one blank between words."""
    seen = "".join(one for one in text if unicodedata.category(one) != "Cf")
    return " ".join(unicodedata.normalize("NFKC", seen).split())


def spans(text: str) -> Iterator[tuple[int, int]]:
    """Yield where the sentences and lines of a text begin and end; together they are all of it."""
    at = 0
    for match in _BORDER.finditer(_LINE_END.sub(lambda end: "\n" * len(end[0]), text)):
        if match.end() > at:
            yield at, match.end()
            at = match.end()
    if at < len(text):
        yield at, len(text)
