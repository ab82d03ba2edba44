"""The context of a session, as its transcript has it, as a body of OpenAI's chat."""

from collections.abc import Iterator, Sequence

from ullage.transcript.message import Message, ToolCall
from ullage.transcript.transcript import Transcript

Chat = dict[str, object]


def body_of(session: Transcript) -> Chat:
    """Return what is in force at the end of a session as a chat body.

    A transcript does not hold the tools' definitions and, in most forms, no system text: they are
    missing here too. Calls without an id get one by their order. Replies that follow one another,
    as some forms write the parts of one, become one message.
    """
    messages = [session.entries[at].message for at in session.context(len(session.entries))]
    body: Chat = {"messages": list(chat(messages))}
    if session.model:
        body = {"model": session.model, **body}
    return body


def chat(messages: Sequence[Message]) -> Iterator[Chat]:
    """Yield messages of OpenAI's chat."""
    names = Names()
    said: list[Message] = []
    for one in messages:
        if one.role == "assistant" and one.answers is None:
            said.append(one)
            continue
        yield from reply(said, names)
        said = []
        if one.role == "tool" or one.answers is not None:
            yield {"role": "tool", "tool_call_id": names.answered(one), "content": one.text}
        else:
            yield {"role": one.role, "content": one.text}
    yield from reply(said, names)


def reply(said: Sequence[Message], names: "Names") -> Iterator[Chat]:
    """Yield the message of a reply, if there is one."""
    if not said:
        return
    text = "\n".join(one.text for one in said if one.text)
    message: Chat = {"role": "assistant", "content": text or None}
    calls = [names.called(call) for one in said for call in one.calls]
    yield message if not calls else {**message, "tool_calls": calls}


class Names:
    """The ids of calls, as they came or by order, and which of them are not answered yet."""

    def __init__(self) -> None:
        self._count = 0
        self._open: list[tuple[str, str]] = []

    def called(self, call: ToolCall) -> Chat:
        """Return a call in the words of OpenAI's chat."""
        self._count += 1
        name = call.call_id or f"call-{self._count}"
        self._open.append((name, call.name))
        return {
            "id": name,
            "type": "function",
            "function": {"name": call.name, "arguments": call.arguments},
        }

    def answered(self, result: Message) -> str:
        """Return the id of the call that a result answers; one of its own where there is none."""
        wanted = result.answers
        named = [one for one in self._open if one[1] == result.name] or self._open
        found = next((one for one in self._open if one[0] == wanted), None)
        if found is None and wanted is None and named:
            found = named[0]
        if found is None:
            self._count += 1
            return wanted or f"result-{self._count}"
        self._open.remove(found)
        return found[0]
