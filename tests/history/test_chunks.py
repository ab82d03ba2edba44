"""Data that is too large for one request is read in whole records, each in one request."""

import asyncio
import csv
import io
import json
import re
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openai import OpenAI

from ullage import Chunked, chars, read_in_chunks, read_in_chunks_async, record_run
from ullage.errors import HistoryError
from ullage.history.in_pieces import pieces_of
from ullage.history.sheet import sheet_of
from ullage.integrate.background import Background
from ullage.probe import server
from ullage.probe.request import ModelRequest
from ullage.probe.script import Refusal, Turn

ORDER = re.compile(r"ORD-\d{5}")
WINDOW = 128_000
RESERVE = 4_096
TOKENS_AN_ORDER = range(150, 161)
"""As in the incident: 200 orders are some 31,000 tokens, which is less than 40 % of the window of
128,000 after the reserve, and more than 40 % of a budget of 64,000; 500 orders are more than that.
"""


def orders(count: int) -> list[dict[str, object]]:
    filler = " ".join(f"word{n % 10}" for n in range(68))
    return [
        {"id": f"ORD-{n:05d}", "city": ("Kyoto", "Lyon", "Oslo")[n % 3], "total": n, "note": filler}
        for n in range(count)
    ]


class Model:
    """Counts the orders that a request shows; chunk numbers in `broken` fail so many times."""

    def __init__(self, broken: dict[int, int] | None = None) -> None:
        self.broken = broken or {}

    def __call__(self, request: ModelRequest) -> Turn:
        text = request.last_user
        chunk = re.match(r"\[chunk (\d+) of ", text)
        number = int(chunk[1]) if chunk and "\n[chunk" not in text else 0
        if self.broken.get(number, 0) > 0:
            self.broken[number] -= 1
            return Turn(refused=Refusal(status=503, kind="planned", message="overloaded"))
        return Turn(text=f"{len(set(ORDER.findall(text)))} orders")


def read_over_http(
    place: Path, count: int, model: Model, **more: object
) -> tuple[Chunked, list[str]]:
    """Read orders with a real client and server; return what came, and the texts on the wire."""
    with Background() as background:
        url = background.enter(server.serving(server.ScriptedModel(default=model)))
        with (
            record_run(place, upstream=f"{url}/v1") as run,
            OpenAI(base_url=run.base_url, api_key="none", max_retries=0) as client,
        ):

            def ask(messages: list[dict[str, str]]) -> str:
                reply = client.chat.completions.create(model="m", messages=messages)  # type: ignore[arg-type]  # plain dicts
                return reply.choices[0].message.content or ""

            found = read_in_chunks(
                orders(count),
                ask,
                instruction="Count the orders.",
                budget=WINDOW,
                reserve=RESERVE,
                **more,  # type: ignore[arg-type]  # options of one test
            )
            return found, [
                str(json.loads(json.dumps(one))["messages"][-1]["content"]) for one in run.requests
            ]


@pytest.mark.parametrize(
    ("count", "chunks"),
    [(50, 1), (200, 1), (500, 2), pytest.param(5_000, 16, marks=pytest.mark.slow)],
)
def test_every_order_is_on_the_wire_exactly_once(tmp_path: Path, count: int, chunks: int) -> None:
    found, texts = read_over_http(tmp_path / "l", count, Model())
    merges = [text for text in texts if text.startswith("[chunk") and "\n\n[chunk" in text]
    seen = Counter(id for text in texts if text not in merges for id in ORDER.findall(text))

    assert seen == Counter(f"ORD-{n:05d}" for n in range(count))
    assert found.proof.holds
    assert found.proof.records == count
    assert found.complete
    assert (len(found.chunks), len(merges)) == (chunks, int(chunks > 1))
    # The base of the 40 %: the window after the reserve, not the window.
    assert (found.base.usable, found.base.most) == (WINDOW - RESERVE, 49_561)
    assert found.base.over == (chunks > 1)
    assert found.base.data // count in TOKENS_AN_ORDER
    assert (found.cost.calls, found.cost.extra_calls) == (len(texts), len(texts) - 1)
    if chunks > 1:
        (merge,) = merges
        for one in found.chunks:
            assert f"{one.label}\n{one.answer}\n" in merge
        assert found.merges[0].parts == tuple(one.label for one in found.chunks)
        assert found.cost.extra_sent > 0


