"""`make reproduce`: its figures, that its sentences agree with its tables, and the model check."""

import asyncio
import json
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path

import pytest
from benchmarks.replay.model_check import (
    ARMS,
    Answered,
    Model,
    Question,
    answers_in,
    ask_all,
    judged,
    questions,
)
from benchmarks.replay.model_page import model_section
from benchmarks.replay.page import culprit_sentence, page, row
from benchmarks.replay.paper import RESULTS
from benchmarks.replay.reproduce import CASES, PAGE, main
from benchmarks.replay.week import Culprits, Week, week

from ullage.probe.request import ModelRequest
from ullage.probe.script import Refusal, Script, Turn
from ullage.probe.server import ScriptedModel, serving

SEED, FEW = 7, 60


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Week:
    return week(SEED, FEW, 3, tmp_path_factory.mktemp("week"))


@pytest.fixture(scope="module")
def small_page(small: Week) -> str:
    return page(small, "0.0", None)


def test_the_same_seed_writes_the_same_page(small_page: str, tmp_path: Path) -> None:
    again = page(week(SEED, FEW, 3, tmp_path), "0.0", None)
    other = page(week(SEED + 1, FEW, 3, tmp_path), "0.0", None)

    assert again == small_page != other


def test_the_first_days_show_the_mechanism(small: Week) -> None:
    prefix, records = (one.arrival for one in small.simulated)

    assert [part.delivered for part in prefix.parts] == [39, 0]
    assert prefix.valid is False
    assert all(part.delivered for part in records.parts)
    assert records.valid is True


def test_of_the_corpus_prefix_breaks_all_json_that_it_cuts_and_records_none(small: Week) -> None:
    prefix, records = (one.produced.counts for one in small.corpus.replayed.policies)

    assert prefix.results == FEW
    assert prefix.broken == small.corpus.json_over > 0
    assert records.broken == 0


def test_loud_culprits_have_a_second_path_and_quiet_ones_none(small: Week) -> None:
    ends = {
        one.loudness: (one.arrived, one.table, one.part, one.quiet)
        for one in small.culprits
        if one.policy == "prefix:6000"
    }

    assert ends == {"loud": (0, 3, 0, 0), "quiet": (0, 0, 0, 3), "other-part": (0, 0, 3, 0)}


