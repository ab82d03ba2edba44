"""The doctor's table against real packages: every value is found, and is what it was when read."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from ullage.doctor.entry import Framework, Setting
from ullage.doctor.environment import folders_of, packages
from ullage.doctor.examine import Reader, examine
from ullage.doctor.look import FRAMEWORKS
from ullage.doctor.surroundings import Surroundings

INSTALLED = packages(folders_of(Path(sys.prefix)))


def str_of(one: Framework | Setting) -> str:
    return one.key if isinstance(one, Setting) else one.distribution


def settings() -> Iterator[tuple[Framework, Setting]]:
    for one in FRAMEWORKS:
        for setting in one.settings:
            yield one, setting


@pytest.mark.parametrize(("framework", "setting"), [*settings()], ids=str_of)
def test_every_value_is_found_in_the_package(
    framework: Framework, setting: Setting, tmp_path: Path
) -> None:
    package = INSTALLED.get(framework.distribution)
    if package is None:
        pytest.skip(f"not installed: {framework.distribution} (make frameworks installs some)")
    around = Surroundings(environment={}, home=tmp_path, folder=tmp_path)

    found = {one.key: one for one in examine(framework, package, around, Reader())}

    if setting.loss == "none":
        assert setting.key not in found, "the safe default has changed"
        return
    values = found[setting.key].values
    assert [one.name for one in values if one.value is None] == []
    assert package.version != framework.version or all(one.value == one.known for one in values)
