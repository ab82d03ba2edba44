"""The checks of exchanges, and what they need to know of the exchanges before."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from ullage.checks import (
    arguments_malformed,
    context_edited,
    effective_window,
    mark_in_arguments,
    output_cut,
    output_empty,
    output_stopped,
    prefix_broken,
    prefix_unknown,
    served_short,
    setting_ignored,
    stream_incomplete,
)
from ullage.checks.sent import Conversation
from ullage.checks.served import Earlier, Served
from ullage.transcript.finding import Finding
from ullage.transcript.message import ToolCall
from ullage.wire.body_parts import pieces
from ullage.wire.exchange import Exchange
from ullage.wire.least import Counter, Least, least_of_pieces, least_of_size

CHECKS: Mapping[str, Callable[[Served], Iterator[Finding]]] = {
    served_short.NAME: served_short.check,
    effective_window.NAME: effective_window.check,
    output_cut.NAME: output_cut.check,
    output_empty.NAME: output_empty.check,
    output_stopped.NAME: output_stopped.check,
    arguments_malformed.NAME: arguments_malformed.check,
    stream_incomplete.NAME: stream_incomplete.check,
    setting_ignored.NAME: setting_ignored.check,
    context_edited.NAME: context_edited.check,
    prefix_unknown.NAME: prefix_unknown.check,
    prefix_broken.NAME: prefix_broken.check,
    mark_in_arguments.NAME: mark_in_arguments.check,
}
# What a check reports besides its own name.
ALSO = (output_cut.EMPTY,)
NAMES = (*CHECKS, *ALSO)
JUDGED = ("turn", "compact", "fetch")


@dataclass(slots=True)
class Watch:
    """Judges exchanges one after the other; of earlier ones it keeps marks and counts."""

    counter: Counter = field(default_factory=Counter)
    read_short: dict[str | None, list[int]] = field(default_factory=dict)

    def judge(self, exchange: Exchange, conversation: Conversation | None) -> list[Finding]:
        """Return what all checks find in one exchange."""
        if exchange.kind not in JUDGED:
            return []
        model = exchange.request.model if exchange.request else None
        short = self.read_short.setdefault(model, [])
        served = Served(
            exchange=exchange,
            before=conversation.last if conversation else None,
            first=conversation is None or conversation.last is None,
            calls=tuple(new_calls(exchange, conversation)),
            least=self.least(exchange),
            read_short=tuple(short),
        )
        if (read := served_short.tokens_read(served)) is not None:
            short.append(read)
        if conversation is not None:
            remember(exchange, conversation)
        return [found for check in CHECKS.values() for found in check(served)]

    def least(self, exchange: Exchange) -> Least | None:
        """Return the least that the prompt can be, where the reply says what was read of it.

        What the server itself clears or summarises is not in the prompt any more. A scripted
        server has read nothing: what it reports is a guess from the characters.
        """
        request, reply = exchange.request, exchange.reply
        if (
            exchange.cohort == "scripted"
            or reply is None
            or reply.usage is None
            or reply.usage.input is None
        ):
            return None
        if exchange.size is not None:
            return least_of_size(exchange.size)
        if request is None or request.compactions or reply.compaction or reply.applied_edits:
            return None
        return least_of_pieces(pieces(exchange.body), request.model, self.counter)


def new_calls(exchange: Exchange, conversation: Conversation | None) -> Iterator[ToolCall]:
    """Yield the calls of an exchange that its conversation has not had."""
    seen = conversation.calls if conversation else set()
    for call in calls_of(exchange):
        if call not in seen:
            seen.add(call)
            yield call


def calls_of(exchange: Exchange) -> Sequence[ToolCall]:
    """Return the calls of a request's history, then those of the reply."""
    asked = exchange.request.messages if exchange.request else ()
    answered = [exchange.reply.message] if exchange.reply else []
    return [call for one in (*asked, *answered) for call in one.calls]


def remember(exchange: Exchange, conversation: Conversation) -> None:
    """Keep of a request what the next one is held against; a failed one left no cache."""
    request = exchange.request
    if request is None or exchange.failure is not None:
        return
    conversation.last = Earlier(
        number=exchange.number,
        line=exchange.source.line,
        path=exchange.path,
        model=request.model,
        tools=request.tools,
        head=request.head,
        marks=request.marks,
    )
