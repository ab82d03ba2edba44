"""What an agent has before it: the calls in a request with their results, by tool."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import msgspec

from ullage.lab.experiment.agents.reading import Read, read
from ullage.lab.experiment.turn import Body

POINTER = re.compile(
    r"\n\[characters \d+ to \d+ of \d+; go on with "
    r'read_result\(handle="(?P<handle>\w+)", offset=(?P<offset>\d+)\)\]\Z'
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A text that goes on elsewhere: what of it is here, and where the rest is."""

    body: str
    handle: str | None = None
    offset: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """One call and the text that it was answered with."""

    tool: str
    arguments: Mapping[str, object]
    text: str

    @property
    def read(self) -> Read:
        """What is read in it."""
        return read(page_of(self.text).body)


def seen_in(body: Body) -> list[Seen]:
    """Return the calls of a request that have a result in it, in their order."""
    asked: dict[str, tuple[str, Mapping[str, object]]] = {}
    found = []
    for message in body["messages"]:
        for call in message.get("tool_calls") or ():
            function = call["function"]
            asked[call["id"]] = (function["name"], msgspec.json.decode(function["arguments"]))
        if message["role"] == "tool" and message["tool_call_id"] in asked:
            tool, arguments = asked[message["tool_call_id"]]
            found.append(Seen(tool=tool, arguments=arguments, text=message["content"]))
    return found


def texts_of(body: Body) -> list[str]:
    """Return the texts of a request's messages."""
    return [message["content"] for message in body["messages"] if message.get("content")]


def page_of(text: str) -> Page:
    """Return a text without the pointer at its end, and where that points."""
    found = POINTER.search(text)
    if found is None:
        return Page(body=text)
    return Page(body=text[: found.start()], handle=found["handle"], offset=int(found["offset"]))


def joined(first: Seen, seen: Sequence[Seen]) -> Page:
    """Return a result with the pages of it that were read since, and where the rest is."""
    page = page_of(first.text)
    pages = {
        (str(one.arguments.get("handle")), one.arguments.get("offset")): page_of(one.text)
        for one in seen
        if one.tool == "read_result"
    }
    while page.handle is not None and (page.handle, page.offset) in pages:
        more = pages.pop((page.handle, page.offset))
        page = Page(body=page.body + more.body, handle=more.handle, offset=more.offset)
    return page
