"""Which tool the scripted model takes the way back with, and what it gives that."""

from collections.abc import Mapping

import pytest

from ullage.probe.request import Tool
from ullage.probe.ways_back import is_news, ways_back
from ullage.transcript.message import Message, ToolCall

TEXT = {"type": "string"}
NUMBER = {"type": "integer"}
ROW = '{"id": "row-0123456789ab", "note": "stored batch"}'
OTHER = ROW.replace("0123", "4567")


def tool(name: str, *required: str, **properties: object) -> Tool:
    schema = {"type": "object", "properties": properties, "required": list(required)}
    return Tool(name=name, parameters=schema)


def cut(notice: str, command: str = "{}") -> list[Message]:
    call = ToolCall(call_id="c", name="fetch_rows", arguments=command)
    return [
        Message(role="user", text="Fetch the rows."),
        Message(role="assistant", text="", calls=(call,)),
        Message(role="tool", text=notice),
    ]


def takes(notice: str, *tools: Tool, command: str = "{}") -> list[tuple[str, object]]:
    found = ways_back(cut(notice, command), tools, 200_000)
    return [(one.name, one.arguments) for one in found]


PAGES = {"offset": NUMBER, "limit": NUMBER}
WRITE = tool("write_file", "path", "content", path=TEXT, content=TEXT)
BASH = tool("bash", "command", command=TEXT)
MIDDLE = "tail -c +100000 /tmp/out-1.log | head -c 8000"

# The notices and the forms are those that harnesses send, in other words.
WAYS: Mapping[str, tuple[str, tuple[Tool, ...], list[tuple[str, object]]]] = {
    "a file, and a tool that reads files": (
        f"Full output saved to: /tmp/out-1.log\n{ROW}",
        (WRITE, tool("read_file", "path", path=TEXT, **PAGES)),
        [("read_file", {"path": "/tmp/out-1.log"})],
    ),
    "the tool that the notice names comes first": (
        f"Kept at /kept/call_1; use view_result.\n{ROW}",
        (tool("read_file", "path", path=TEXT), tool("view_result", "file", file=TEXT)),
        [("view_result", {"file": "/kept/call_1"})],
    ),
    "a reference, behind its word": (
        f"Use retrieve_kept with a reference and:\n  - pattern: regex\n{ROW}\n"
        "[Stored references:]\n  mem_1_call_0_6c629c6f_0_0 (text)",
        (tool("retrieve_kept", "reference", reference=TEXT, pattern=TEXT),),
        [("retrieve_kept", {"reference": "mem_1_call_0_6c629c6f_0_0"})],
    ),
    "a short word for a reference": (
        f"[Truncated]\n{ROW}\n[Stashed] [ref: call_0_d1007254_0_0]",
        (tool("retrieve_context", "reference", reference=TEXT),),
        [("retrieve_context", {"reference": "call_0_d1007254_0_0"})],
    ),
    "a handle with a slash": (
        f"Too large; stored to handle '01a2-76dd/call_0.0'. Read it with read_it(handle=…)\n{ROW}",
        (tool("read_it", "handle", handle=TEXT, **PAGES),),
        [("read_it", {"handle": "01a2-76dd/call_0.0"})],
    ),
    "a path in a folder of the harness's own, and lines that must be given": (
        f"Kept as artifact `res-uIN2b` at relative file path `res-uIN2b/result.md`.\n{ROW}",
        (
            tool(
                "read_a_deferred_result",
                *("file_path", "start_line", "line_count"),
                file_path=TEXT,
                start_line={"anyOf": [NUMBER, {"type": "null"}]},
                line_count={"anyOf": [NUMBER, {"type": "null"}]},
            ),
        ),
        [
            (
                "read_a_deferred_result",
                {"file_path": "res-uIN2b/result.md", "start_line": 1, "line_count": 1},
            )
        ],
    ),
    "a reader first, then a shell for the middle": (
        f"Full output saved to: /tmp/out-1.log\n{ROW}",
        (BASH, tool("read", "filePath", filePath=TEXT)),
        [("read", {"filePath": "/tmp/out-1.log"}), ("bash", {"command": MIDDLE})],
    ),
    "a shell alone": (
        f"Full output saved to: /tmp/out-1.log.\n{ROW}",
        (BASH,),
        [("bash", {"command": MIDDLE})],
    ),
    "no tool to take it": (f"Full output saved to: /tmp/out-1.log\n{ROW}", (WRITE,), []),
    "a tool that reads something else": (
        f"Full output saved to: /tmp/out-1.log\n{ROW}",
        (tool("read_background_output", "pid", pid=NUMBER), tool("web_fetch", "url", url=TEXT)),
        [],
    ),
    "nothing is named": (f"{ROW}\n… 12 rows left out", (tool("read", "path", path=TEXT), BASH), []),
}


@pytest.mark.parametrize("way", WAYS)
def test_the_way_back_is_taken_as_the_notice_and_the_form_say(way: str) -> None:
    notice, tools, calls = WAYS[way]

    assert takes(notice, *tools) == calls


@pytest.mark.parametrize(
    ("form", "page"),
    [
        (PAGES, {"offset": 4, "limit": 200}),
        (PAGES | {"limit": {"type": "number", "maximum": 50}}, {"offset": 4, "limit": 50}),
        ({"start_line": NUMBER, "end_line": NUMBER}, {"start_line": 4, "end_line": 203}),
        (
            {"line_range": {"type": "object", "properties": {"start": NUMBER, "end": NUMBER}}},
            {"line_range": {"start": 4, "end": 203}},
        ),
        ({"from_end": {"type": "boolean"}, "pattern": TEXT}, {}),
    ],
)
def test_where_lines_were_shown_the_next_ones_are_read(
    form: Mapping[str, object], page: Mapping[str, object]
) -> None:
    shown = "\n".join([ROW, OTHER, ROW])
    notice = f"{shown}\nFull output saved to: /tmp/out-1.log"

    (call,) = takes(notice, tool("read_file", "path", path=TEXT, **form))

    assert call == ("read_file", {"path": "/tmp/out-1.log", **page})


def test_a_head_and_a_tail_of_one_line_are_no_lines_to_be_skipped() -> None:
    notice = f"{ROW}, {OTHER}\n[cut]\n{OTHER}, {ROW}\nFull output saved to: /tmp/out-1.log"

    (call,) = takes(notice, tool("read_file", "path", path=TEXT, **PAGES))

    assert call == ("read_file", {"path": "/tmp/out-1.log"})


def test_the_file_that_was_printed_is_no_way_back() -> None:
    printed = f"Command: cat /tmp/rows/a-0.json\nOutput: {ROW}\n… truncated"

    assert takes(printed, BASH, command='{"command": "cat /tmp/rows/a-0.json"}') == []


def test_a_reading_is_news_where_it_holds_records_that_were_not_there() -> None:
    again = [*cut(ROW), Message(role="tool", text=ROW)]

    assert not is_news(again)
    assert is_news([*again, Message(role="tool", text=OTHER)])
    assert not is_news([])
