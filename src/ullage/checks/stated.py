"""What a history says of its own compaction: the words that Ullage leaves in the place of others.

Who wrote them reads them: a text that was altered since is no statement of ours.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from ullage.history.block import Block, read_block
from ullage.history.rules.placeholder import rules_on
from ullage.transcript.transcript import Compaction, Transcript


@dataclass(frozen=True, slots=True, kw_only=True)
class Stated:
    """What the fresh messages of a shortened history say: its rules, and what it carries on.

    `shortened` are the entries that a rule left a line in, `block` the entry of what is carried.
    """

    rules: tuple[str, ...]
    shortened: tuple[int, ...]
    block: int | None = None
    carried: Block | None = None

    def __bool__(self) -> bool:
        return bool(self.shortened) or self.block is not None


def is_stated(raw: object) -> bool:
    """Whether a message of a body holds a text of Ullage, or one that its rules shortened."""
    if isinstance(raw, str):
        return bool(rules_on(raw)) or read_block(raw) is not None
    if isinstance(raw, Mapping):
        return any(map(is_stated, raw.values()))
    return isinstance(raw, Sequence) and any(map(is_stated, raw))


def stated(whole: Transcript, fresh: Sequence[int]) -> Stated:
    """Read what stands in the place of what is gone."""
    messages = {at: whole.entries[at].message for at in fresh}
    named = {
        at: rules
        for at, one in messages.items()
        if one.role != "assistant" and (rules := rules_on(one.text))
    }
    blocks = {
        at: block
        for at, one in messages.items()
        if one.role == "user" and (block := read_block(one.text)) is not None
    }
    names = dict.fromkeys(rule for each in named.values() for rule in each)
    at = next(iter(blocks), None)
    return Stated(
        rules=tuple(names),
        shortened=tuple(named),
        block=at,
        carried=None if at is None else blocks[at],
    )


def by_its_words(
    one: Compaction, said: Stated, gone: Sequence[int], whole: Transcript
) -> Compaction:
    """Return a compaction as its own words tell of it.

    Where nothing is carried and more is gone than rules shortened, somebody else took that out
    without a word: the compaction is not stated then.
    """
    answers = {whole.entries[at].message.answers for at in said.shortened} - {None}
    unnamed = in_the_users_name(gone, said, whole)
    cleared = tuple(
        at for at in gone if whole.entries[at].message.answers in answers or at in unnamed
    )
    silent = said.block is None and len(cleared) < len(gone)
    has_summary = said.carried is not None and bool(said.carried.summary)
    known = replace(one, rules=said.rules, cleared=cleared, stated=not silent)
    if has_summary and said.block is not None:
        return replace(known, act="summarise", summary=(said.block,))
    return replace(known, act="elide" if cleared and not silent else "trim")


def in_the_users_name(gone: Sequence[int], said: Stated, whole: Transcript) -> Sequence[int]:
    """Return the results that are gone and were sent as words of the user's, as some harnesses do.

    Nothing says which call such a one answers: they are those that rules shortened, if just as many
    of the user's messages are gone.
    """
    found = [at for at in gone if is_users(whole, at)]
    shortened = [at for at in said.shortened if is_users(whole, at)]
    return found if len(found) == len(shortened) else ()


def is_users(whole: Transcript, at: int) -> bool:
    """Whether an entry is a message in the user's name, and no answer to a call by its id."""
    message = whole.entries[at].message
    return message.role == "user" and message.answers is None
