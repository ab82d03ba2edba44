"""Sessions written by hand, in few words, for the tests of the checks of sessions."""

import json
from collections.abc import Sequence

from ullage.checks.assemble import Assembly
from ullage.checks.measure import sessions_of
from ullage.checks.requests import Going, go_through
from ullage.checks.session import Session
from ullage.checks.transcripts import session_of
from ullage.transcript.message import Message, ToolCall
from ullage.transcript.served import Usage
from ullage.transcript.transcript import Compaction, Entry, Transcript
from ullage.wire.draft import Draft
from ullage.wire.exchange import Exchange
from ullage.wire.reply import Reply
from ullage.wire.request import Request, Settings


def user(text: str) -> Message:
    return Message(role="user", text=text)


def system(text: str) -> Message:
    return Message(role="system", text=text)


def says(text: str) -> Message:
    return Message(role="assistant", text=text)


def calls(call_id: str, name: str = "orders", **arguments: object) -> Message:
    call = ToolCall(call_id=call_id, name=name, arguments=json.dumps(arguments))
    return Message(role="assistant", text="", calls=(call,))


def gives(call_id: str, text: str) -> Message:
    return Message(role="tool", text=text, answers=call_id)


def turns(count: int, first: int = 1) -> list[Message]:
    """Questions and answers, each of its own."""
    return [
        one
        for number in range(first, first + count)
        for one in (user(f"What about question {number}?"), says(f"It is answer {number}."))
    ]


def session(
    *messages: Message,
    compactions: Sequence[Compaction] = (),
    failed: Sequence[int] = (),
    window: int | None = None,
    tokens: int | None = None,
    name: str = "s1",
    agent: str | None = None,
) -> Session:
    """A transcript; `failed` are the places of results that are errors."""
    entries = [
        Entry(
            message=one,
            failed=at in failed,
            usage=Usage(input=tokens, output=0) if one.role == "assistant" and tokens else None,
        )
        for at, one in enumerate(messages)
    ]
    return session_of(
        Transcript(
            session=name,
            form="test",
            entries=entries,
            compactions=compactions,
            window=window,
            agent=agent,
        )
    )


def requested(
    *requests: Sequence[Message], window: int | None = None, tokens: int | None = None
) -> Session:
    """The session of one conversation, from its requests."""
    (found,) = sessions_of(gone_through(requests, window=window, tokens=tokens))
    return found


def conversations(*exchanges: tuple[Sequence[Message], str]) -> list[Session]:
    """The sessions of one run, from requests with what each was answered."""
    return sessions_of(
        go_through(
            Exchange(number=number, request=request(messages), reply=reply(answer))
            for number, (messages, answer) in enumerate(exchanges, start=1)
        )
    )


def gone_through(
    requests: Sequence[Sequence[Message]], *, window: int | None, tokens: int | None
) -> Going:
    going = Going(assembly=Assembly())
    for number, messages in enumerate(requests, start=1):
        one = Exchange(number=number, request=request(messages, window))
        if tokens is not None:
            one = Exchange(
                number=number, request=request(messages, window), reply=reply("", tokens)
            )
        going.add(one)
    return going


def request(messages: Sequence[Message], window: int | None = None) -> Request:
    return Request(messages=tuple(messages), settings=Settings(window=window))


def reply(text: str, tokens: int | None = None) -> Reply:
    draft = Draft(ended=True, known=True)
    draft.write(0, text)
    if tokens is not None:
        draft.usage = Usage(input=tokens, output=0)
    return draft.done()
