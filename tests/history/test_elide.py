"""Rules one after the other, until enough is won back."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from tests.history.rules.histories import Did, Kept, at, elide, history, put, ran, read
from tests.history.rules.outputs import listing, log, pip_download, satisfied, source

from ullage.history.piece import Piece
from ullage.history.rules.placeholder import rules_on, taken_off
from ullage.history.rules.rule import Guard, Proposal


def installed() -> str:
    return f"{satisfied()}\n{pip_download()}"


def test_the_rules_stop_when_enough_is_won_back() -> None:
    pieces = history(*(ran(f"ls -l {at}", listing()) for at in range(6)))

    found = elide(pieces, over=2 * len(listing()) - 500)

    assert [one.index for one in found] == [2, 4]


def test_nothing_over_takes_nothing() -> None:
    assert elide(history(ran("ls -l", listing())), over=0) == []


def test_what_is_missed_least_goes_first() -> None:
    pieces = history(
        ran("ls -l", listing()),
        ran("pip install", pip_download()),
        read("a.py", source(40)),
        read("a.py", source(41)),
    )

    assert [one.rule for one in elide(pieces)] == ["superseded", "progress", "listings"]


def test_the_oldest_result_of_a_rule_goes_first() -> None:
    pieces = history(*(ran(f"ls -l {at}", listing()) for at in range(3)))

    assert [one.index for one in elide(pieces)] == [2, 4, 6]


def test_untouched_pieces_are_not_offered() -> None:
    pieces = history(*(ran(f"ls -l {at}", listing()) for at in range(3)))

    found = elide(pieces, guard=Kept(frozenset({2, 6})))

    assert [one.index for one in found] == [4]


def test_a_piece_that_cannot_be_put_as_a_text_stays() -> None:
    pieces = list(history(ran("ls -l", listing())))
    pieces[2] = replace(pieces[2], solid=True)

    assert elide(pieces) == []


def test_a_rule_of_a_users_own_may_not_propose_what_must_stay() -> None:
    def everything(pieces: Sequence[Piece], guard: Guard) -> Iterator[Proposal]:
        for index in (2, 4, 6):
            yield Proposal(index=index, text="", why="all must go")

    pieces = list(history(*(ran(f"ls -l {at}", listing()) for at in range(3))))
    pieces[2] = replace(pieces[2], solid=True)

    found = elide(pieces, guard=Kept(frozenset({4})), rules={"everything": everything})

    assert [one.index for one in found] == [6]


def test_what_must_stay_is_put_back() -> None:
    pieces = history(ran("ls -l", listing()))
    guard = Kept(words=["cargo_042.csv"], pieces=pieces)

    assert at(elide(pieces, guard=guard), 2).endswith("\nKept word for word: cargo_042.csv")


def test_a_proposal_that_saves_nothing_is_passed_over() -> None:
    pieces = history(ran("ls -l", listing()))
    guard = Kept(words=listing().split("\n"), pieces=pieces)

    assert elide(pieces, guard=guard) == []


def test_nothing_is_kept_of_a_text_that_stays() -> None:
    pieces = history(ran("ls -l", listing()))
    guard = Kept(words=listing().split("\n"), pieces=pieces)
    kept: list[str] = []

    def handle(text: str) -> str:
        kept.append(text)
        return "recall"

    assert elide(pieces, guard=guard, handle=handle) == []
    assert kept == []


def test_a_way_back_that_is_longer_than_what_it_saves_is_passed_over() -> None:
    assert elide(history(ran("ls -l", listing())), handle=lambda _: "r" * 9_000) == []


def test_two_rules_of_one_text_leave_one_placeholder() -> None:
    found = elide(history(ran("pip install", installed())), "progress", "chatter")

    head, rest = taken_off(found[-1].text)
    assert head is not None
    assert head.rules == ("progress", "chatter")
    assert "progress that later states go beyond, and 42 of " in head.gone
    assert "[ullage:" not in rest


def test_a_handle_is_called_once_with_the_whole_text() -> None:
    kept: list[str] = []

    def handle(text: str) -> str:
        kept.append(text)
        return f'recall("{len(kept):08x}")'

    found = elide(history(ran("pip install", installed())), handle=handle)

    assert kept == [installed()]
    assert all('; recall("00000001")]' in one.text for one in found)


def test_a_text_that_was_kept_before_keeps_its_way_back() -> None:
    first = history(ran("pip install", installed()))
    first = put(first, elide(first, "progress", handle=lambda _: 'recall("00000001")'))

    found = elide(first, "progress", "chatter", handle=lambda _: 'recall("00000002")')

    assert [taken_off(one.text)[0].back for one in found] == ['recall("00000001")']  # type: ignore[union-attr]


def test_a_second_run_takes_nothing_more() -> None:
    pieces = history(
        ran("pip install", installed()),
        ran("journal", log()),
        ran("ls -l", listing()),
        Did("list_files", {}, listing(30)),
    )

    once = put(pieces, elide(pieces))

    assert elide(once) == []


def test_a_rule_does_not_take_what_a_later_one_left() -> None:
    pieces = history(ran("pip install", satisfied(400)))
    once = put(pieces, elide(pieces, "long-tails"))

    assert rules_on(once[2].message.text) == ("long-tails",)
    assert len(elide(once, "chatter")) == 1
    assert elide(once, "progress", "chatter", "long-tails") == []


def test_figures_say_why() -> None:
    assert all(any(map(str.isdigit, one.why)) for one in elide(history(ran("ls", listing()))))


def test_words_about_a_rule_are_not_taken_for_a_notice() -> None:
    assert rules_on("The harbour has a law; rule nine. Cut: the rope") == ()
    assert rules_on("Cut: the rope\nand then; rule nine.") == ()
    assert rules_on("# Cut: 3 of 9 records; rule long-tails.") == ("long-tails",)
