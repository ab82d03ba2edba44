"""Where an environment keeps its packages, found by path: no interpreter is started."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import Distribution, distributions
from pathlib import Path

from ullage.errors import LoadError

# From the folder that holds `bin`: a virtual environment, Windows, Debian.
PLACES = (
    "lib/python3*/site-packages",
    "lib64/python3*/site-packages",
    "Lib/site-packages",
    "local/lib/python3*/dist-packages",
    "lib/python3/dist-packages",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Package:
    """An installed package: its name as registries compare names, and the folders to look in."""

    name: str
    version: str
    folders: Sequence[Path]


def folders_of(place: Path) -> list[Path]:
    """Return the folders that an environment's packages are in.

    `place` is its interpreter, its folder, or the folder of packages itself. Raises LoadError.
    """
    if not place.exists():
        raise LoadError(f"--python {place}: no such file: give an interpreter or its environment")
    # lib64 is a link to lib in many environments.
    found = list({one.resolve(): one for one in reversed([*packages_below(place)])}.values())[::-1]
    if not found:
        raise LoadError(
            f"--python {place}: no site-packages beside it: give the interpreter of an "
            "environment, such as .venv/bin/python"
        )
    return found


def packages_below(place: Path) -> Iterator[Path]:
    """Yield the folders of packages, and those that a virtual environment also sees."""
    if place.name in ("site-packages", "dist-packages"):
        yield place
        return
    # Not resolved: the interpreter of a virtual environment is a link out of it.
    root = place.absolute().parent.parent if place.is_file() else place.absolute()
    for pattern in PLACES:
        yield from sorted(root.glob(pattern))
    settings = virtual(root / "pyvenv.cfg")
    if settings.get("include-system-site-packages") == "true" and "home" in settings:
        yield from packages_below(Path(settings["home"]).parent)


def virtual(path: Path) -> dict[str, str]:
    """Return the settings of a virtual environment; nothing where there are none."""
    if not path.is_file():
        return {}
    pairs = [line.partition("=") for line in path.read_text(encoding="utf-8").splitlines()]
    return {key.strip(): value.strip() for key, _, value in pairs}


def packages(folders: Sequence[Path]) -> dict[str, Package]:
    """Return the installed packages by name; of two with one name, the first that is imported."""
    found: dict[str, Package] = {}
    places = [*folders, *linked(folders)]
    for one in distributions(path=[str(folder) for folder in folders]):
        name, version = named(one)
        if name and name not in found:
            found[name] = Package(name=name, version=version, folders=places)
    return found


def named(one: Distribution) -> tuple[str, str]:
    """Return a package's name, as registries compare names, and version; none of a damaged one."""
    try:
        told = one.metadata
    except (UnicodeDecodeError, FileNotFoundError):  # the latter where the backport is loaded
        return "", ""
    name, version = ([*(told.get_all(key) or ()), ""][0] for key in ("Name", "Version"))
    return re.sub(r"[-_.]+", "-", name).lower(), version


def linked(folders: Sequence[Path]) -> Iterator[Path]:
    """Yield the folders that `.pth` files add: packages that are installed to be worked on."""
    for folder in folders:
        for path in sorted(folder.glob("*.pth")):
            for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
                # An import line is code, longer than a path may be, and is not run.
                if line and not line.startswith(("#", "import ", "import\t")):
                    target = folder / line
                    if target.is_dir():
                        yield target
