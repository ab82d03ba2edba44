"""What is gathered for the page: lengths by tool, fills by turn, the texts behind findings."""

from collections.abc import Sequence

from tests.report.page.pages import ROWS, SLICED, Given, reading, same, scanned, transcript

from ullage.checks.exhibits import Exhibits, chosen
from ullage.checks.fills import fill_of
from ullage.checks.transcripts import session_of
from ullage.checks.walk import walk
from ullage.transcript.finding import Finding
from ullage.transcript.transcript import Compaction, Transcript

CUT = Given(produced=ROWS, delivered=SLICED)
WHOLE = Given(produced=ROWS, delivered=ROWS)


def shown(
    transcripts: Sequence[Transcript], findings: Sequence[Finding], per_check: int = 10
) -> Exhibits:
    exhibits = Exhibits(wanted=chosen(findings, per_check), clean=same)
    walk(reading(transcripts), exhibits.take)
    return exhibits


def test_lengths_are_counted_by_tool_and_the_cut_ones_apart() -> None:
    unknown = Given(produced=None, delivered="abc", tool="look")
    _, pictures = scanned([transcript("a", [CUT, CUT, WHOLE, unknown])])

    orders, look = pictures.lengths.tools["list_orders"], pictures.lengths.tools["look"]

    assert orders.all == {len(SLICED): 2, len(ROWS): 1}
    assert orders.cut == {len(SLICED): 2}
    assert (orders.known, look.known) == (3, 0)


def test_the_window_is_filled_turn_by_turn_and_compactions_stand_between() -> None:
    gone = Compaction(at=3, act="trim", after=(0,))
    one = fill_of(session_of(transcript("a", [WHOLE] * 3, compactions=[gone], window=8000)))

    assert one.tokens == [1010, 2010, 3010, None]
    assert one.compactions == [1]
    assert one.peak == 3010
    assert one.share == 3010 / 8000


def test_an_unknown_window_has_no_share() -> None:
    assert fill_of(session_of(transcript("a", [WHOLE], window=None))).share is None


def test_findings_about_one_result_share_its_texts() -> None:
    sessions = [transcript("a", [WHOLE, CUT]), transcript("b", [CUT])]
    done, _ = scanned(sessions)

    exhibits = shown(sessions, done.findings)

    assert len(exhibits.shown) == 2
    assert {done.findings[at].session for at in exhibits.of} == {"a", "b"}
    assert all(one.delivered_chars == len(SLICED) for one in exhibits.shown)


def test_only_a_few_findings_of_each_check_are_shown() -> None:
    sessions = [transcript(f"s{number}", [CUT]) for number in range(9)]
    done, _ = scanned(sessions)

    exhibits = shown(sessions, done.findings, per_check=3)

    checks = [done.findings[at].check for at in exhibits.of]
    assert checks.count("silent-cut") == 3


def test_a_call_id_that_is_used_again_does_not_show_another_result() -> None:
    first, second = transcript("a", [WHOLE]), transcript("a", [CUT])
    done, _ = scanned([first, second])

    exhibits = shown([first, second], done.findings)

    assert [one.delivered_chars for one in exhibits.shown] == [len(SLICED)]


def test_a_finding_about_no_result_has_no_texts() -> None:
    finding = Finding(
        check="x", severity="error", boundary=None, evidence={}, advice="", session="a"
    )

    assert chosen([finding], 10) == []
