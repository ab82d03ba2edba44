"""Whatever is cut, the notice says how to get the rest, wherever there is room to say it."""

import json

import pytest
from tests.cutter.samples import BUDGET, WRITERS, samples

from ullage import chars, cut
from ullage.cutter.values import Format

CALL = "get_rest(1)"
SAID = f"get the rest with `{CALL}`"


@pytest.mark.parametrize("name", WRITERS)
@pytest.mark.parametrize("limit", [200, 400, BUDGET])
def test_the_notice_of_every_format_names_the_way_back(name: Format, limit: int) -> None:
    text = next(samples(name))
    done = cut(text, chars(limit), handle=lambda _: CALL)

    assert SAID in done.notice
    assert CALL in done.text


ROOTS = {
    "words": json.dumps("word " * 300),
    "escapes": json.dumps('é"\n\t' * 300),
    "one line of text": "🇩🇪" * 400,
    "one word": "x" * 3000,
    "a base64 run and words": json.dumps("QUJD" * 300 + " words" * 200),
    "a JSON document": json.dumps(json.dumps({"rows": list(range(900))})),
}


@pytest.mark.parametrize("name", ROOTS)
def test_a_root_string_names_the_way_back_inside(name: str) -> None:
    done = cut(ROOTS[name], chars(300), handle=lambda _: CALL)

    assert SAID in done.notice
    assert CALL in done.text
    assert len(done.text) <= 300
    if ROOTS[name].startswith('"'):
        assert CALL in json.loads(done.text)


def test_a_second_cut_of_a_root_string_keeps_the_first_length_and_one_notice() -> None:
    once = cut(ROOTS["words"], chars(400), handle=lambda _: CALL)
    twice = cut(once.text, chars(250))

    assert twice.text.count(CALL) == 1
    assert "of 1500 characters" in twice.notice
    assert SAID in twice.notice
    assert cut(once.text, chars(400)).text == once.text


@pytest.mark.parametrize("name", ROOTS)
def test_where_there_is_no_room_for_the_way_back_the_length_is_still_stated(name: str) -> None:
    for limit in range(1, 300, 7):
        done = cut(ROOTS[name], chars(limit), handle=lambda _: CALL)
        assert len(done.text) <= limit
        if name != "a JSON document" and done.text and ROOTS[name].startswith('"'):
            assert isinstance(json.loads(done.text), str)


def test_with_the_notice_apart_the_way_back_is_apart_too() -> None:
    done = cut(ROOTS["words"], chars(300), handle=lambda _: CALL, notice="apart")

    assert SAID in done.notice
    assert CALL not in done.text


def test_a_text_cut_again_and_again_keeps_its_first_length() -> None:
    text = "w" * 150 + "\n" + "v" * 160
    for limit in (45, 40, 35):
        text = cut(text, chars(limit)).text
        assert "of 311 characters]" in text
