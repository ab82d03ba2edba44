"""Sessions before a change and after it."""

import json
from dataclasses import replace

from tests.checks.sessions import calls, gives, says, system, user

from ullage.checks.compare import Compared, Comparison, compare
from ullage.checks.profile import Profile, prompt_of
from ullage.checks.transcripts import session_of
from ullage.transcript.finding import Finding, Source
from ullage.transcript.transcript import Entry, Produced, Transcript

ROWS = [{"id": f"ORD-{n:04}", "total": n} for n in range(50)]
WHOLE = json.dumps(ROWS)
SLICE = WHOLE[:500]
CUT = json.dumps(ROWS[:20])


def transcript(task: int, delivered: str, outcome: float = 1.0) -> Transcript:
    entries = [
        Entry(message=user(f"sum up the orders of month {task}")),
        Entry(message=calls("c1")),
        Entry(message=gives("c1", delivered), produced=Produced(text=WHOLE)),
        Entry(message=says("done")),
    ]
    return Transcript(
        session=f"s{task}", form="test", entries=entries, model="m-1", outcome=outcome
    )


def profile(*transcripts: Transcript) -> Profile:
    found = Profile()
    for one in transcripts:
        found.add(session_of(one))
    return found


def figure(found: Comparison, name: str) -> Compared:
    return next(one for one in found.figures if one.name == name)


BEFORE = [transcript(n, SLICE, outcome=0.0) for n in range(8)]
AFTER = [transcript(n, CUT) for n in range(8)]


def test_the_same_tasks_are_compared_in_pairs() -> None:
    found = compare(profile(*BEFORE), profile(*AFTER))

    arrival, broken = figure(found, "arrival"), figure(found, "broken, of the cut")
    assert found.pairs == 8
    assert arrival.after == 0.4
    assert arrival.before is not None
    assert arrival.before < 0.4
    assert (broken.before, broken.after) == (1.0, 0.0)
    assert figure(found, "outcome").difference is not None
    assert found.sentence == "Nothing else that a transcript shows has changed."


def test_whatever_else_changed_is_named_and_forbids_the_conclusion() -> None:
    other = [replace(one, model="m-2", tools=("orders", "search")) for one in AFTER]
    offered = [replace(one, tools=("orders",)) for one in BEFORE]
    found = compare(profile(*offered), profile(*other))

    assert {one.what for one in found.changed} == {"models", "tools"}
    assert found.sentence == "Not attributable to the cut: models, tools changed as well."


def test_other_tasks_are_compared_side_by_side_and_that_is_said() -> None:
    other = [transcript(n + 100, CUT) for n in range(5)]
    found = compare(profile(*BEFORE), profile(*other))

    assert found.pairs == 0
    assert figure(found, "arrival").n_after == 5
    assert "tasks are not the same" in found.sentence


def test_what_is_not_known_is_no_figure() -> None:
    found = compare(profile(*BEFORE), profile(*AFTER))

    tokens = figure(found, "tokens a session")
    assert (tokens.before, tokens.after, tokens.difference) == (None, None, None)


def prompted(text: str, task: int = 1, tool: str = "orders") -> Transcript:
    one = transcript(task, WHOLE)
    asked = Entry(message=calls("c1", tool))
    return replace(
        one, entries=[Entry(message=system(text)), one.entries[0], asked, *one.entries[2:]]
    )


def test_a_system_prompt_of_another_day_is_not_another_one() -> None:
    texts = (
        "Today is Monday, 5 January 2026. Run 3f2b8c1e-1111-4222-8333-0123456789ab",
        "Today is Thursday, March 12, 2026. Run 00000000-aaaa-4bbb-8ccc-abcdefabcdef",
    )
    found = compare(profile(prompted(texts[0])), profile(prompted(texts[1])))
    assert not found.changed

    stamps = (
        "It is 2026-01-05T10:00:00Z (id 1767600000).",
        "It is 2026-03-12 09:30 UTC (id 1773300000).",
    )
    assert len({prompt_of(session_of(prompted(one))) for one in stamps}) == 1


def test_another_rule_or_limit_in_the_system_prompt_is_a_change() -> None:
    found = compare(
        profile(prompted("Use at most 5 calls.")), profile(prompted("Use at most 9 calls."))
    )

    assert [one.what for one in found.changed] == ["system prompts (dates, times and ids aside)"]


def test_a_tool_that_one_session_happened_to_call_is_no_change() -> None:
    before = [prompted("x", task) for task in range(4)]
    once = [*before[:3], prompted("x", 3, tool="refunds")]
    assert not compare(profile(*before), profile(*once)).changed

    (found,) = compare(
        profile(*before), profile(*(prompted("x", n, "refunds") for n in range(4)))
    ).changed
    assert (found.what, found.before, found.after) == (
        "tools that are called",
        ["orders"],
        ["refunds"],
    )


def test_a_cut_in_one_of_two_sessions_of_a_name_is_counted_there_only() -> None:
    found = Profile()
    for path in ("a.json", "b.json"):
        entries = [
            Entry(message=user("go")),
            Entry(message=calls("c1")),
            Entry(message=gives("c1", "x")),
        ]
        found.add(
            session_of(
                Transcript(
                    session="s", form="test", entries=entries, source=Source(path=path, line=None)
                )
            )
        )
    found.flagged(
        [
            Finding(
                check="silent-cut",
                severity="error",
                boundary="budget",
                evidence={},
                advice="",
                session="s",
                source=Source(path="b.json", line=None),
                call_id="c1",
            )
        ]
    )

    assert [one.cut for one in found.sessions] == [0, 1]
