"""`listings` and `long-tails`: rules that take most of a result."""

import json

import pytest
from tests.history.rules.histories import Did, Kept, at, elide, history, ran
from tests.history.rules.outputs import listing, log, source

from ullage.history.rules.placeholder import rules_on


def rows(count: int = 300, **odd: object) -> str:
    made = [{"id": f"box-{at}", "berth": at % 7, "state": "stored"} for at in range(count)]
    made[count // 2] |= odd
    return json.dumps({"boxes": made, "port": "north"})


def test_a_listing_gives_way_to_its_call_and_its_counts() -> None:
    (found,) = elide(history(ran("ls -l cargo", listing())), "listings")

    assert found.text == (
        f'[ullage: 60 lines ({len(listing())} characters) that bash({{"command": "ls -l cargo"}}) '
        "listed; rule listings; call the tool again to have it]"
    )


def test_a_listing_says_how_dense_it_was() -> None:
    (found,) = elide(history(ran("ls -l cargo", listing())), "listings")

    assert found.why.endswith("1 kind of line in 60 lines (density 0.02)")


def test_a_listing_in_json_counts_its_records() -> None:
    names = json.dumps([f"cargo_{at}.csv" for at in range(50)])

    assert "[ullage: 50 records (" in at(
        elide(history(Did("list_dir", {"path": "cargo"}, names)), "listings"), 2
    )


@pytest.mark.parametrize(
    "command",
    [
        "ls",
        "cd src && ls -la",
        "find . -name '*.csv' 2>/dev/null | sort | head -100",
        'grep -rn "late\\|open" src',
        "rg 'a|b' src",
        "git status --short",
        "git ls-files src",
        "git branch -a",
        "pip list",
    ],
)
def test_a_command_that_only_looks_is_a_listing(command: str) -> None:
    assert len(elide(history(ran(command, listing())), "listings")) == 1


@pytest.mark.parametrize(
    "command",
    [
        "ls > files.txt",
        "find . -name '*.csv' -delete",
        "ls && rm -r cargo",
        "git branch newer",
        "git tag v3",
        "make; ls",
        "ls $(make)",
        "python list_files.py",
        "echo ready",
        "git log -3",
    ],
)
def test_a_command_that_does_more_is_none(command: str) -> None:
    assert elide(history(ran(command, listing())), "listings") == []


@pytest.mark.parametrize(
    "tool", ["list_files", "glob", "search_code", "fs.find", "git_status", "Grep"]
)
def test_a_tool_whose_name_says_that_it_lists_is_a_listing(tool: str) -> None:
    assert len(elide(history(Did(tool, {"path": "cargo"}, listing())), "listings")) == 1


@pytest.mark.parametrize(
    "tool", ["find_and_replace", "delete_list", "run_tests", "get_order", "globalise"]
)
def test_a_tool_that_may_do_something_is_none(tool: str) -> None:
    assert elide(history(Did(tool, {"path": "cargo"}, listing())), "listings") == []


def test_a_long_log_is_shortened_to_what_stands_out() -> None:
    odd = "2026-02-03 04:07:07 ERROR crane 4 dropped box 812"
    found = elide(history(ran("journal", log(odd=odd))), "long-tails")

    assert all(odd in one.text for one in found)
    assert [rules_on(one.text) for one in found] == [("long-tails",)] * 3


def test_a_long_log_is_shortened_no_further_than_it_must() -> None:
    text = log()

    (found,) = elide(history(ran("journal", text)), "long-tails", over=len(text) // 3)

    assert len(text) // 3 < len(found.text) <= len(text) // 2 + 200


def test_all_long_results_are_halved_before_one_is_quartered() -> None:
    pieces = history(ran("journal a", log()), ran("journal b", log(500)))

    assert [one.index for one in elide(pieces, "long-tails")] == [2, 4, 2, 4, 2, 4]


def test_a_tight_budget_takes_more_by_rules() -> None:
    pieces = history(ran("journal", log()), ran("ls -l", listing()))
    sizes = [
        sum(len(one.text) for one in {one.index: one for one in elide(pieces, over=over)}.values())
        for over in (100, 9_000, 18_000)
    ]

    taken = [len(elide(pieces, over=over)) for over in (100, 9_000, 18_000)]
    assert taken == sorted(taken)
    assert taken[0] < taken[-1], sizes


def test_a_long_text_that_does_not_repeat_itself_stays() -> None:
    words = source(200).replace("(", " ").replace("\n", " ").split()
    prose = " ".join(f"{one} {at * 7919 % 997:x}" for at, one in enumerate(words))
    assert len(prose) > 3_000

    assert elide(history(Did("note", {}, prose)), "long-tails") == []


def test_data_written_as_letters_is_shortened_though_it_is_one_line() -> None:
    found = elide(history(Did("picture", {}, "iVBORw0KGgo" * 2_000)), "long-tails")

    assert found
    assert found[0].why.startswith("22000 characters, 1 kind of word group in ")


def test_json_that_is_cut_stays_json() -> None:
    for one in elide(history(Did("boxes", {}, rows())), "long-tails"):
        value = json.loads(one.text)
        assert value["port"] == "north"
        assert "; rule long-tails." in value["_ullage"]
        assert rules_on(one.text) == ("long-tails",)


def test_the_way_back_stands_in_the_notice_of_json() -> None:
    kept = []

    def handle(text: str) -> str:
        kept.append(text)
        return 'recall("a1b2")'

    for one in elide(history(Did("boxes", {}, rows())), "long-tails", handle=handle):
        assert 'recall("a1b2")' in json.loads(one.text)["_ullage"]
    assert kept == [rows()]


def test_a_record_of_json_that_must_stay_is_kept_inside_it() -> None:
    pieces = history(Did("boxes", {}, rows()))
    guard = Kept(words=["box-137", "box-138"], pieces=pieces)

    found = elide(pieces, "long-tails", guard=guard)

    assert len(found) == 3
    for one in found:
        names = [box["id"] for box in json.loads(one.text)["boxes"]]
        assert {"box-137", "box-138"} <= set(names)


def test_csv_that_is_cut_keeps_its_header() -> None:
    text = "\n".join(["id,berth,state", *(f"{at},{at % 7},stored" for at in range(500))])

    for one in elide(history(Did("boxes", {}, text)), "long-tails"):
        assert one.text.startswith("id,berth,state\n# Cut")
        assert "get the rest with `the same call`" in one.text
        assert "Asking again" not in one.text
        assert rules_on(one.text) == ("long-tails",)
