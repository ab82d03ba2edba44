"""What runs come to where nothing is lost, and that nothing but what is delivered counts."""

import random
from pathlib import Path

import pytest
from tests.lab.environment.made import generated
from tests.lab.experiment.ran import CLASSES, ran

from ullage.lab.environment.naming import container_names
from ullage.lab.experiment.agents.style import STYLES
from ullage.lab.experiment.arms import ARMS

NAMES = tuple(container_names(random.Random(1), 21))
OTHERS = tuple(container_names(random.Random(2), 21))


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("name", CLASSES)
def test_the_oracle_solves_every_class(tmp_path: Path, name: str, style: str) -> None:
    done = ran(tmp_path, CLASSES[name], ARMS["oracle"], style=style)

    assert done.measures.correct
    assert (done.outcome.answer == "none") == (name == "healthy")
    assert (done.measures.cut, done.measures.wrong, done.measures.excluded) == (0, None, None)


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("name", CLASSES)
def test_the_order_of_parts_changes_nothing_where_nothing_is_cut(
    tmp_path: Path, name: str, style: str
) -> None:
    one, other = (
        ran(tmp_path, CLASSES[name], ARMS[arm], style=style) for arm in ("oracle", "order-only")
    )

    assert one.actions() == other.actions()
    assert one.measures == other.measures


@pytest.mark.parametrize("arm", ["oracle", "repaired", "budget", "all"])
def test_other_names_of_containers_change_the_names_alone(tmp_path: Path, arm: str) -> None:
    one, other = (
        ran(tmp_path, generated("spawned", "quiet", position=20, names=names), ARMS[arm])
        for names in (NAMES, OTHERS)
    )

    def renamed(text: str) -> str:
        for name, new in zip(NAMES, OTHERS, strict=True):
            text = text.replace(name, new)
        return text

    assert [(tool, renamed(asked)) for tool, asked in one.actions()] == other.actions()
    assert one.measures.chars_in == other.measures.chars_in


def test_the_same_seed_makes_the_same_run_and_another_one_another_order(tmp_path: Path) -> None:
    runs = {
        seed: ran(tmp_path, CLASSES["healthy"], ARMS["repaired"], seed=seed).actions()
        for seed in range(1, 5)
    }

    assert runs[1] == ran(tmp_path, CLASSES["healthy"], ARMS["repaired"], seed=1).actions()
    assert len({str(one) for one in runs.values()}) > 1


@pytest.mark.parametrize("arm", ["repaired", "budget"])
def test_neither_an_arms_name_nor_a_truth_file_changes_an_action(tmp_path: Path, arm: str) -> None:
    plain = ran(tmp_path, CLASSES["resident quiet"], ARMS[arm], tag=arm)
    beside = tmp_path / "beside"
    beside.mkdir()
    (beside / "truth.json").write_text('{"culprit": {"pid": 1}}', encoding="utf-8")

    other = "budget" if arm == "repaired" else "repaired"
    permuted = ran(beside, CLASSES["resident quiet"], ARMS[arm], tag=other)

    assert plain.actions() == permuted.actions()


def test_a_run_that_is_stopped_by_its_limit_says_so(tmp_path: Path) -> None:
    done = ran(tmp_path, CLASSES["healthy"], ARMS["retain"])

    assert done.outcome.investigated == "limit"
    (decided,) = [body for agent, body in done.bodies if agent == "decide"]
    assert "INCOMPLETE" in str(decided)