def test_a_chunk_whose_call_fails_is_retried(tmp_path: Path) -> None:
    found, texts = read_over_http(tmp_path / "l", 400, Model({1: 1}), size=100)

    assert [one.attempts for one in found.chunks] == [2, 1, 1, 1]
    assert (found.complete, found.proof.holds, found.missing) == (True, True, ())
    assert len(texts) == found.cost.calls == 6


def test_a_chunk_that_still_fails_names_its_records_everywhere(tmp_path: Path) -> None:
    found, texts = read_over_http(tmp_path / "l", 400, Model({2: 5}), size=100)

    assert not found.complete
    assert [one.position for one in found.missing] == list(range(100, 200))
    assert [one.id for one in found.missing] == [f"ORD-{n:05d}" for n in range(100, 200)]
    assert found.proof.never == tuple(range(100, 200))
    assert found.text.startswith("[ullage: 100 of 400 records were not read: records 100-199 (ORD")
    assert "ORD-00199" in found.text
    assert "overloaded" in found.missing[0].why
    assert (
        "[chunk 2 of 4: records 100-199]\n[ullage: not read, its records are missing" in texts[-1]
    )


def text_ask(seen: list[str]) -> "object":
    def ask(messages: list[dict[str, str]]) -> str:
        seen.append(messages[0]["content"])
        return f"answer {len(seen)}"

    return ask


def read_here(data: object, seen: list[str], **more: object) -> Chunked:
    options = {"instruction": "Look.", "budget": chars(4_000), "reserve": 500, **more}
    return read_in_chunks(data, text_ask(seen), **options)  # type: ignore[arg-type]  # options of tests


def data_of(text: str) -> str:
    return text.split("\n\n", 1)[1].rsplit("\n\n", 1)[0]


def test_every_chunk_of_a_csv_has_the_header() -> None:
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(["id", "note"])
    writer.writerows([f"r{n}", f'said "{n}"\non two lines'] for n in range(200))
    seen: list[str] = []

    found = read_here(out.getvalue(), seen)

    rows = [list(csv.reader(io.StringIO(data_of(text)))) for text in seen[: len(found.chunks)]]
    assert found.form == "csv"
    assert len(rows) > 3
    assert all(one[0] == ["id", "note"] for one in rows)
    assert [row[0] for one in rows for row in one[1:]] == [f"r{n}" for n in range(200)]


def test_every_chunk_of_a_markdown_table_has_its_header() -> None:
    table = "# Late orders\n\n| id | days |\n|---|---|\n"
    table += "\n".join(f"| O-{n} | {n} |" for n in range(400)) + "\n"
    seen: list[str] = []

    found = read_here(table, seen)

    with_rows = [text for text in seen[: len(found.chunks)] if "| O-" in text]
    assert found.form == "markdown"
    assert all("| id | days |\n|---|---|\n" in text for text in with_rows)
    assert found.proof.holds


def test_every_chunk_of_json_is_json_of_the_same_root() -> None:
    listing = {
        "host": "h1",
        "early_list": [{"id": n, "cmd": "x" * 40} for n in range(60)],
        "late_list": [{"id": n, "cpu": n} for n in range(200)],
    }
    seen: list[str] = []

    found = read_here(listing, seen)

    values = [json.loads(data_of(text)) for text in seen[: len(found.chunks)]]
    assert len(values) > 2
    for name in ("early_list", "late_list"):
        assert [row for one in values for row in one.get(name, [])] == listing[name]
    assert [one["host"] for one in values if "host" in one] == ["h1"]


def test_records_of_one_key_stay_in_one_chunk() -> None:
    rows = [{"id": n, "city": f"c{n % 7}", "note": "y" * 30} for n in range(140)]
    seen: list[str] = []

    found = read_here(rows, seen, by="city")

    where: dict[str, set[int]] = {}
    for number, text in enumerate(seen[: len(found.chunks)]):
        for row in json.loads(data_of(text)):
            where.setdefault(row["city"], set()).add(number)
    assert len(found.chunks) > 2
    assert {len(one) for one in where.values()} == {1}
    assert found.proof.holds


