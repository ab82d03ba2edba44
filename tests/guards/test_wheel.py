"""A wheel, built and installed elsewhere, works."""

import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The `bin` of a new environment that holds the wheel, and our dependencies behind it."""
    folder = tmp_path_factory.mktemp("wheel")
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
    subprocess.run(
        [*pip, "wheel", "--quiet", "--no-deps", "--no-build-isolation", "-w", folder, ROOT],
        check=True,
    )
    (wheel,) = folder.glob("ullage-*.whl")
    venv.create(folder / "env", with_pip=False)
    (site,) = (folder / "env").glob("lib/python*/site-packages")
    subprocess.run([*pip, "install", "--quiet", "--no-deps", "--target", site, wheel], check=True)
    # A path in a .pth file is appended, and the .pth files in it are not read: our editable
    # install cannot come first.
    (site / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    return folder / "env" / "bin"


def run(installed: Path, *words: str, text: str = "") -> str:
    done = subprocess.run(
        [installed / "python", *words],
        input=text,
        capture_output=True,
        text=True,
        check=True,
        cwd=installed,
    )
    return done.stdout


@pytest.mark.slow
def test_the_wheel_is_what_runs(installed: Path) -> None:
    where = run(installed, "-c", "import ullage; print(ullage.__file__)")

    assert where.startswith(str(installed.parent))


@pytest.mark.slow
def test_the_wheel_shows_its_help(installed: Path) -> None:
    assert "Usage: ullage" in run(installed, "-m", "ullage", "--help")


@pytest.mark.slow
def test_the_wheel_cuts(installed: Path) -> None:
    text = "[" + ",".join(map(str, range(500))) + "]"

    assert "of 500 records" in run(installed, "-m", "ullage", "cut", "--budget", "200", text=text)


@pytest.mark.slow
def test_the_wheel_tells_type_checkers_that_it_is_typed(installed: Path) -> None:
    where = run(installed, "-c", "import ullage; print(ullage.__file__)")

    assert Path(where.strip()).with_name("py.typed").exists()


@pytest.mark.slow
def test_the_wheel_holds_what_the_childs_python_runs_at_its_start(installed: Path) -> None:
    code = (
        "from ullage.tap.auto import STARTUP; print(sorted(p.name for p in STARTUP.glob('*.py')))"
    )

    assert "['_ullage_finder.py', 'sitecustomize.py']" in run(installed, "-c", code)


@pytest.mark.slow
def test_the_wheel_brings_its_pytest_plugin(installed: Path) -> None:
    assert "--ullage-report" in run(installed, "-m", "pytest", "--help")
