"""What was in force at each point, held against what the agents' own rules give."""

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st
from tests.sources import test_openhands, test_openhands_sdk, test_pi, test_swe_agent
from tests.sources.agent_files import Record, calls, lines, only, packed, sessions, texts

from ullage.transcript.transcript import Transcript

STEPS = 5


@st.composite
def prompts(draw: st.DrawFn) -> list[list[Record]]:
    """The prompts of a run: ever more results lose their texts, ever more turns are left out."""
    elided: set[int] = set()
    gone: set[int] = set()
    found = []
    for step in range(STEPS):
        elided |= set(draw(st.lists(st.integers(0, step - 1), max_size=2))) if step else set()
        gone |= set(draw(st.lists(st.integers(0, step - 1), max_size=1))) if step else set()
        whole = test_swe_agent.history(step)
        found.append(
            [
                {**one, "content": test_swe_agent.omitted(turn)}
                if turn in elided and place % 2
                else one
                for place, one in enumerate(whole)
                for turn in [(place - 2) // 2]
                if place < 2 or turn not in gone
            ]
        )
    return found


def shown(one: Transcript, before: int) -> list[str]:
    """What was in force before an entry, with those that a rule had cleared by then as such."""
    cleared = {place for each in one.compactions if each.at <= before for place in each.cleared}
    return [
        "cleared" if place in cleared else text
        for place in one.context(before)
        for text in texts(one, [place])
    ]


@given(prompts())
def test_each_prompt_of_swe_agent_is_what_was_in_force(asked: list[list[Record]]) -> None:
    steps = [
        {
            "action": f"run {step}",
            "observation": test_swe_agent.observed(step),
            "response": f"I do {step}",
            "query": prompt,
        }
        for step, prompt in enumerate(asked)
    ]
    one = only(packed({"trajectory": steps, "history": test_swe_agent.history(STEPS)}))

    begins = [at for at, entry in enumerate(one.entries) if entry.message.calls]
    first: dict[str, str] = {}
    for at, prompt in zip(begins, asked, strict=True):
        for message in prompt:
            key = str(message.get("tool_call_ids"))
            first.setdefault(key, message["content"])
        told = [
            "cleared"
            if (key := str(message.get("tool_call_ids"))) != "None"
            and first[key] != message["content"]
            else message["content"]
            for message in prompt
        ]
        assert shown(one, at) == told
    assert len(calls(one)) <= STEPS


@st.composite
def trees(draw: st.DrawFn) -> list[Record]:
    """A session of pi that goes back at times, and is compacted at times."""
    found = [test_pi.reply("e0", None, "0", "c0"), test_pi.result("e1", "e0", "c0", "r0")]
    for number in range(2, draw(st.integers(3, 16))):
        back = draw(st.booleans()) and draw(st.booleans())
        parent = found[draw(st.integers(0, number - 1)) if back else number - 1]["id"]
        key = f"e{number}"
        match draw(st.integers(0, 3)):
            case 0:
                found.append(test_pi.message(key, parent, "user", f"u{number}"))
            case 1:
                found.append(test_pi.reply(key, parent, f"a{number}", f"c{number}"))
            case 2:
                found.append(test_pi.result(key, parent, f"c{number}", f"r{number}"))
            case _:
                kept = draw(st.sampled_from([one["id"] for one in way(found, parent)]))
                more = {"summary": f"s{number}", "firstKeptEntryId": kept}
                found.append(test_pi.entry(key, parent, "compaction", **more))
    return found


def way(tree: Sequence[Record], leaf: str) -> list[Record]:
    """The entries from the root to a leaf."""
    by_key = {one["id"]: one for one in tree}
    found = []
    at: str | None = leaf
    while at is not None:
        found.append(by_key[at])
        at = by_key[at]["parentId"]
    return found[::-1]


def in_context(path: Sequence[Record]) -> list[str]:
    """The keys of what pi's documented rule puts into the context at the end of a path."""
    last = max((at for at, one in enumerate(path) if one["type"] == "compaction"), default=None)
    messages = [one for one in path if one["type"] == "message"]
    if last is None:
        return [one["id"] for one in messages]
    ids = [one["id"] for one in path]
    first = ids.index(path[last]["firstKeptEntryId"])
    kept = [one["id"] for one in path[first:last] if one["type"] == "message"]
    later = [one["id"] for one in path[last + 1 :] if one["type"] == "message"]
    return [ids[last], *kept, *later]


@given(trees())
def test_the_context_at_each_leaf_of_pi_is_what_its_rule_says(tree: list[Record]) -> None:
    found = sessions(lines([test_pi.HEADER, *tree]))

    parents = {one["parentId"] for one in tree}
    for one in found:
        leaf = one.entries[-1].key or ""
        assert leaf not in parents
        keys = [one.entries[at].key for at in one.context(len(one.entries))]
        assert keys == in_context(way(tree, leaf))


@given(trees())
def test_each_result_of_a_tree_is_counted_once(tree: list[Record]) -> None:
    found = sessions(lines([test_pi.HEADER, *tree]))

    made = [one["message"] for one in tree if one["type"] == "message"]
    results = [one["content"][0]["text"] for one in made if one["role"] == "toolResult"]
    assert sorted(text for one in found for _, text, _ in calls(one)) == sorted(results)


RANGES = st.lists(st.tuples(st.integers(0, 12), st.integers(0, 4)), min_size=1, max_size=3)


def viewed(events: Sequence[Record], forgets: Sequence[set[str]], offset: int) -> list[str]:
    """The view by the rule of OpenHands: all that was ever forgotten is out, one summary is in."""
    gone = set().union(*forgets)
    kept = [str(one["id"]) for one in events if str(one["id"]) not in gone]
    kept.insert(offset, f"summary {len(forgets)}")
    return kept


@given(RANGES, st.booleans())
def test_condensations_of_openhands_give_its_view(
    ranges: list[tuple[int, int]], by_range: bool
) -> None:
    events: list[Record] = [*test_openhands.BEGIN]
    told: list[Record] = [*events]
    forgets: list[set[str]] = []
    number = 4
    for count, (first, size) in enumerate(ranges, start=1):
        both = test_openhands.ran(number)
        events += both
        told += both
        # What comes later cannot be forgotten yet.
        gone = range(min(first, number), min(first + size, number + 1) + 1)
        forgets.append({str(one) for one in gone})
        named = {"forgotten_event_ids": [*gone]}
        ends = {"forgotten_events_start_id": gone[0], "forgotten_events_end_id": gone[-1]}
        more = {"summary": f"summary {count}", "summary_offset": 0}
        given_ = {**(ends if by_range else named), **more}
        told.append(test_openhands.condensed(number + 2, **given_))
        number += 3
    one = only(packed(told))

    for count in range(len(ranges)):
        there = [each for each in events if each["id"] < 4 + 3 * count + 2]
        silent = {str(each["id"]) for each in there if "recall" in each.values()}
        view = viewed(there, forgets[: count + 1], 0)
        keys = [one.entries[at].key or "" for at in one.post(count) or []]
        spoken = [f"summary {count + 1}" if "-summary" in key else key for key in keys]
        assert spoken == [key for key in view if key not in silent]


@given(st.lists(st.sets(st.integers(1, 4)), min_size=1, max_size=3))
def test_condensations_of_the_sdk_give_its_view(forgotten: list[set[int]]) -> None:
    events = [
        *test_openhands_sdk.BEGIN,
        *(one for step in range(1, 5) for one in test_openhands_sdk.ran(step)),
    ]
    told: list[Record] = [*events]
    for number, steps in enumerate(forgotten, start=1):
        keys = [f"{word}{step}" for step in sorted(steps) for word in "ao"]
        before = [f"k{number - 1}-summary"] if number > 1 else []
        more = {"summary": f"summary {number}", "summary_offset": 2}
        told.append(test_openhands_sdk.condensed(f"k{number}", [*before, *keys], **more))
    one = only(lines(told))

    for number in range(len(forgotten)):
        gone = set().union(*forgotten[: number + 1])
        left = [
            f"{word} {step}" for step in range(1, 5) if step not in gone for word in ("I do", "out")
        ]
        expected = ["You fix.", "Fix it. Gently.", f"summary {number + 1}", *left]
        assert texts(one, one.post(number)) == expected