def test_a_key_whose_records_do_not_fit_into_one_chunk_is_told() -> None:
    rows = [{"id": n, "city": "one", "note": "y" * 30} for n in range(140)]

    found = read_here(rows, [], by="city")

    assert found.notes == ("city='one': 140 records do not fit into one chunk",)
    assert found.proof.holds


def test_a_key_that_no_record_has_is_refused() -> None:
    with pytest.raises(ValueError, match="by='town': no record has that key"):
        read_here([{"id": n, "note": "y" * 60} for n in range(100)], [], by="town")


def test_a_record_larger_than_a_chunk_is_cut_and_told() -> None:
    rows = [{"id": 1, "note": "a"}, {"id": 2, "note": "b" * 9_000}, {"id": 3, "note": "c"}]
    seen: list[str] = []

    found = read_here(rows, seen)

    assert not found.complete
    assert [one.cut for one in found.chunks] == [(), (1,), ()]
    assert "record 1 is larger than a chunk" in found.text
    assert found.proof.holds
    assert all(len(text) < 4_000 for text in seen)
    assert json.loads(data_of(seen[1]))


@pytest.mark.parametrize(
    "data",
    [
        "no line ends here, only words. " * 900,
        "x" * 9_000,
        "日本語の文章です。" * 900,
        "\n".join("one line. " * 400 for _ in range(5)),
    ],
)
def test_a_text_without_small_records_is_read_in_pieces_and_nothing_is_cut(data: str) -> None:
    seen: list[str] = []

    found = read_here(data, seen)

    assert found.complete
    assert found.proof.holds
    assert "are read in pieces" in found.notes[0]
    read = "".join(data_of(text) for text in seen[: len(found.chunks)])
    assert "".join(read.split()) == "".join(data.split())


@given(text=st.text(min_size=1, max_size=200), limit=st.integers(1, 50))
def test_pieces_of_a_text_are_within_the_limit_and_together_are_the_text(
    text: str, limit: int
) -> None:
    found = list(pieces_of(text, len, limit))

    assert "".join(found) == text
    assert all(len(one) <= max(limit, 1) for one in found)


def test_a_record_larger_than_a_chunk_is_refused_if_it_must_not_be_cut() -> None:
    with pytest.raises(HistoryError, match="record 0 takes"):
        read_here([{"note": "b" * 9_000}, {"note": "c"}], [], oversize="refuse")


def test_partial_results_that_do_not_fit_together_are_merged_in_levels() -> None:
    seen: list[str] = []

    def ask(messages: list[dict[str, str]]) -> str:
        seen.append(messages[0]["content"])
        return f"<{len(seen)}> " + "w" * 600

    rows = [{"id": n, "note": "y" * 100} for n in range(200)]
    found = read_in_chunks(rows, ask, instruction="Look.", budget=chars(4_000), reserve=500)

    assert max(one.level for one in found.merges) >= 2
    assert all(len(text) <= 3_500 for text in seen)
    assert not any(one.cut for one in found.merges)
    first = [label for one in found.merges if one.level == 1 for label in one.parts]
    assert first == [one.label for one in found.chunks][: len(first)]
    assert found.merges[-1].parts[0].startswith("[chunks 1-")
    assert found.complete


def test_a_partial_result_too_large_for_a_merge_is_cut_and_told() -> None:
    rows = [{"id": n, "note": "y" * 100} for n in range(40)]

    found = read_in_chunks(
        rows,
        lambda _: "\n".join(f"line {n}" for n in range(800)),
        instruction="Look.",
        budget=chars(4_000),
        reserve=500,
    )

    assert not found.complete
    assert "[ullage: cut in a merge request: [chunk 1 of" in found.text


def test_a_merge_that_fails_gives_back_every_partial_result() -> None:
    def ask(messages: list[dict[str, str]]) -> str:
        if "\n\n[chunk" in messages[0]["content"]:
            raise TimeoutError("too slow")
        return "part"

    found = read_here_with(ask)

    assert not found.complete
    assert "not merged: TimeoutError: too slow" in found.text
    assert all(f"{one.label}\npart" in found.text for one in found.chunks)


def read_here_with(ask: "object", **more: object) -> Chunked:
    rows = [{"id": n, "note": "y" * 100} for n in range(40)]
    options = {"instruction": "Look.", "budget": chars(4_000), "reserve": 500, **more}
    return read_in_chunks(rows, ask, **options)  # type: ignore[arg-type]  # options of tests


