"""Texts that left a history are to be had again, in small pages, and each use is counted."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ullage.arrivals.alone import alone
from ullage.arrivals.own import page_head, records_said
from ullage.history.described import SPELLINGS
from ullage.history.recall import MemoryStore, Store, handles_in, offers
from ullage.history.recall_answer import Room, answer, listing
from ullage.history.recall_ledger import LedgerStore
from ullage.history.recall_tool import Recall
from ullage.ledger.records import ProducedRecord
from ullage.ledger.store import Ledger
from ullage.wire.readers import Provider

ROWS = [{"id": f"ORD-{n:04}", "note": "paid in full"} for n in range(255)]
TEXT = json.dumps(ROWS)
TWO = json.dumps({"orders": ROWS[:40], "late": ROWS[:30], "total": 40})


@pytest.fixture(params=["memory", "ledger"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    if request.param == "memory":
        yield MemoryStore()
        return
    with Ledger(tmp_path / "a.ledger", durability="sync") as ledger:
        yield LedgerStore(ledger, "monday", clock=lambda: 5.0)


def records_in(text: str) -> list[str]:
    return [row["id"] for row in json.loads(text.partition("\n")[2])]


def test_a_text_is_kept_whole(store: Store) -> None:
    handle = store.keep(TEXT, tool="list_orders", call='{"day":"mon"}')

    assert store.whole(handle) == TEXT


def test_a_handle_is_eight_digits_and_the_same_for_the_same_text(store: Store) -> None:
    handle = store.keep(TEXT, tool="list_orders")

    assert len(handle) == 8
    assert int(handle, 16) >= 0
    assert store.keep(TEXT, tool="list_orders") == handle
    assert len(store.listing()) == 1


def test_both_stores_give_a_text_the_same_handle(tmp_path: Path) -> None:
    with Ledger(tmp_path / "a.ledger") as ledger:
        in_ledger = LedgerStore(ledger, "monday", clock=lambda: 5.0).keep(TEXT, tool="t")

    assert MemoryStore().keep(TEXT, tool="t") == in_ledger


def test_the_listing_says_what_was_left_out(store: Store) -> None:
    handle = store.keep(TEXT, tool="list_orders", call='{"day":"mon"}')

    (one,) = store.listing()
    assert (one.handle, one.tool, one.call) == (handle, "list_orders", '{"day":"mon"}')
    assert (one.records, one.chars) == (255, len(TEXT))


def test_a_page_says_which_records_it_has_and_how_to_get_the_next(store: Store) -> None:
    handle = store.keep(TEXT, tool="list_orders")

    page = answer(store, handle).text

    first = page.partition("\n")[0]
    assert first == f'[ullage: records 0-19 of 255; next: recall("{handle}", records="20-39")]'
    assert records_in(page) == [row["id"] for row in ROWS[:20]]


def test_the_pages_together_hold_every_record_once(store: Store) -> None:
    handle = store.keep(TEXT, tool="list_orders")

    found: list[str] = []
    while len(found) < len(ROWS):
        found += records_in(answer(store, handle, records=f"{len(found)}-{len(found) + 49}").text)

    assert found == [row["id"] for row in ROWS]


def test_a_page_holds_fewer_records_where_so_many_do_not_fit(store: Store) -> None:
    handle = store.keep(TEXT, tool="list_orders")

    page = answer(store, handle, records="0-254").text

    assert len(page) <= 4000
    count = len(records_in(page))
    assert page.startswith(f"[ullage: records 0-{count - 1} of 255; next: ")


def test_the_last_page_says_that_it_is_the_last(store: Store) -> None:
    handle = store.keep(TEXT, tool="list_orders")

    assert answer(store, handle, records="250-300").text.startswith(
        "[ullage: records 250-254 of 255, to the end]"
    )


def test_a_text_with_several_lists_names_them(store: Store) -> None:
    handle = store.keep(TWO, tool="report")

    page = answer(store, handle).text

    assert "$.orders has 40 records; $.late has 30 records" in page
    assert f'recall("{handle}", part="$.orders", records="0-19")' in page


def test_the_only_list_of_an_object_need_not_be_named(store: Store) -> None:
    handle = store.keep(json.dumps({"total": 255, "orders": ROWS}), tool="report")

    page = answer(store, handle).text

    assert page.startswith("[ullage: records 0-19 of 255 of $.orders; next: recall(")
    assert 'part="$.orders", records="20-39")]' in page


def test_a_part_is_paged_by_itself(store: Store) -> None:
    handle = store.keep(TWO, tool="report")

    page = answer(store, handle, part="$.late", records="28-29").text

    assert page.startswith("[ullage: records 28-29 of 30 of $.late, to the end]")
    assert records_in(page) == ["ORD-0028", "ORD-0029"]


def test_a_part_that_is_no_list_is_given_as_it_is(store: Store) -> None:
    handle = store.keep(TWO, tool="report")

    assert answer(store, handle, part="$.total").text == "[ullage: $.total: ]\n40"


def test_a_log_is_paged_by_lines(store: Store) -> None:
    handle = store.keep("\n".join(f"12:00:{n:02} step {n} done" for n in range(60)), tool="tail")

    page = answer(store, handle, records="58-59").text

    assert page.endswith("12:00:58 step 58 done\n12:00:59 step 59 done")


def test_a_page_of_csv_has_the_header(store: Store) -> None:
    handle = store.keep("id,name\n" + "\n".join(f"{n},n{n}" for n in range(60)), tool="export")

    assert answer(store, handle, records="58-59").text.endswith("\nid,name\n58,n58\n59,n59")


def test_what_stands_in_a_wrapping_is_paged_as_it_was_cut(store: Store) -> None:
    handle = store.keep(f"Observation: {TEXT}", tool="list_orders")

    assert records_in(answer(store, handle, records="7").text) == ["ORD-0007"]


def test_a_record_larger_than_a_page_is_cut_and_says_so(store: Store) -> None:
    big = json.dumps([{"id": 1, "log": "word " * 3000}, {"id": 2}])
    handle = store.keep(big, tool="read")

    page = answer(store, handle).text

    assert len(page) <= 4000
    assert page.startswith('[ullage: record 0 of 2; next: recall("')
    assert "15000 characters" in page


def test_an_unknown_handle_names_those_that_are_known(store: Store) -> None:
    handle = store.keep(TEXT, tool="list_orders")

    found = answer(store, "ffffffff")

    assert not found.found
    assert f"there is {handle} (list_orders, 255 records" in found.text


def test_only_so_many_known_handles_are_named(store: Store) -> None:
    for number in range(12):
        store.keep(f"text {number}", tool="t")

    assert "and 4 more" in answer(store, "ffffffff").text


@pytest.mark.parametrize(
    ("part", "records", "said"),
    [
        ("$.nothing", None, "$.nothing leads nowhere"),
        ("$.late", "90-99", "there are 30, from 0"),
        ("$.late", "some", 'write two numbers such as "20-39"'),
        ("$.late", "9-3", "the first number is the smaller one"),
        ("$.total", "0-3", "$.total is no list"),
    ],
)
def test_what_a_model_gets_wrong_is_said_to_it(
    store: Store, part: str, records: str | None, said: str
) -> None:
    handle = store.keep(TWO, tool="report")

    found = answer(store, handle, part, records)

    assert not found.found
    assert said in found.text
    assert "--part" not in found.text


@pytest.mark.parametrize("written", ['"{}"', " {} ", 'recall("{}")', "`{}`"])
def test_a_handle_is_found_whatever_was_copied_with_it(store: Store, written: str) -> None:
    handle = store.keep(TEXT, tool="list_orders")

    assert answer(store, written.format(handle)).found


def test_what_is_offered_and_what_is_used_are_counted(store: Store) -> None:
    first, _ = store.keep(TEXT, tool="list_orders"), store.keep(TWO, tool="report")

    answer(store, first)
    answer(store, first, records="20-39")
    answer(store, "ffffffff")

    use = store.use
    assert (use.offered, use.used, use.pages, use.unknown) == (2, 1, 2, 1)
    assert use.rate == 0.5


def test_nothing_offered_is_no_rate_of_nothing(store: Store) -> None:
    assert store.use.rate is None


def test_a_placeholder_offers_a_handle_that_is_found_in_it_again(store: Store) -> None:
    phrase = offers(store, tool="list_orders")(TEXT)

    (handle,) = handles_in(f"[ullage: 255 records; rule stale-result; {phrase}]")
    assert store.whole(handle) == TEXT


def test_the_listing_is_a_small_page_with_the_newest_first(store: Store) -> None:
    for number in range(30):
        store.keep(f"text {number}", tool=f"tool_{number}")

    page = listing(store, tool="list_left_out").split("\n")

    assert page[0] == '[0-19 of 30; next: list_left_out(records="20-29")]'
    assert len(page) == 21
    assert "tool_29" in page[1]


def test_two_texts_never_share_a_handle(store: Store) -> None:
    # Found by search: their hashes begin with the same eight digits.
    texts = ["text 44073", "text 69616"]

    first, second = (store.keep(text, tool="t") for text in texts)

    assert (first, second[:8], len(second)) == ("fe79ab10", "fe79ab10", 12)
    assert [store.whole(first), store.whole(second)] == texts


@given(
    rows=st.lists(st.dictionaries(st.text(max_size=5), st.text(max_size=200)), max_size=60),
    begin=st.integers(0, 70),
)
def test_a_page_is_never_larger_than_its_room(rows: list[dict[str, str]], begin: int) -> None:
    store = MemoryStore()
    handle = store.keep(json.dumps(rows), tool="t")

    page = answer(store, handle, records=f"{begin}-{begin + 30}", room=Room(chars=1000))

    assert page.found == (begin < len(rows))
    assert len(page.text) <= 1000


WORD = st.text(max_size=30)
SHAPED = st.one_of(
    st.text(max_size=3000),
    st.lists(st.text(max_size=90), max_size=90).map("\n".join),
    st.lists(st.lists(WORD, min_size=2, max_size=4), max_size=40).map(
        lambda rows: "\n".join(",".join(row) for row in [["id", "name"], *rows])
    ),
    st.dictionaries(WORD, st.lists(WORD, max_size=40), max_size=6).map(json.dumps),
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=300),
        lambda inner: st.lists(inner, max_size=8) | st.dictionaries(WORD, inner, max_size=8),
        max_leaves=30,
    ).map(json.dumps),
)


@given(text=SHAPED, part=st.none() | st.just("$") | WORD, begin=st.none() | st.integers(0, 60))
def test_whatever_is_kept_an_answer_keeps_to_its_room(
    text: str, part: str | None, begin: int | None
) -> None:
    store = MemoryStore()
    handle = store.keep(text, tool="t")
    records = None if begin is None else f"{begin}-{begin + 9}"

    found = answer(store, handle, part, records, room=Room(chars=1000))

    assert found.text
    assert len(found.text) <= 1000 or not found.found


def test_a_ledger_also_gives_what_it_recorded_by_its_number(tmp_path: Path) -> None:
    with Ledger(tmp_path / "a.ledger") as ledger:
        ledger.add_produced(
            ProducedRecord(run="r", tool="t", kind="tool", arguments="{}", text=TEXT, at=1.0)
        )
        store = LedgerStore(ledger, "r", clock=lambda: 5.0)

        assert answer(store, "1").text.startswith("[ullage: records 0-19 of 255")
        assert [one.handle for one in store.listing()] == ["1"]


def test_a_result_of_another_run_is_not_given(tmp_path: Path) -> None:
    with Ledger(tmp_path / "a.ledger") as ledger:
        ledger.add_produced(
            ProducedRecord(run="other", tool="t", kind="tool", arguments="{}", text=TEXT, at=1.0)
        )

        assert not answer(LedgerStore(ledger, "r", clock=lambda: 5.0), "1").found


def test_what_a_cut_kept_is_given_too(tmp_path: Path) -> None:
    with Ledger(tmp_path / "a.ledger") as ledger:
        assert ledger.handle()(TEXT).startswith("ullage ledger get 1 ")

        assert answer(LedgerStore(ledger, "r", clock=lambda: 5.0), "1").found


def test_a_ledger_that_can_only_be_read_answers_and_counts_nothing(tmp_path: Path) -> None:
    with Ledger(tmp_path / "a.ledger") as ledger:
        handle = LedgerStore(ledger, "r").keep(TEXT, tool="t")
    with Ledger.read(tmp_path / "a.ledger") as ledger:
        store = LedgerStore(ledger, "r", counts=False)

        assert answer(store, handle).found
        assert store.use.used == 0


def test_secrets_are_not_given_back(tmp_path: Path) -> None:
    key = "sk-" + "proj-" + "Aq7Zk2Wx9Tn4Rb6Vm1Lp8Hd3"
    with Ledger(tmp_path / "a.ledger") as ledger:
        store = LedgerStore(ledger, "r", clock=lambda: 5.0)
        handle = store.keep(f"the key is {key}", tool="t")

        assert key not in answer(store, handle).text


@pytest.mark.parametrize("form", SPELLINGS)
def test_the_tool_is_spelled_as_each_provider_wants_it(form: Provider) -> None:
    tool = Recall(MemoryStore()).definition(form)

    assert "recall" in json.dumps(tool)
    assert "handle" in json.dumps(tool)


def test_a_form_that_is_not_known_is_named() -> None:
    with pytest.raises(ValueError, match="choose one of openai-chat"):
        Recall(MemoryStore()).definition("cohere")  # type: ignore[arg-type]  # the point


def test_a_call_is_answered_whatever_a_model_wrote() -> None:
    tool = Recall(MemoryStore())
    handle = tool.store.keep(TEXT, tool="t")

    assert tool.call({"handle": handle, "records": 7}).found
    assert not tool.call({}).found


def test_the_function_is_a_tool_for_any_framework() -> None:
    tool = Recall(MemoryStore())
    handle = tool.store.keep(TEXT, tool="t")

    assert tool.recall(handle, records="20-21").startswith("[ullage: records 20-21 of 255;")
    assert tool.use.used == 1


def test_what_reads_a_page_knows_it_as_one_of_ours(store: Store) -> None:
    for text in (TEXT, "\n".join(f"12:00:{n:02} step {n} done" for n in range(60))):
        page = answer(store, store.keep(text, tool="t"), records="7-11").text

        head = page_head(page)
        assert head is not None
        assert records_said(head) == 5
        assert alone(page).whole


def test_a_page_that_somebody_cut_is_no_whole_one(store: Store) -> None:
    page = answer(store, store.keep(TEXT, tool="t")).text

    found = alone(page[:300])

    assert found.broken
    assert not found.whole


def test_a_page_of_lines_that_lacks_some_is_no_whole_one(store: Store) -> None:
    lines = "\n".join(f"12:00:{n:02} step {n} done" for n in range(60))
    page = answer(store, store.keep(lines, tool="t")).text

    assert not alone(page[: page.index("step 9")]).whole
