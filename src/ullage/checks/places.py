"""How a file is named in what leaves this machine: from a root, never by an absolute path."""

import os.path
from dataclasses import dataclass
from pathlib import PurePath

STDIN = "<stdin>"
"""What standard input is called, which lies in no folder."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Places:
    """The folder that names begin at, and the one that relative paths are meant from.

    `named` are folders to read: a file outside of the root is called by its path from the one it
    lies in. `root` and `folder` are absolute. No file is looked at: symbolic links are taken as
    they are written. `home` is the folder that a shell calls `~`.
    """

    root: str
    folder: str
    named: tuple[str, ...] = ()
    home: str | None = None

    def absolute(self, path: str) -> PurePath:
        """Return a path from the top of the file system; stdin is nowhere in it."""
        if path == STDIN:
            return PurePath(STDIN)
        return PurePath(os.path.normpath(os.path.join(self.folder, path)))  # noqa: PTH118

    def inside(self, path: str) -> str | None:
        """Return a path from the root, with `/` between its names; None for one outside of it."""
        return below(self.absolute(path), self.absolute(self.root))

    def name(self, path: str) -> str:
        """Return what a file is called on every machine: its path from a folder, or its name."""
        whole = self.absolute(path)
        from_named = (below(whole, self.absolute(one)) for one in self.named)
        return self.inside(path) or next(filter(None, from_named), whole.name)

    def shown(self, path: str) -> str:
        """Return how somebody in the folder would write a path: from there, else from `~`."""
        whole = self.absolute(path)
        near = below(whole, PurePath(self.folder))
        if near is not None:
            return near
        at_home = None if self.home is None else below(whole, PurePath(self.home))
        return path if at_home is None else f"~/{at_home}"


def below(path: PurePath, folder: PurePath) -> str | None:
    """Return a path from a folder, with `/` between its names; None for one outside of it."""
    return path.relative_to(folder).as_posix() if path.is_relative_to(folder) else None