def test_a_function_may_merge() -> None:
    found = read_here_with(
        lambda _: "7", merge=lambda parts: str(sum(int(one.text) for one in parts))
    )

    assert found.answer == str(7 * len(found.chunks))
    assert found.cost.calls == len(found.chunks)


@pytest.mark.parametrize(
    ("answer", "why"), [("  ", "an empty answer"), (None, "NoneType was returned, not a text")]
)
def test_an_answer_without_a_text_is_none(answer: object, why: str) -> None:
    found = read_here_with(lambda _: answer)

    assert found.answer is None
    assert len(found.missing) == 40
    assert {one.why for one in found.missing} == {why}


def test_several_requests_at_a_time_keep_their_order() -> None:
    def ask(messages: list[dict[str, str]]) -> str:
        return messages[0]["content"].split("\n")[0]

    found = read_here_with(ask, workers=4)

    assert [one.answer for one in found.chunks] == [one.label for one in found.chunks]


def test_an_async_function_is_asked() -> None:
    async def ask(messages: list[dict[str, str]]) -> str:
        await asyncio.sleep(0)
        return messages[0]["content"].split("\n")[0]

    rows = [{"id": n, "note": "y" * 100} for n in range(40)]
    found = asyncio.run(
        read_in_chunks_async(
            rows, ask, instruction="Look.", budget=chars(4_000), reserve=500, workers=3
        )
    )

    assert [one.answer for one in found.chunks] == [one.label for one in found.chunks]
    assert found.complete


def test_an_interrupted_reading_goes_on_from_its_journal(tmp_path: Path) -> None:
    journal = tmp_path / "answers.jsonl"
    asked: list[str] = []

    def ask(messages: list[dict[str, str]]) -> str:
        asked.append(messages[0]["content"])
        if len(asked) == 3:
            raise KeyboardInterrupt
        return f"answer {len(asked)}"

    with pytest.raises(KeyboardInterrupt):
        read_here_with(ask, journal=journal)
    with journal.open("a") as file:
        file.write('{"request": "torn')
    found = read_here_with(ask, journal=journal)

    assert found.complete
    assert [one.resumed for one in found.chunks][:3] == [True, True, False]
    assert [one.answer for one in found.chunks][:2] == ["answer 1", "answer 2"]
    assert len(set(asked)) == len(asked) - 1  # only the one that was interrupted
    assert "ends early" in found.notes[0]
    assert journal.stat().st_mode & 0o077 == 0
    assert read_here_with(ask, journal=journal).cost.calls == 0


def test_two_hundred_orders_are_chunked_where_the_budget_is_half_the_window() -> None:
    """The same 200 orders are over 40 % of 64,000 tokens: the base decides, so it is named."""
    texts: list[str] = []
    options = {"instruction": "Count.", "reserve": RESERVE}

    small = read_in_chunks(orders(200), text_ask(texts), budget=64_000, **options)  # type: ignore[arg-type]  # options
    large = read_in_chunks(orders(200), text_ask(texts), budget=128_000, **options)  # type: ignore[arg-type]  # options

    assert (small.base.over, large.base.over) == (True, False)
    assert "40% of the usable budget 59904 (budget 64000 - reserve 4096)" in str(small.base)


NDJSON = "".join(f'{{"id":{n},"note":"{"z" * 40}"}}\n' for n in range(90))
XML = "<rows>\n" + "".join(f'  <row id="{n}">{"z" * 40}</row>\n' for n in range(90)) + "</rows>\n"
YAML = "".join(f"- id: {n}\n  note: {'z' * 40}\n" for n in range(90))


@pytest.mark.parametrize(
    ("form", "data", "records"),
    [
        ("ndjson", NDJSON, 90),
        ("lines", NDJSON + '{"id":90,"no', 91),
        ("xml", XML, 90),
        ("yaml", YAML, 90),
        ("json", f"```json\n{json.dumps([{'id': n, 'n': 'z' * 40} for n in range(90)])}\n```", 90),
        ("lines", "".join(f"{n} zzz\n" for n in range(400)), 400),
    ],
)
def test_each_format_is_read_in_whole_records(form: str, data: str, records: int) -> None:
    seen: list[str] = []

    found = read_here(data, seen)

    assert (found.form, found.proof.records, found.proof.holds) == (form, records, True)
    assert len(found.chunks) > 1


