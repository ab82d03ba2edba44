"""What holds for the sessions of every agent, whatever is in their files."""

import json
from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.sources.codex_rollouts import Codex, call, command, message, output
from tests.sources.reading import transcripts

from ullage.checks.transcripts import session_of
from ullage.sources.files import read_bytes
from ullage.sources.record import Damaged, Plain
from ullage.transcript.transcript import Transcript

WORDS = st.sampled_from(["alpha", "beta", "gamma", "Go on.", ""])
STEPS = st.lists(
    st.tuples(
        st.sampled_from(
            [
                "user",
                "reply",
                "call",
                "result",
                "boundary",
                "summary",
                "micro",
                "attachment",
                "again",
            ]
        ),
        st.integers(0, 30),
        WORDS,
        st.sampled_from(["last", "any", "none", "lost"]),
    ),
    max_size=30,
)


def parent_of(how: str, number: int, keys: list[str]) -> str | None:
    """The parent of the next record: the last one, any one, none, or one that is not there."""
    if how == "lost":
        return f"gone-{number}"
    if how == "none" or not keys:
        return None
    return keys[-1] if how == "last" else keys[number % len(keys)]


def claude_message(kind: str, at: int, word: str, calls: list[str], number: int) -> dict[str, Any]:
    if kind == "reply":
        content: Any = [{"type": "text", "text": word}]
        return {"id": f"m{number % 7}-{at}", "role": "assistant", "content": content}
    if kind == "call":
        calls.append(f"c{at}")
        block = {"type": "tool_use", "id": f"c{at}", "name": "Bash", "input": {"command": word}}
        return {"id": f"m{at}", "role": "assistant", "content": [block]}
    if kind == "result" and calls:
        block = {"type": "tool_result", "tool_use_id": calls.pop(), "content": f"{word} {at}"}
        return {"role": "user", "content": [block]}
    return {"role": "user", "content": f"{word} {at}"}


def claude_lines(steps: list[tuple[str, int, str, str]]) -> list[dict[str, Any]]:
    lines: list[dict[str, Any]] = []
    keys: list[str] = []
    calls: list[str] = []
    for at, (kind, number, word, how) in enumerate(steps):
        if kind == "again":
            lines += [lines[number % len(lines)]] if lines else []
            continue
        record: dict[str, Any] = {
            "parentUuid": parent_of(how, number, keys),
            "isSidechain": number % 11 == 0,
            "sessionId": "s",
            "uuid": f"u{at}",
            "timestamp": f"2026-05-04T10:{at:02}:00.000Z",
            "type": "assistant" if kind in ("reply", "call") else "user",
        }
        keys.append(f"u{at}")
        if kind in ("boundary", "micro"):
            kept = {
                "headUuid": keys[number % len(keys)],
                "tailUuid": keys[-1],
                "anchorUuid": f"u{at}",
            }
            record |= {"type": "system", "logicalParentUuid": record["parentUuid"]}
            record |= {
                "boundary": {
                    "subtype": "compact_boundary",
                    "compactMetadata": {"preservedSegment": kept},
                },
                "micro": {
                    "subtype": "microcompact_boundary",
                    "microcompactMetadata": {"compactedToolIds": [f"c{n}" for n in range(number)]},
                },
            }[kind]
        elif kind == "attachment":
            record |= {
                "type": "attachment",
                "attachment": {"type": "queued_command", "prompt": word},
            }
        else:
            record |= {"message": claude_message(kind, at, word, calls, number)}
            record |= {"isCompactSummary": True} if kind == "summary" else {}
        lines.append(record)
    return lines


