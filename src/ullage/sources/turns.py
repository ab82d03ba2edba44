"""Turns of models and runs of tools, which telemetry writes down apart, as conversations.

A turn repeats its history, as a request does; what a tool's run returned is what was produced of
the result with the same call id, else of the same place among the results of that tool.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from ullage.transcript.finding import Source
from ullage.transcript.message import Message
from ullage.transcript.transcript import Entry, Produced, Transcript
from ullage.wire.conversation import Assembled
from ullage.wire.exchange import Exchange
from ullage.wire.reply import Reply
from ullage.wire.request import Request

Group = tuple[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One request and its reply. `session` and `agent` tell whose it is, `at` when it began."""

    session: str
    agent: str
    at: float
    request: Request
    reply: Reply | None
    source: Source


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran:
    """What one run of a tool returned; `call` is the model's name for it, None if not told."""

    session: str
    tool: str
    call: str | None
    text: str
    at: float
    source: Source


@dataclass(slots=True)
class Turns:
    """All turns and runs of a file; `unread` counts what could not be read, by what it was."""

    turns: list[Turn] = field(default_factory=list)
    ran: list[Ran] = field(default_factory=list)
    unread: dict[str, int] = field(default_factory=dict)
    records: int = 0

    def pass_over(self, what: str) -> None:
        """Count what could not be read."""
        self.unread[what] = self.unread.get(what, 0) + 1

    def transcripts(self, form: str, may_be_cut: str | None) -> Iterator[Transcript]:
        """Give the conversations, in the order in which they began."""
        conversations: list[tuple[Turn, Assembled]] = []
        for number, turn in enumerate(sorted(self.turns, key=lambda one: one.at), start=1):
            going = conversation_of(turn, conversations)
            if going is None:
                going = Assembled(session=turn.session, source=turn.source)
                conversations.append((turn, going))
            exchange = Exchange(
                number=number, source=turn.source, request=turn.request, reply=turn.reply
            )
            going.add(exchange, turn.request)
        names: defaultdict[str, int] = defaultdict(int)
        for place, (turn, going) in enumerate(conversations):
            names[turn.session] += 1
            order = names[turn.session]
            first = place == 0
            yield Transcript(
                session=turn.session if order == 1 else f"{turn.session}#{order}",
                form=form,
                entries=with_produced(
                    going.entries,
                    [one for one in self.ran if one.session == turn.session],
                    at_least=may_be_cut is not None,
                ),
                compactions=going.compactions,
                source=turn.source,
                agent=turn.agent or None,
                model=going.model,
                window=going.window,
                records=self.records if first else 0,
                unread=self.unread if first else {},
                may_be_cut=may_be_cut,
            )


def conversation_of(
    turn: Turn, conversations: Sequence[tuple[Turn, Assembled]]
) -> Assembled | None:
    """Return the conversation that a turn goes on with: of its agent, with the same beginning."""
    for first, going in reversed(conversations):
        same = (first.session, first.agent) == (turn.session, turn.agent)
        if same and (turn.request.follows or task(first) == task(turn)):
            return going
    return None


def task(turn: Turn) -> Message | None:
    """Return the first message of a request that is not the system's."""
    return next((one for one in turn.request.messages if one.role != "system"), None)


def with_produced(entries: Sequence[Entry], ran: Sequence[Ran], *, at_least: bool) -> list[Entry]:
    """Return entries in which each result knows what its tool returned, where that is told."""
    by_call = {one.call: one for one in ran if one.call}
    nameless: defaultdict[str, list[Ran]] = defaultdict(list)
    for one in sorted(ran, key=lambda it: it.at):
        if not one.call:
            nameless[one.tool].append(one)
    tools = {call.call_id: call.name for one in entries for call in one.message.calls}
    results: defaultdict[str, list[int]] = defaultdict(list)
    found = list(entries)
    for at, entry in enumerate(entries):
        message = entry.message
        if message.role != "tool":
            continue
        mine = by_call.get(message.answers or "")
        if mine is not None:
            found[at] = produced(entry, mine, at_least=at_least)
        else:
            tool = message.name or tools.get(message.answers) or ""
            results[tool].append(at)
    for tool, places in results.items():
        runs = nameless.get(tool, [])
        if len(runs) == len(places):  # else nobody knows which is whose
            for at, one in zip(places, runs, strict=True):
                found[at] = produced(entries[at], one, at_least=at_least)
    return found


def produced(entry: Entry, ran: Ran, *, at_least: bool) -> Entry:
    """Return a result with what its tool returned."""
    whole = Produced(text=ran.text, chars=len(ran.text), at_least=at_least, source=ran.source)
    return replace(entry, produced=whole)