def test_data_within_its_share_goes_in_one_request_as_it_is() -> None:
    seen: list[str] = []

    found = read_here("id,n\na,1\nb,2\nc,3\n", seen)

    assert seen == ["id,n\na,1\nb,2\nc,3\n\n\nLook."]
    assert (found.cost.extra_calls, found.cost.extra_sent, found.proof.holds) == (0, 0, True)
    assert str(found.base) == (
        "data 17 <= 1400 characters: 40% of the usable budget 3500 (budget 4000 - reserve 500)"
    )


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"share": 0}, "a share of the usable budget"),
        ({"retries": -1}, "retries=-1: 0 or more"),
        ({"workers": 0}, "workers=0: 1 or more"),
        ({"size": 0}, "size=0: 1 or more"),
        ({"oversize": "drop"}, "choose 'cut' or 'refuse'"),
        ({"instruction": "i" * 4_000}, "there is no room for records"),
    ],
)
def test_wrong_arguments_are_refused(more: dict[str, object], words: str) -> None:
    with pytest.raises(ValueError, match=re.escape(words)):
        read_here("x", [], **more)


def test_a_log_keeps_its_traces_whole() -> None:
    trace = 'Traceback (most recent call last):\n  File "a.py", line 1\nValueError: no\n'
    log = "".join(
        f"2026-01-01 00:00:{n % 60:02d} INFO step {n}\n{trace * (n % 9 == 0)}" for n in range(300)
    )
    seen: list[str] = []

    found = read_here(log, seen)

    assert found.proof.holds
    assert all(text.count("Traceback") == text.count("ValueError: no") for text in seen)
    assert sum(text.count("INFO step") for text in seen) == 300


JSONS = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=6) | st.dictionaries(st.text(max_size=4), inner, max_size=6)
    ),
    max_leaves=30,
)


@given(value=JSONS)
def test_all_records_of_json_written_together_are_the_value(value: object) -> None:
    sheet = sheet_of(json.dumps(value))
    written = sheet.write(range(len(sheet.records)))

    assert json.loads(written.text) == value
    for position, (start, end) in written.places.items():
        assert written.text[start:end] == sheet.records[position]


@given(value=st.lists(JSONS, min_size=1, max_size=8), cut_at=st.integers(0, 8))
def test_two_halves_of_a_list_are_the_list(value: list[object], cut_at: int) -> None:
    sheet = sheet_of(json.dumps(value))
    halves = [range(min(cut_at, len(value))), range(min(cut_at, len(value)), len(value))]

    written = [json.loads(sheet.write(one).text) for one in halves]

    assert [*written[0], *written[1]] == value


@given(text=st.text(max_size=300))
def test_the_records_of_any_text_are_all_of_it(text: str) -> None:
    sheet = sheet_of(text)
    written = sheet.write(range(len(sheet.records))).text

    assert "".join(written.split()) == "".join(text.split())


@given(
    rows=st.lists(st.dictionaries(st.sampled_from("abc"), st.text(max_size=40)), max_size=60),
    budget=st.integers(1_200, 3_000),
    by=st.none() | st.sampled_from("abc"),
    broken=st.integers(0, 9),
)
def test_every_record_is_in_exactly_one_answered_request_or_named_as_missing(
    rows: list[dict[str, str]], budget: int, by: str | None, broken: int
) -> None:
    def ask(messages: list[dict[str, str]]) -> str:
        text = messages[0]["content"]
        if text.startswith(f"[chunk {broken} of ") and "\n\n[chunk" not in text:
            raise TimeoutError
        return "seen"

    more = {} if by is None or not any(by in row for row in rows) else {"by": by}
    found = read_in_chunks(
        rows,
        ask,
        instruction="Look.",
        budget=chars(budget),
        reserve=0,
        retries=0,
        **more,  # type: ignore[arg-type]  # options
    )

    missing = [one.position for one in found.missing]
    assert sorted(missing) == list(found.proof.never)
    assert found.proof.once + len(missing) == found.proof.records
    assert found.proof.more == ()
    assert found.complete == (
        not missing and found.answer is not None and not any(one.cut for one in found.chunks)
    )
    if found.base.over:
        assert found.proof.records == len(rows)
        assert sorted(at for one in found.chunks for at in one.positions) == list(range(len(rows)))
