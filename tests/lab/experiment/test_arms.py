"""Each arm differs from its neighbour in exactly one thing: in the data, and in what arrived."""

import json

import pytest
from tests.lab.experiment.ran import CLASSES, Ran, ran

from ullage.lab.experiment.arms import ARMS, FAULTS, SINGLE, arm
from ullage.lab.experiment.settings import CHOICES, Limits, Settings, differing

HEALTHY = CLASSES["healthy"]
LISTING = "list_containers"
SLICE = 6000


def test_a_single_fault_is_one_setting_away_from_repaired() -> None:
    away = {name: differing(ARMS[name], ARMS["repaired"]) for name in SINGLE}

    assert all(len(one) == 1 for one in away.values())
    assert {one[0] for one in away.values()} == set(FAULTS)


@pytest.mark.parametrize(
    ("one", "other"), [("order-only", "oracle"), ("budget-reversed", "budget")]
)
def test_a_reversed_arm_differs_in_the_order_alone(one: str, other: str) -> None:
    assert differing(ARMS[one], ARMS[other]) == ("order",)


def test_all_has_every_fault() -> None:
    assert differing(ARMS["all"], ARMS["repaired"]) == FAULTS
    assert ARMS["oracle"] == Settings()


def test_an_arm_that_there_is_none_of_is_named() -> None:
    with pytest.raises(ValueError, match="there is no arm 'oracel'; there are oracle, repaired"):
        arm("oracel")


@pytest.mark.parametrize("name", CHOICES)
def test_a_switch_that_has_no_such_position_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match=f"{name} is 'sometimes'; choose one of"):
        Settings(**{name: "sometimes"})  # type: ignore[arg-type]  # the wrong choice is the test


def test_a_limit_below_one_is_refused() -> None:
    with pytest.raises(ValueError, match="budget is 0; it must be 1 or more"):
        Limits(budget=0)


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Ran]:
    folder = tmp_path_factory.mktemp("arms")
    return {name: ran(folder, HEALTHY, settings) for name, settings in ARMS.items()}


def traits(one: Ran) -> dict[str, str]:
    """What a ledger shows at each boundary of a run: of its listing, its history, its hand-off."""
    made = next(each for each in one.recorded.made if each.tool == LISTING)
    produced, delivered = made.produced, made.delivered or ""
    first = min(
        (delivered.find(part), part) for part in ("early_list", "late_list") if part in delivered
    )
    roles = [body["messages"] for agent, body in one.bodies if agent == "investigate"]
    results = [sum(each["role"] == "tool" for each in messages) for messages in roles]
    bound = max(results) <= Limits().retained
    summarised = any(agent == "summariser" for agent, _ in one.bodies)
    decided = next(body for agent, body in one.bodies if agent == "decide")
    return {
        "serialise": "repr" if delivered.lstrip().startswith("{'") else "json",
        "order": "reversed" if first[1] == "late_list" else "as-is",
        "budget": budget_of(produced, delivered),
        "retain": "last" if bound else "all",
        "summarise": "loses" if summarised else "off",
        "handoff": "carried" if "hand-off to" in json.dumps(decided) else "lost",
    }


def budget_of(produced: str, delivered: str) -> str:
    if "read_result(" in delivered:
        return "spill"
    if "_ullage" in delivered:
        return "records"
    return "none" if len(delivered) >= len(produced) else "prefix"


@pytest.mark.parametrize("name", ARMS)
def test_a_ledger_shows_the_settings_of_its_arm_and_no_other(
    runs: dict[str, Ran], name: str
) -> None:
    wanted = {boundary: getattr(ARMS[name], boundary) for boundary in CHOICES}

    assert traits(runs[name]) == wanted


def test_a_prefix_is_the_first_characters_and_a_reversed_one_those_of_the_other_order(
    runs: dict[str, Ran],
) -> None:
    produced = next(one.produced for one in runs["budget"].recorded.made if one.tool == LISTING)
    reversed_order = json.dumps(
        dict(reversed(json.loads(produced).items())), separators=(",", ":"), ensure_ascii=False
    )

    assert runs["budget"].of(LISTING) == produced[:SLICE]
    assert runs["budget-reversed"].of(LISTING) == reversed_order[:SLICE]


def test_every_request_says_that_its_model_is_scripted(runs: dict[str, Ran]) -> None:
    assert {one for each in runs.values() for one in each.cohorts} == {"scripted"}


def test_the_faults_behind_the_listing_leave_the_listing_as_it_was(runs: dict[str, Ran]) -> None:
    later = {runs[name].of(LISTING) for name in ("repaired", "retain", "summarise", "handoff")}

    assert len(later) == 1
