"""Where packages are found, without starting an interpreter."""

from pathlib import Path

import pytest
from tests.doctor.site import environment, install

from ullage.doctor.environment import folders_of, packages
from ullage.errors import LoadError


def test_an_interpreter_its_folder_and_its_packages_name_one_environment(tmp_path: Path) -> None:
    python = environment(tmp_path)
    site = tmp_path / "lib" / "python3.11" / "site-packages"

    assert folders_of(python) == folders_of(tmp_path) == folders_of(site) == [site]


def test_the_interpreter_of_an_environment_is_not_followed_out_of_it(tmp_path: Path) -> None:
    python = environment(tmp_path / "env")
    python.unlink()
    (tmp_path / "base").touch()
    python.symlink_to(tmp_path / "base")

    assert folders_of(python)[0].is_relative_to(tmp_path / "env")


def test_a_folder_and_a_link_to_it_are_one(tmp_path: Path) -> None:
    python = environment(tmp_path)
    (tmp_path / "lib64").symlink_to("lib")

    assert len(folders_of(python)) == 1


def test_an_environment_that_sees_the_packages_of_the_system_is_read_with_them(
    tmp_path: Path,
) -> None:
    python = environment(tmp_path / "env")
    system = environment(tmp_path / "usr")
    text = f"home = {system.parent}\ninclude-system-site-packages = true\n"
    (tmp_path / "env" / "pyvenv.cfg").write_text(text, encoding="utf-8")

    assert len(folders_of(python)) == 2


@pytest.mark.parametrize(
    ("name", "said"), [("gone", "no such file"), ("empty", "no site-packages beside it")]
)
def test_a_place_without_packages_says_what_to_give(name: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()

    with pytest.raises(LoadError, match=said):
        folders_of(tmp_path / name)


def test_names_are_compared_as_registries_compare_them(tmp_path: Path) -> None:
    python = environment(tmp_path)
    install(python, "Agent_Framework.Core", "1.0", {})

    assert packages(folders_of(python))["agent-framework-core"].version == "1.0"


@pytest.mark.parametrize("text", [None, b"\n", b"Name: caf\xe9\n"])
def test_damaged_metadata_is_passed_over(text: bytes | None, tmp_path: Path) -> None:
    python = environment(tmp_path)
    site = install(python, "agno", "3.1.10", {})
    (site / "broken-1.0.dist-info").mkdir()
    if text is not None:
        (site / "broken-1.0.dist-info" / "METADATA").write_bytes(text)

    assert list(packages(folders_of(python))) == ["agno"]


def test_metadata_that_is_missing_is_passed_over_where_the_backport_is_loaded(
    tmp_path: Path,
) -> None:
    pytest.importorskip("importlib_metadata")  # it takes the place of the standard library's finder
    python = environment(tmp_path)
    site = install(python, "agno", "3.1.10", {})
    (site / "broken-1.0.dist-info").mkdir()

    assert list(packages(folders_of(python))) == ["agno"]


def test_a_package_that_is_worked_on_is_found_in_its_own_folder(tmp_path: Path) -> None:
    python = environment(tmp_path / "env")
    site = install(python, "agno", "3.1.10", {})
    (tmp_path / "src").mkdir()
    lines = f"# ours\nimport {'x' * 5000}\n{tmp_path / 'src'}\n{tmp_path / 'gone'}\n"
    (site / "agno.pth").write_text(lines, encoding="utf-8")

    assert packages([site])["agno"].folders == [site, tmp_path / "src"]
