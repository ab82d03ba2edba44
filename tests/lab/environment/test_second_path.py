"""Whether a quiet culprit can be told from delivered text: by its name, and by anything else."""

import json
import random
from collections.abc import Iterator
from functools import cache

import pytest
from tests.lab.environment.made import generated, indexed

from ullage.arrivals.second_path import Given
from ullage.lab.environment.decoder import Case, at_least, decode
from ullage.lab.environment.generate import Generated, generate
from ullage.lab.environment.parameters import Fault, Kind, cohort
from ullage.lab.environment.second_path import Identity, carried, outside
from ullage.lab.environment.threads import index
from ullage.lab.environment.tools import call
from ullage.lab.environment.truth import candidates, culprit_of

BUDGET = 6_000
RANKED: dict[str, object] = {
    "source": "events",
    "group": ["pid", "comm"],
    "aggregate": {"count": "sum", "share": "sum"},
}


def queries() -> Iterator[tuple[str, dict[str, object]]]:
    """What an agent asks that knows no pid yet."""
    yield "list_containers", {}
    yield "timeline", {}
    for column in ("count", "share", "pid", "comm"):
        for descending in (True, False):
            sort = [{"column": column, "descending": descending}]
            yield "compute", {**RANKED, "sort": sort}
    yield "compute", {"source": "events", "group": ["comm"], "aggregate": {"count": "sum"}}
    yield "compute", {"source": "events", "group": ["event"], "aggregate": {"count": "sum"}}


@cache
def delivered(made: Generated) -> tuple[Given, ...]:
    """The first characters of every answer: the prefix slice."""
    whole = indexed(made)
    return tuple(
        Given(
            number=number,
            tool=tool,
            text=json.dumps(call(whole, tool, arguments), separators=(",", ":"))[:BUDGET],
            arguments=json.dumps(arguments),
        )
        for number, (tool, arguments) in enumerate(queries())
    )


@cache
def quiet(kind: Kind, fault: Fault) -> tuple[Generated, ...]:
    """A cohort's recordings whose culprit a prefix does not reach."""
    found = cohort(kind, "quiet", recordings=10, rng=random.Random(8), fault=fault)
    rng = random.Random(9)
    return tuple(generate(one, rng) for one in found if one.position >= 34)


def case(made: Generated, extra: str = "") -> Case:
    culprit = culprit_of(made)
    assert culprit is not None
    texts = tuple(one.text for one in delivered(made))
    return Case(texts=(*texts, extra), candidates=candidates(made), culprit=culprit)


FIELDS = [("resident", "late_list", "cpu_quota"), ("spawned", "early_list", "io")]


@pytest.mark.parametrize(("kind", "field", "fault"), FIELDS)
def test_a_quiet_culprit_stands_in_no_delivered_text(kind: Kind, field: str, fault: Fault) -> None:
    assert len(quiet(kind, fault)) == 5
    for made in quiet(kind, fault):
        mine = candidates(made)[culprit_of(made) or 0]
        assert carried(mine, delivered(made), field=field) == []


@pytest.mark.parametrize(("kind", "field", "fault"), FIELDS)
def test_no_decoder_tells_a_quiet_culprit_from_its_peers(
    kind: Kind, field: str, fault: Fault
) -> None:
    found = decode([case(made) for made in quiet(kind, fault)])

    assert found.verdict == "at chance", found.leaks


def test_a_loud_culprit_has_a_second_path() -> None:
    made = generated("resident", "loud")
    mine = candidates(made)[culprit_of(made) or 0]

    found = carried(mine, delivered(made), field="late_list")

    assert {(one.tool, one.token) for one in found} == {("compute", str(made.deployment.focus.pid))}


MINE = Identity(container="cart-7f3a", ns=4_026_532_013, pids=(11_013, 11_014))


@pytest.mark.parametrize(
    ("leak", "token"),
    [
        ("see cart-7f3a", "cart-7f3a"),
        ('{"pid":11013}', "11013"),
        ('{"tid":11014}', "11014"),
        ("ns 4026532013", "4026532013"),
        ("a3f7-trac", "cart-7f3a"),
        ("CART-7F3A", "cart-7f3a"),
        ("c a r t - 7 f 3 a", "cart-7f3a"),
        ("Y2FydC03ZjNh", "cart-7f3a"),
        ("636172742d37663361", "cart-7f3a"),
        ("pid 0x2b05", "11013"),
    ],
)
def test_a_planted_name_is_found_however_it_is_spelled(leak: str, token: str) -> None:
    given = [
        Given(number=1, tool="timeline", text="nothing"),
        Given(number=2, tool="compute", text=leak),
    ]

    found = carried(MINE, given, field="late_list")

    assert {(one.result, one.token) for one in found} == {(2, token)}


