"""Environments for the doctor to look in: real folders, real metadata, small packages."""

import textwrap
from collections.abc import Mapping
from pathlib import Path

from ullage.doctor.diagnosis import Diagnosis, Item
from ullage.doctor.environment import folders_of
from ullage.doctor.look import diagnose
from ullage.doctor.surroundings import Surroundings

SMOL = "MAX_LENGTH_TRUNCATE_CONTENT = 20000\n"


def environment(root: Path) -> Path:
    """Make the folders of a virtual environment; return its interpreter's path."""
    (root / "lib" / "python3.11" / "site-packages").mkdir(parents=True)
    (root / "bin").mkdir()
    (root / "bin" / "python").touch()
    (root / "pyvenv.cfg").write_text("home = /usr/bin\n", encoding="utf-8")
    return root / "bin" / "python"


def install(python: Path, name: str, version: str, files: Mapping[str, str]) -> Path:
    """Put a package into an environment; return the folder of packages."""
    (site,) = folders_of(python)
    info = site / f"{name.replace('-', '_')}-{version}.dist-info"
    info.mkdir()
    text = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
    (info / "METADATA").write_text(text, encoding="utf-8")
    for file, source in files.items():
        path = site / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(source), encoding="utf-8")
    return site


def look_in(
    python: Path, *, code: Path | None = None, variables: Mapping[str, str] | None = None
) -> Diagnosis:
    """Look at an environment, where its own folder is the user's and the project's too."""
    root = python.parent.parent
    around = Surroundings(environment=variables or {}, home=root, folder=root)
    return diagnose(folders_of(python), around, commands={}, code=code)


def item(found: Diagnosis, key: str) -> Item:
    """Return the one item of a setting."""
    (one,) = [one for one in found.items if one.key == key]
    return one
