"""A look at an environment: what is installed, what the user set, what the user's code asks for."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from ullage.doctor import node
from ullage.doctor.answers import settled
from ullage.doctor.code import Code, look
from ullage.doctor.diagnosis import Diagnosis, Installed, Item, Value
from ullage.doctor.entry import Framework
from ullage.doctor.environment import Package, packages
from ullage.doctor.examine import Reader, examine
from ullage.doctor.surroundings import Surroundings
from ullage.doctor.table import agents, clis, clouds, harnesses, langchain, microsoft, openai_agents
from ullage.transcript.words import Severity

FRAMEWORKS: Sequence[Framework] = (
    *langchain.FRAMEWORKS,
    *openai_agents.FRAMEWORKS,
    *microsoft.FRAMEWORKS,
    *agents.FRAMEWORKS,
    *clouds.FRAMEWORKS,
    *harnesses.FRAMEWORKS,
)
CLIS: Sequence[Framework] = clis.FRAMEWORKS
WORST: Sequence[Severity | None] = ("error", "warning", "note", None)


def diagnose(
    folders: Sequence[Path],
    around: Surroundings,
    *,
    commands: Mapping[str, Path],
    modules: Path | None = None,
    code: Path | None = None,
) -> Diagnosis:
    """Look at the packages in `folders`, the commands on the path, and a folder of programs.

    `commands` are the files of the coding CLIs that were found, by the name of their command;
    `modules` is a `node_modules` to look in as well. Raises LoadError.
    """
    found = packages(folders)
    reader = Reader()
    known = [(one, found[one.distribution]) for one in FRAMEWORKS if one.distribution in found]
    known += list(installed_clis(commands, modules))
    items = [item for one, package in known for item in examine(one, package, around, reader)]
    own = look(code, defaults(items)) if code else Code(files=0, items=[], decided=[], unread=[])
    return Diagnosis(
        looked_in=[str(one) for one in folders],
        packages=len(found),
        installed=[
            Installed(
                name=one.distribution,
                version=package.version,
                read_version=one.version,
                note=one.note,
            )
            for one, package in known
        ],
        items=worst_first([*own.items, *settled(items, own.decided)]),
        code=own.files if code else None,
        unread=own.unread,
    )


def installed_clis(
    commands: Mapping[str, Path], modules: Path | None
) -> Iterator[tuple[Framework, Package]]:
    """Yield the coding CLIs that are there, each with its package.

    A command whose package is not found, such as one binary, has no version and no files.
    """
    for one in CLIS:
        package = node.below(modules, one.distribution) if modules else None
        for command in one.commands:
            if package is None and command in commands:
                package = node.of_command(commands[command], [one.distribution])
                package = package or Package(name=one.distribution, version="", folders=[])
        if package is not None:
            yield one, package


def defaults(items: Sequence[Item]) -> dict[tuple[str, str], Value]:
    """Return the values of installed packages by setting and name."""
    return {(item.key, value.name): value for item in items for value in item.values}


def worst_first(items: Sequence[Item]) -> list[Item]:
    """Return items by how much they matter; the user's own code first among equals."""
    return sorted(items, key=lambda one: (WORST.index(one.severity), one.path is None))


def hits(item: Item, word: str) -> bool:
    """Whether an item is of this severity or above, or of this boundary."""
    if word in WORST:
        return item.severity is not None and WORST.index(item.severity) <= WORST.index(word)
    return item.boundary == word and item.standing == "on"