def codex_lines(steps: list[tuple[str, int, str, str]]) -> list[dict[str, Any]]:
    talk = Codex()
    talk.begin()
    items: list[dict[str, Any]] = []
    calls: list[str] = []
    for at, (kind, number, word, how) in enumerate(steps):
        new: list[dict[str, Any]] = []
        if kind in ("user", "reply", "attachment"):
            new = [message("assistant" if kind == "reply" else "user", f"{word} {at % 5}")]
        elif kind == "call":
            calls.append(f"c{at}")
            new = [call(f"c{at}", cmd=word)]
        elif kind == "result" and calls:
            new = [output(calls[-1], f"{word} {at}")]
            talk.event("item_completed", item=command(calls.pop(), f"{word} {at} and more"))
        elif kind == "boundary":
            history = [*items[-(number % 6) :], message("user", f"sum {word}")]
            talk.add("compacted", {"message": f"sum {word}", "replacement_history": history})
        elif kind == "micro":
            talk.event("thread_rolled_back", num_turns=number % 4)
            items.clear()  # a later history holds no turn that was taken back
        elif kind == "again":
            talk.event("context_compacted" if how == "last" else "task_started")
        else:
            talk.tokens(number, at)
        talk.items(*new)
        items += new
    return talk.lines


def gemini_lines(steps: list[tuple[str, int, str, str]]) -> list[dict[str, Any]]:
    lines: list[dict[str, Any]] = [{"sessionId": "s", "projectHash": "h"}]
    messages: list[dict[str, Any]] = []
    for at, (kind, number, word, how) in enumerate(steps):
        if kind == "boundary":
            kept = messages[-(number % 5) :] if how != "none" else []
            messages = [{"id": f"s{at}", "type": "user", "content": word}, *kept]
            lines.append({"$set": {"messages": list(messages)}})
        elif kind == "micro":
            lines.append({"$rewindTo": f"m{number}"})
            there = [each["id"] for each in messages]
            messages = messages[: there.index(f"m{number}")] if f"m{number}" in there else []
        else:
            one: dict[str, Any] = {"id": f"m{at}", "type": "user", "content": f"{word} {at}"}
            if kind in ("call", "result", "again"):
                part = {
                    "functionResponse": {
                        "id": f"c{at}",
                        "name": "x",
                        "response": {"output": f"{word} {at}"},
                    }
                }
                done = {
                    "id": f"c{at}",
                    "name": "x",
                    "args": {},
                    "result": [part],
                    "resultDisplay": word,
                }
                one = {"id": f"m{at}", "type": "gemini", "content": word, "toolCalls": [done]}
            messages.append(one)
            lines += [one, one] if kind == "again" else [one]
    return lines


def qwen_lines(steps: list[tuple[str, int, str, str]]) -> list[dict[str, Any]]:
    lines: list[dict[str, Any]] = []
    keys: list[str] = []
    for at, (kind, number, word, how) in enumerate(steps):
        record: dict[str, Any] = {
            "uuid": f"u{at}",
            "parentUuid": parent_of(how, number, keys),
            "sessionId": "s",
        }
        keys.append(f"u{at}")
        part: dict[str, Any] = {"text": f"{word} {at}"}
        if kind == "call":
            part = {"functionCall": {"id": f"c{at}", "name": "x", "args": {}}}
        if kind == "result":
            part = {
                "functionResponse": {
                    "id": f"c{at - 1}",
                    "name": "x",
                    "response": {"output": f"{word} {at}"},
                }
            }
        what = {"reply": "assistant", "call": "assistant", "result": "tool_result"}.get(
            kind, "user"
        )
        record |= {"type": what, "message": {"role": "user", "parts": [part]}}
        if kind == "boundary":
            history = [{"role": "user", "parts": [{"text": word}]}]
            record |= {"type": "system", "subtype": "chat_compression"}
            record |= {"systemPayload": {"info": {}, "compressedHistory": history}}
        lines.append(record)
    return lines


AGENTS = {
    "claude-code": claude_lines,
    "codex": codex_lines,
    "gemini-cli": gemini_lines,
    "qwen-code": qwen_lines,
}


