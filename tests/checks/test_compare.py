"""Sessions before a change and after it."""

import json
from dataclasses import replace

from tests.checks.sessions import calls, gives, says, user

from ullage.checks.compare import Compared, Comparison, compare
from ullage.checks.profile import Profile
from ullage.checks.transcripts import session_of
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
    found = compare(profile(*BEFORE), profile(*other))

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