@pytest.mark.parametrize("text", ["110130", "11013.5", "my-cart-7f3a", "cart-7f3ab", "0x2b051"])
def test_a_part_of_another_word_is_no_name(text: str) -> None:
    assert carried(MINE, [Given(number=1, tool="compute", text=text)], field="late_list") == []


def test_an_answer_that_repeats_the_question_is_no_second_path() -> None:
    echo = Given(number=1, tool="thread_states", text='{"pid":11013}', arguments='{"pid":11013}')

    assert carried(MINE, [echo], field="late_list") == []


LISTING = '{"early_list":[{"container":"a"}],"late_list":[{"container":"cart-7f3a"}],"total":2}'


@pytest.mark.parametrize(
    "text",
    [
        LISTING,
        LISTING[:60],
        LISTING.replace('"', "'"),
        LISTING.replace('"', '\\"'),
        '{"late_list":[{"container":"cart-7f3a"}],"early_list":[{"container":"a"}]}',
    ],
    ids=["whole", "cut", "repr", "encoded twice", "reversed"],
)
def test_only_the_field_under_test_may_carry_a_culprit(text: str) -> None:
    given = [Given(number=1, tool="list_containers", text=text)]

    assert carried(MINE, given, field="late_list") == []
    assert '"a"' in outside(given[0], "late_list").text.replace("'", '"').replace("\\", "")
    wanted = "cart-7f3a" in text
    assert bool(carried(MINE, given, field="early_list")) == wanted


def planted(leak: str) -> list[Case]:
    """Five cases that carry a leak: `culprit` is put in by its rank, its pid, its length."""
    found = []
    for made in quiet("resident", "cpu_quota"):
        at = culprit_of(made) or 0
        mine = candidates(made)[at]
        kinds = {
            "name": mine.container,
            "half a name": f"a service of {mine.container.split('-')[0]}",
            "a number nearby": f"after {mine.pids[0] - 1}",
            "everybody else": " ".join(one.container for one in candidates(made) if one != mine),
            "nothing": "",
        }
        found.append(case(made, kinds[leak]))
    return found


@pytest.mark.parametrize("leak", ["name", "half a name", "a number nearby", "everybody else"])
def test_a_planted_leak_is_found_by_a_decoder(leak: str) -> None:
    found = decode(planted(leak))

    assert found.verdict == "leaks"
    assert max(one.hits for one in found.leaks) == 5


def made_cases(count: int, culprit: str) -> list[Case]:
    """Cases of five candidates without any text that names them."""
    rng = random.Random(3)
    found = []
    for _ in range(count):
        spaces = rng.sample(range(1000), 5)
        people = tuple(
            Identity(container=f"x-{ns:04}", ns=ns, pids=(rng.randrange(10_000, 99_999),))
            for ns in spaces
        )
        order = sorted(people, key=lambda one: one.ns)
        wanted = {"first": order[0], "any": rng.choice(people), "length": rng.choice(people)}
        mine = wanted[culprit]
        length = order.index(mine) if culprit == "length" else rng.randrange(5)
        text = "z" * (1000 + 100 * length + rng.randrange(10))
        found.append(Case(texts=(text,), candidates=people, culprit=people.index(mine)))
    return found


def test_a_generator_that_prefers_a_place_is_found() -> None:
    found = decode(made_cases(12, "first"))

    assert "least namespace" in {one.decoder for one in found.leaks}


def test_lengths_of_texts_that_tell_the_culprit_are_found() -> None:
    found = decode(made_cases(30, "length"))

    assert {one.decoder for one in found.leaks} == {"neighbour"}


def test_a_cohort_that_leaks_nothing_is_at_chance() -> None:
    found = decode(made_cases(30, "any"))

    assert found.verdict == "at chance"
    assert {one.chance for one in found.decoded} == {6.0}


def test_too_few_cases_are_never_at_chance() -> None:
    assert decode(made_cases(2, "any")).verdict == "too few cases"


def test_chance_is_exact() -> None:
    assert at_least([0.2] * 5, 5) == pytest.approx(0.2**5)
    assert at_least([0.5, 0.25], 1) == pytest.approx(1 - 0.5 * 0.75)
    assert at_least([0.2] * 5, 0) == pytest.approx(1)


@pytest.mark.parametrize(
    ("cases", "words"),
    [
        ([], "without cases"),
        ([Case(texts=("",), candidates=(MINE,), culprit=0)], "culprit 0 of 1 candidates"),
        ([Case(texts=("",), candidates=(MINE, MINE), culprit=2)], "culprit 2 of 2 candidates"),
    ],
)
def test_a_cohort_that_cannot_be_decoded_is_refused(cases: list[Case], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        decode(cases)


def test_a_recording_is_indexed_alike_each_time() -> None:
    made = generated()

    assert index(made.recording) == indexed(made)