def results_in(form: str, line: dict[str, Any]) -> list[str]:
    """The results that a line holds, by what they say."""
    held = json.dumps(line)
    if form == "codex":
        item = line.get("payload", {})
        return [item["output"]] if item.get("type") == "function_call_output" else []
    if form == "claude-code":
        blocks = line.get("message", {}).get("content", [])
        return [
            one["content"]
            for one in blocks
            if isinstance(one, dict) and one.get("type") == "tool_result"
        ]
    if "$set" in line or '"functionResponse"' not in held:
        return []
    parts = line["message"]["parts"] if form == "qwen-code" else line["toolCalls"][0]["result"]
    return [one["functionResponse"]["response"]["output"] for one in parts]


def consistent(one: Transcript) -> None:
    """What stands behind a compaction is there, once each, and follows from what was before it."""
    assert 0 <= one.shared <= len(one.entries)
    for number, done in enumerate(one.compactions):
        before, after = one.pre(number), one.post(number)
        assert 0 <= done.at <= len(one.entries)
        assert len(set(before)) == len(before)
        assert all(at < done.at for at in before)
        if after is None:
            continue
        assert len(set(after)) == len(after)
        assert all(0 <= at < len(one.entries) for at in after)
        assert set(done.summary) <= set(after)
        assert set(done.cleared) <= set(before)
        assert not set(done.cleared) & set(after)
        if done.act == "elide":
            assert len(after) <= len(before)


@pytest.mark.parametrize("form", AGENTS)
@given(steps=STEPS)
@settings(max_examples=60, deadline=None)
def test_results_count_once_and_compactions_hang_together(
    form: str, steps: list[tuple[str, int, str, str]]
) -> None:
    lines = AGENTS[form](steps)
    data = "".join(json.dumps(one) + "\n" for one in lines).encode()
    if not data:
        return

    found = transcripts(data, form)

    for one in found:
        consistent(one)
    counted = Counter(
        each.text for one in found for each in session_of(one).results if each.counted
    )
    written = {said for line in lines for said in results_in(form, line)}
    assert set(counted) <= written | {""}
    if form != "gemini-cli":  # what is written again there takes the place of what was
        assert counted == dict.fromkeys(written, 1)
    assert all(count == 1 for count in counted.values())


@pytest.mark.parametrize("form", AGENTS)
@given(steps=STEPS, cut=st.integers(0, 4_000), glue=st.booleans())
@settings(max_examples=40, deadline=None)
def test_torn_and_glued_lines_never_end_a_reading(
    form: str, steps: list[tuple[str, int, str, str]], cut: int, glue: bool
) -> None:
    data = "".join(json.dumps(one) + "\n" for one in AGENTS[form](steps)).encode()
    torn = data[:cut] + (data[cut + 40 :] if glue else b"")
    if not torn.strip():
        return

    for one in read_bytes(torn, "s.jsonl", form).records:
        assert isinstance(one, Transcript | Damaged | Plain)
        if isinstance(one, Transcript):
            consistent(one)


NAMES = st.sampled_from(
    """type subtype message content role uuid parentUuid isSidechain sessionId id payload item
    response_item compacted replacement_history toolUseResult stdout file filenames toolCalls result
    functionResponse response parts systemPayload $set $rewindTo messages toolCallResult info
    compactMetadata isCompactSummary attachment input output timestamp tools source""".split()  # noqa: SIM905
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=5),
    max_leaves=12,
)
KINDS = st.sampled_from(
    ["user", "assistant", "system", "attachment", "response_item", "event_msg", "compacted"]
)


@pytest.mark.parametrize("form", AGENTS)
@given(lines=st.lists(st.dictionaries(NAMES, JSON, max_size=6), min_size=1, max_size=6), kind=KINDS)
@settings(max_examples=60, deadline=None)
def test_members_of_any_type_never_end_a_reading(
    form: str, lines: list[dict[str, Any]], kind: str
) -> None:
    data = "".join(json.dumps({"type": kind, **one}) + "\n" for one in lines).encode()

    for one in read_bytes(data, "s.jsonl", form).records:
        assert isinstance(one, Transcript | Damaged | Plain)
