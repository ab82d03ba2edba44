"""Which tool the scripted model takes for a shell, and how it calls it."""

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ullage.probe.script import Call
from ullage.probe.shells import SHELLS, shell_call

CAT = "cat rows.json"


def schema(*required: str, **properties: object) -> Mapping[str, object]:
    return {"type": "object", "properties": properties, "required": list(required)}


TEXT = {"type": "string"}
FLAG = {"type": "boolean"}
# The forms that the CLIs send, as their requests had them; members that play no part are left out.
OFFERED = {
    "pi": [
        ("read", schema("path", path=TEXT)),
        ("bash", schema("command", command=TEXT, timeout={"type": "number"})),
    ],
    "opencode": [("bash", schema("command", command=TEXT, workdir=TEXT)), ("task", schema())],
    "qwen-code": [
        ("run_shell_command", schema("command", command=TEXT, is_background=FLAG)),
    ],
    "qwen-code 0.0.14": [
        ("run_shell_command", schema("command", "is_background", command=TEXT, is_background=FLAG)),
    ],
    "gemini-cli": [
        ("read_background_output", schema("pid", pid={"type": "integer"})),
        ("run_shell_command", schema("command", command=TEXT, description=TEXT)),
    ],
    "codex": [
        ("exec_command", schema("cmd", cmd=TEXT, login=FLAG, yield_time_ms={"type": "number"})),
        ("write_stdin", schema("session_id", session_id={"type": "number"}, chars=TEXT)),
    ],
    "codex, older": [("shell", schema("command", command={"type": "array", "items": TEXT}))],
}


@pytest.mark.parametrize(
    ("cli", "call"),
    [
        ("pi", Call(name="bash", arguments={"command": CAT})),
        ("opencode", Call(name="bash", arguments={"command": CAT})),
        ("qwen-code", Call(name="run_shell_command", arguments={"command": CAT})),
        (
            "qwen-code 0.0.14",
            Call(name="run_shell_command", arguments={"command": CAT, "is_background": False}),
        ),
        ("gemini-cli", Call(name="run_shell_command", arguments={"command": CAT})),
        ("codex", Call(name="exec_command", arguments={"cmd": CAT})),
        ("codex, older", Call(name="shell", arguments={"command": ["bash", "-lc", CAT]})),
    ],
)
def test_each_cli_gets_the_arguments_that_its_shell_asks_for(cli: str, call: Call) -> None:
    assert shell_call(OFFERED[cli], CAT) == call


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("bash", {"command": CAT}),
        ("exec_command", {"cmd": CAT}),
        ("shell", {"command": ["bash", "-lc", CAT]}),
    ],
)
def test_without_a_schema_the_name_tells_the_arguments(
    name: str, arguments: Mapping[str, object]
) -> None:
    assert shell_call([(name, {})], CAT) == Call(name=name, arguments=arguments)


def test_what_must_be_given_on_top_is_given_as_the_schema_says() -> None:
    form = schema(
        *("command", "description", "workdir", "timeout", "risk", "background", "env"),
        command={"anyOf": [{"type": "array"}, TEXT]},
        description={"type": ["string", "null"]},
        workdir=TEXT,
        timeout={"type": "integer", "minimum": 1, "maximum": 600},
        risk={"type": "string", "enum": ["low", "high"]},
        background={"type": "boolean", "default": True},
        env={"type": "object"},
        other=TEXT,
    )

    assert shell_call([("Bash", form)], CAT) == Call(
        name="Bash",
        arguments={
            "command": CAT,
            "description": "Print the file",
            "workdir": ".",
            "timeout": 600,
            "risk": "low",
            "background": True,
            "env": {},
        },
    )


def test_types_in_capitals_are_read() -> None:
    form = {"type": "OBJECT", "properties": {"command": {"type": "ARRAY"}}, "required": ["command"]}

    assert shell_call([("shell", form)], CAT) == Call(
        name="shell", arguments={"command": ["bash", "-lc", CAT]}
    )


def test_a_shell_that_nobody_knows_is_found_by_the_words_of_its_name() -> None:
    offered = [
        ("list_commands", schema()),
        ("kill_shell", schema("shell_id", shell_id=TEXT)),
        ("runInSandboxShell", schema("script", script=TEXT)),
    ]

    assert shell_call(offered, CAT) == Call(name="runInSandboxShell", arguments={"script": CAT})


def test_a_known_shell_is_asked_by_what_it_requires_where_no_member_is_named_as_a_command() -> None:
    form = schema("line", line=TEXT, note=TEXT)

    assert shell_call([("terminal", form)], CAT) == Call(name="terminal", arguments={"line": CAT})


def test_where_no_tool_is_a_shell_there_is_no_call() -> None:
    offered = [("read_file", schema("path", path=TEXT)), ("bash_output", schema("id", id=TEXT))]

    assert shell_call(offered, CAT) is None


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)
PROPERTIES = st.dictionaries(
    st.sampled_from(["command", "cmd", "timeout", "cwd", "note"]),
    st.fixed_dictionaries(
        {}, optional={"type": JSON, "enum": JSON, "anyOf": JSON, "maximum": JSON, "minimum": JSON}
    ),
)


@given(name=st.sampled_from(SHELLS), properties=PROPERTIES, extra=JSON)
def test_whatever_a_schema_holds_what_is_required_is_given(
    name: str, properties: Mapping[str, object], extra: object
) -> None:
    form = {"type": extra, "properties": properties, "required": list(properties)}

    call = shell_call([(name, form)], CAT)

    assert call is not None
    assert isinstance(call.arguments, Mapping)
    assert set(properties) <= set(call.arguments)
    assert CAT in str(call.arguments)


def test_a_terminal_that_other_tools_look_after_is_a_shell() -> None:
    offered = [
        ("process", schema("action", action=TEXT)),
        ("terminal", schema("command", command=TEXT, background=FLAG, timeout={"type": "integer"})),
    ]

    assert shell_call(offered, CAT) == Call(name="terminal", arguments={"command": CAT})