def test_a_run_that_was_stopped_goes_on_to_the_same_page(small_page: str, tmp_path: Path) -> None:
    def stop(_done: int, _all: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        week(SEED, FEW, 3, tmp_path, stop)
    kept = json.loads((tmp_path / "shards" / "manifest.json").read_text(encoding="utf-8"))

    assert len(kept["shards"]) >= 1
    assert page(week(SEED, FEW, 3, tmp_path), "0.0", None) == small_page
    assert not (tmp_path / "shards").exists()


def rows(text: str, section: str) -> list[dict[str, str]]:
    """The rows of all tables of a section, by the names of their columns."""
    found: list[dict[str, str]] = []
    names: list[str] = []
    for line in text.split(f"## {section}")[1].split("\n## ")[0].splitlines():
        if not line.startswith("|"):
            names = []
        elif not names:
            names = cells(line)
        elif not set(line) <= set("|-"):
            found.append(dict(zip(names, cells(line), strict=True)))
    return found


def cells(line: str) -> list[str]:
    return [one.replace("`", "").strip() for one in line[1:-1].split(" | ")]


@pytest.fixture(params=["a small one", "the committed one"])
def any_page(request: pytest.FixtureRequest, small_page: str) -> str:
    return small_page if request.param == "a small one" else PAGE.read_text(encoding="utf-8")


def test_its_sentences_on_the_payload_agree_with_its_table(any_page: str) -> None:
    table = [one for one in rows(any_page, "Days 1 and 2") if one["what"].endswith("_list")]

    for one in table:
        (said,) = re.findall(f"(?m)^- `{one['policy']}` delivered .*$", any_page)
        path = one["what"]
        assert f"{one['arrived']} of {one['records produced']} records of `{path}`" in said
        assert ("Nothing at all" in said and path in said.split("Nothing at all")[1]) == (
            one["arrived"] == one["in part"] == "0"
        )


def test_its_sentences_on_the_corpus_agree_with_its_table(any_page: str) -> None:
    table = [one for one in rows(any_page, "Days 3 and 4") if "over budget" in one]

    assert len(table) == 2
    for one in table:
        (said,) = re.findall(f"(?m)^- `{one['policy']}` breaks .*$", any_page)
        broken, json_over = re.findall(r"\d+", one["broken"])
        told, cut = one["told of"].split(" of ")
        assert f"breaks {word(broken, json_over)} of the {json_over} JSON results" in said
        assert f"in {word(told, cut)} of the {cut} that it cuts" in said


def word(part: str, whole: str) -> str:
    return "none" if part == "0" else "every one" if part == whole else part


def test_its_two_rates_agree_with_its_table(any_page: str) -> None:
    table = [one for one in rows(any_page, "Days 3 and 4") if one.get("tool") == "thread_states"]

    for policy in ("prefix:6000", "records:6000"):
        (said,) = re.findall(f"(?m)^- `{policy}`, of the same payload .*$", any_page)
        for one in table:
            if f"`{one['part']}`" in said:
                assert (
                    f"`{one['part']}` arrived in {one[f'{policy}: calls with some']} calls, whole "
                    f"in {one[f'{policy}: calls with all']}, and with "
                    f"{one[f'{policy}: records']} of its records"
                ) in said
        assert len(re.findall(r"arrived in \d+ of \d+ calls", said)) == 2


def test_its_sentences_on_culprits_agree_with_its_table(any_page: str) -> None:
    for one in rows(any_page, "Day 5"):
        figures = Culprits(
            loudness=one["culprit"],  # type: ignore[arg-type]  # a word of the table
            policy=one["policy"],
            cases=int(one["cases"]),
            arrived=int(one["record arrived"]),
            table=int(one["in the table"]),
            part=int(one["in another part"]),
            quiet=int(one["quiet"]),
        )
        assert f"- {culprit_sentence(figures)}" in any_page.splitlines()


def test_what_is_lost_of_the_corpus_adds_up(any_page: str) -> None:
    table = {one["policy"]: one for one in rows(any_page, "Days 3 and 4") if "over budget" in one}

    for policy, one in table.items():
        (said,) = re.findall(f"(?m)^- `{policy}`: of .*$", any_page)
        lost, loud, quiet, untold, gone, again = map(int, re.findall(r"\d+", said)[1:])
        delivered, produced = map(int, one["characters"].split(" of "))
        assert lost == loud + quiet + untold == int(one["records lost"].split()[0])
        assert gone == produced - delivered
        assert again == quiet


def culprits_with(**figures: int) -> str:
    made = {"cases": 4, "arrived": 0, "table": 0, "part": 0, "quiet": 0} | figures
    return culprit_sentence(Culprits(loudness="loud", policy="p", **made))


def test_the_words_on_culprits_follow_the_figures() -> None:
    assert "arrived in every one of 4" in culprits_with(arrived=4)
    assert "a second path is there in every one" in culprits_with(table=3, part=1)
    assert "no second path is there in any" in culprits_with(quiet=4)
    assert "a second path is there in 1, none in 2" in culprits_with(arrived=1, part=1, quiet=2)


@pytest.mark.slow
def test_the_committed_page_is_what_the_command_finds_now(tmp_path: Path) -> None:
    now = page(week(SEED, RESULTS, CASES, tmp_path), version("ullage"), None)
    day_7 = "## Day 7"  # a model may have been asked

    assert PAGE.read_text(encoding="utf-8").split(day_7)[0] == now.split(day_7)[0], "make reproduce"


def test_without_a_model_the_last_day_is_said_to_be_skipped(small_page: str) -> None:
    assert "Skipped: no model was named." in small_page
    assert "cohort" not in small_page.lower()


# --- the model check, with a script in the place of a model


def reader(request: ModelRequest) -> Turn:
    """Name the container with the largest wait in what was delivered, if it is large at all."""
    found = re.findall(r'"container":"([^"]+)","wait_ms":(\d+)', request.last_user)
    container, wait = max(found, key=lambda one: int(one[1]))
    return Turn(text=json.dumps({"container": container if int(wait) > 10_000 else None}))


def guesser(_request: ModelRequest) -> Turn:
    """Name one whatever is asked."""
    return Turn(text='It must be {"container": "nowhere-99"}.')


def refuser(_request: ModelRequest) -> Turn:
    return Turn(refused=Refusal(status=400, kind="overflow", tokens=9, window=8))


@contextmanager
def served(script: Script) -> Iterator[tuple[ScriptedModel, Model]]:
    """A scripted model in a thread of its own."""
    scripted = ScriptedModel(default=script)
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    server = serving(scripted)
    try:
        url = asyncio.run_coroutine_threadsafe(server.__aenter__(), loop).result(10)
        yield scripted, Model(url=f"{url}/v1", name="scripted", timeout=20)
        closing = server.__aexit__(None, None, None)
        asyncio.run_coroutine_threadsafe(closing, loop).result(10)
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


def asked(each: int = 2) -> list[Question]:
    return list(questions(SEED, each))


def nothing() -> None:
    """Take no notice."""


def by_row(answers: list[Answered]) -> dict[tuple[str, str], set[str]]:
    found: dict[tuple[str, str], set[str]] = {}
    for one in answers:
        found.setdefault((one.place, one.arm), set()).add(one.said)
    return found


def test_every_arm_asks_of_the_same_listings_and_complete_holds_the_evidence() -> None:
    found = asked(3)

    for place in ("early", "late"):
        arms = [[one for one in found if (one.place, one.arm) == (place, arm)] for arm in ARMS]
        assert len({tuple((one.number, one.container) for one in each) for each in arms}) == 1
        assert all(one.evidence for one in arms[0])
        assert all(one.evidence == (place == "early") for one in arms[1])


def test_a_script_that_reads_answers_what_was_delivered_and_is_labelled(tmp_path: Path) -> None:
    with served(reader) as (_, model):
        answers = ask_all(asked(), model, tmp_path / "answers.jsonl", nothing)

    assert {one.cohort for one in answers} == {"scripted"}
    assert by_row(answers) == {
        ("early", "complete"): {"correct"},
        ("early", "prefix:6000"): {"correct"},
        ("early", "records:6000"): {"correct"},
        ("late", "complete"): {"correct"},
        ("late", "prefix:6000"): {"not there"},
        ("late", "records:6000"): {"correct"},
    }
    text = "\n".join(model_section(answers, "scripted"))
    assert "Cohort `scripted`" in text
    assert "not from a model" in text
    late = ("late in the listing", "`prefix:6000`", "0 of 2", "0 of 2", "0 % (0 to 66)", 0, 2, 0)
    assert row(*late) in text
    assert "Of 2 answers whose evidence was cut away, 0 named a wrong container" in text


def test_a_container_that_is_made_up_counts_as_wrong(tmp_path: Path) -> None:
    with served(guesser) as (_, model):
        answers = ask_all(asked(), model, tmp_path / "answers.jsonl", nothing)

    assert {one.said for one in answers} == {"wrong"}
    assert "Of 2 answers whose evidence was cut away, 2 named a wrong container" in "\n".join(
        model_section(answers, "scripted")
    )


def test_what_is_answered_is_not_asked_again(tmp_path: Path) -> None:
    kept, steps = tmp_path / "answers.jsonl", []
    with served(reader) as (scripted, model):
        first = ask_all(asked(1), model, kept, nothing)
        with kept.open("a", encoding="utf-8") as file:
            file.write('{"asked": "torn')  # a kill in the middle of a line
        again = ask_all(asked(2), model, kept, lambda: steps.append(1))

    assert len(first) == 6
    assert (len(again), len(scripted.asked), len(steps)) == (12, 12, 12)
    assert len(answers_in(kept)) == 12


def test_requests_that_fail_are_in_no_row_and_are_asked_again(tmp_path: Path) -> None:
    kept = tmp_path / "answers.jsonl"
    with served(refuser) as (_, model):
        answers = ask_all(asked(1), model, kept, nothing)
    text = "\n".join(model_section(answers, "scripted"))

    assert {(one.said, one.why) for one in answers} == {("failed", "status 400")}
    assert "6 of 6 requests failed and are in no row: status 400." in text
    assert "| 0 of 0 | n/a |" in text
    assert answers_in(kept) == {}


def test_a_server_that_is_not_there_is_a_failure_and_no_answer(tmp_path: Path) -> None:
    model = Model(url="http://127.0.0.1:9/v1", name="none", timeout=5)
    answers = ask_all(asked(1), model, tmp_path / "answers.jsonl", nothing)

    assert {(one.said, one.cohort) for one in answers} == {("failed", "external")}


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        ('{"container": "api-01"}', "correct"),
        ('So: ```json\n{"container":"api-01"}\n```', "correct"),
        ('{"container": "cart-06"} no, {"container": "api-01"}', "correct"),
        ('{"container": "cart-06"}', "wrong"),
        ('{"container": null}', "not there"),
        ("It is api-01.", "no answer"),
        ("{}", "no answer"),
        ("", "no answer"),
    ],
)
def test_the_last_object_of_a_reply_counts(reply: str, said: str) -> None:
    assert judged(reply, "api-01") == said


def test_the_command_writes_a_page_with_the_models_answers(tmp_path: Path) -> None:
    output = tmp_path / "page.md"
    with served(reader) as (_, model):
        main(
            f"--results {FEW} --cases 1 --questions 1 --model {model.url} --model-name tiny "
            f"--output {output} --work {tmp_path / 'work'}".split()
        )

    assert "Cohort `scripted`, model `tiny`." in output.read_text(encoding="utf-8")
