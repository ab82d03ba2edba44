"""Rule regret: what a rule took out, and was asked for again or spoken of later."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from ullage.arrivals.same_call import same_call
from ullage.history.elide import Elided
from ullage.history.piece import Piece
from ullage.history.rules.placeholder import rules_on
from ullage.history.rules.results import calls_of
from ullage.transcript.message import Message
from ullage.transcript.transcript import Transcript


@dataclass(frozen=True, slots=True, kw_only=True)
class Regret:
    """How often a rule elided a result, and in how many of them that was missed.

    `fetched_again`: the same tool was called with the same arguments, and no other result of that
    call was there. `cited_later`: a call or a reply used a path, an id or a number that had stood
    in the elided text only, before anything showed it again. That can be told only where the whole
    text is known: of `known` of the results.
    """

    elided: int = 0
    fetched_again: int = 0
    cited_later: int = 0
    known: int = 0


@dataclass(slots=True, kw_only=True)
class Gone:
    """One result that was elided: by which rules, which call it answered, what only it held.

    `at` is where its whole text stands, `since` the last message before it was gone.
    """

    rules: tuple[str, ...]
    at: int | None
    since: int
    key: str | None
    whole: str | None
    left: str
    fetched: bool = False
    cited: bool = False
    only: frozenset[str] = field(default_factory=frozenset)


def regret(
    history: Transcript | Sequence[Piece],
    later: Sequence[Piece | Message] = (),
    *,
    elided: Iterable[Elided] | None = None,
) -> Mapping[str, Regret]:
    """Return the regret of each rule that elided something.

    `history` is a transcript, in which placeholders are recognised and what follows one is later;
    or the pieces before the compaction, with what was `elided` of them and the messages after it.
    Pieces that hold placeholders already can be given without `elided`: their texts are unknown.
    """
    if isinstance(history, Transcript):
        messages = [one.message for one in history.entries]
        found = list(gone_in(messages))
    else:
        before = [one.message for one in history]
        given = {one.index: one for one in elided or ()}  # the last text of each piece
        messages = [*before, *(one.message if isinstance(one, Piece) else one for one in later)]
        found = list(gone_by(before, given) if elided is not None else gone_unknown(before))
    follow(messages, found)
    return totals(found)


def gone_in(messages: Sequence[Message]) -> Iterator[Gone]:
    """Yield the placeholders of a transcript, each with the text that its result had before."""
    keys = keys_of(messages)
    places: dict[str, int] = {}
    for at, message in enumerate(messages):
        rules = rules_on(message.text) if is_result(message) else ()
        name = message.answers
        if rules:
            place = places.get(name) if name is not None else None
            yield Gone(
                rules=rules,
                at=place,
                since=at,
                key=keys.get(at if place is None else place),
                whole=None if place is None else messages[place].text,
                left=message.text,
            )
        elif name is not None:
            places[name] = at


def gone_by(before: Sequence[Message], given: Mapping[int, Elided]) -> Iterator[Gone]:
    """Yield what was elided of the messages before a compaction."""
    keys = keys_of(before)
    for index, one in given.items():
        text = before[index].text
        rules = tuple(rule for rule in rules_on(one.text) if rule not in rules_on(text))
        yield Gone(
            rules=rules or (one.rule,),
            at=index,
            since=len(before) - 1,
            key=keys.get(index),
            whole=text,
            left=one.text,
        )


def gone_unknown(before: Sequence[Message]) -> Iterator[Gone]:
    """Yield the placeholders of a history that was compacted before."""
    keys = keys_of(before)
    for index, message in enumerate(before):
        rules = rules_on(message.text)
        if rules:
            since, key = len(before) - 1, keys.get(index)
            yield Gone(rules=rules, at=index, since=since, key=key, whole=None, left=message.text)


def keys_of(messages: Sequence[Message]) -> dict[int, str]:
    """Return for each result the mark of the call that it answers."""
    pieces = [Piece(message=one, raw=None, place=None) for one in messages]
    return {at: same_call(call) for at, call in calls_of(pieces).items()}


def is_result(message: Message) -> bool:
    """Whether a message is what a tool returned."""
    return message.role == "tool" or message.answers is not None


def follow(messages: Sequence[Message], found: Sequence[Gone]) -> None:
    """Mark what was fetched again, and what was spoken of before anything showed it again."""
    alone(messages, found)
    there = whole_results(messages, found)
    waiting: defaultdict[int, list[Gone]] = defaultdict(list)
    for one in found:
        waiting[one.since].append(one)
    by_item: defaultdict[str, list[Gone]] = defaultdict(list)
    by_key: defaultdict[str, list[Gone]] = defaultdict(list)
    for at, message in enumerate(messages):
        hear(message, by_item, by_key)
        for one in waiting.pop(at, ()):
            for item in one.only:
                by_item[item].append(one)
            if one.key is not None and not any(
                place <= one.since for place in there.get(one.key, ())
            ):
                by_key[one.key].append(one)


def hear(message: Message, by_item: dict[str, list[Gone]], by_key: dict[str, list[Gone]]) -> None:
    """Take up one later message: what it calls again, what it cites, what it shows again."""
    if not by_item and not by_key:
        return
    said = {item for text in said_in(message) for item in items(text)}
    for call in message.calls:
        for one in by_key.pop(same_call(call), ()):
            one.fetched = True
    cites = message.role == "assistant"
    for item in said & by_item.keys():
        for one in by_item.pop(item):
            one.cited = one.cited or cites


def whole_results(messages: Sequence[Message], found: Sequence[Gone]) -> dict[str, list[int]]:
    """Return where the results of each call stand that nothing was taken out of."""
    elided = {one.at for one in found}
    places: defaultdict[str, list[int]] = defaultdict(list)
    for at, key in keys_of(messages).items():
        if at not in elided and not rules_on(messages[at].text):
            places[key].append(at)
    return places


def alone(messages: Sequence[Message], found: Sequence[Gone]) -> None:
    """Find for each elided text the items that nothing else held when it was elided."""
    wanted = {item for one in found if one.whole is not None for item in items(one.whole)}
    places: defaultdict[str, list[int]] = defaultdict(list)
    for at, message in enumerate(messages):
        said = {item for text in said_in(message) for item in items(text)}
        for item in said & wanted:
            places[item].append(at)
    for one in found:
        if one.whole is not None:
            kept = set(items(one.left))
            one.only = frozenset(
                item
                for item in set(items(one.whole)) - kept
                if all(at > one.since or at == one.at for at in places[item])
            )


def said_in(message: Message) -> Iterator[str]:
    """Yield the texts of a message: its own, and the arguments of its calls."""
    yield message.text
    for call in message.calls:
        yield call.arguments


WORD = re.compile(r"[\w][\w./:@#\\-]{2,199}")
GROUPED = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
LEAST_DIGITS = 3


def items(text: str) -> Iterator[str]:
    """Yield the paths, ids and numbers of a text: words that nobody writes by chance."""
    for found in WORD.findall(GROUPED.sub("", text)):
        word = found.strip("./:@#-\\")
        digits = sum(one.isdigit() for one in word)
        is_path = "/" in word and "." in word
        is_id = digits and len(word) > LEAST_DIGITS and any(one.isalpha() for one in word)
        if is_path or is_id or digits >= LEAST_DIGITS:
            yield word


def totals(found: Iterable[Gone]) -> Mapping[str, Regret]:
    """Add up by rule; a result that two rules shortened counts for both."""
    by_rule: defaultdict[str, list[Gone]] = defaultdict(list)
    for one in found:
        for rule in one.rules:
            by_rule[rule].append(one)
    return {
        rule: Regret(
            elided=len(all_of),
            fetched_again=sum(one.fetched for one in all_of),
            cited_later=sum(one.cited for one in all_of),
            known=sum(one.whole is not None for one in all_of),
        )
        for rule, all_of in by_rule.items()
    }
