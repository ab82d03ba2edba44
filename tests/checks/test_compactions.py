"""What compactions cost, against like stretches without one."""

from collections.abc import Sequence

from tests.checks.sessions import calls, gives, user

from ullage.checks.compactions import Compactions, Row, compared
from ullage.checks.transcripts import session_of
from ullage.transcript.served import Usage
from ullage.transcript.transcript import Compaction, Entry, Transcript

CALLS = 160


def read(number: int, file: int) -> list[Entry]:
    asked = calls(f"c{number}", "read_file", path=f"src/part_{file}.py")
    usage = Usage(input=5000 + 5 * number, output=0)
    return [
        Entry(message=asked, usage=usage),
        Entry(message=gives(f"c{number}", f"text of file {file}, read as number {number}")),
    ]


def worked(name: str, files: Sequence[int], compactions: Sequence[Compaction] = ()) -> Transcript:
    entries = [Entry(message=user("mend it"))]
    entries += [entry for number, file in enumerate(files) for entry in read(number, file)]
    return Transcript(session=name, form="test", entries=entries, compactions=compactions)


def at_call(number: int) -> Compaction:
    return Compaction(at=1 + 2 * number, after=(0,), act="summarise", tokens_before=5395)


def rows(transcripts: Sequence[Transcript]) -> list[Row]:
    gathered = Compactions()
    for one in transcripts:
        gathered.add(session_of(one))
    return gathered.done()


FRESH = list(range(CALLS))
FORGETFUL = [*range(80), *range(70, 80), *range(80, 150)]


def test_a_row_counts_what_was_read_again_after_the_compaction_and_before() -> None:
    (one,) = rows([worked("a", FORGETFUL, [at_call(80)])])

    assert one.before is not None
    assert one.after is not None
    assert (one.before.files, one.after.files) == (0, 10)
    assert (one.gone, one.tokens_before, one.act) == (160, 5395, "summarise")


def test_compactions_after_which_files_are_read_again_made_it_worse() -> None:
    sessions = [worked(f"s{n}", FORGETFUL, [at_call(80)]) for n in range(8)]
    sessions += [worked(f"plain{n}", FRESH) for n in range(8)]
    found = compared(rows(sessions))

    assert found.verdict == "worse"
    assert found.interval is not None
    assert found.interval.estimate == 10
    assert "Observed, not an experiment" in found.sentence


def test_compactions_after_which_nothing_is_done_again_are_not_worse() -> None:
    sessions = [worked(f"s{n}", FRESH, [at_call(80)]) for n in range(8)]
    sessions += [worked(f"plain{n}", FRESH) for n in range(8)]

    assert compared(rows(sessions)).verdict == "not worse"


def test_what_an_agent_does_again_anyhow_is_not_laid_at_the_compaction() -> None:
    habit = [n % 10 for n in range(CALLS)]
    sessions = [worked(f"s{n}", habit, [at_call(80)]) for n in range(8)]
    sessions += [worked(f"plain{n}", habit) for n in range(8)]

    assert compared(rows(sessions)).verdict == "not worse"


def test_a_few_sessions_cannot_tell() -> None:
    sessions = [worked(f"s{n}", FORGETFUL, [at_call(80)]) for n in range(3)]
    found = compared(rows(sessions))

    assert found.verdict == "cannot tell"
    assert "cannot be told" in found.sentence


def test_a_compaction_without_like_stretches_is_counted_and_not_compared() -> None:
    found = compared(rows([worked("a", FRESH[:25], [at_call(15)])]))

    assert (found.rows, found.usable) == (1, 0)


def test_a_system_text_that_was_written_anew_is_no_compaction() -> None:
    other = Compaction(at=21, after=(0, *range(1, 21)), recorded=False)
    assert not rows([worked("a", FRESH, [other])])
