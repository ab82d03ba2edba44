"""Carry out the commands of a page, and write under them what they print; a test compares.

A block of `sh` prints the block of `text` that follows it at once. One that begins with
`# in another terminal` runs beside all that come after it. `export` holds for all of them.
"""

import os
import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[1]
BLOCK = re.compile(
    r"(?P<head>```sh\n(?P<commands>.*?)```)(?:\n\n```text\n(?P<printed>.*?)```)?",
    re.DOTALL,
)
BESIDE = "# in another terminal\n"
PORT = "8080"
OURS = ("OPENAI_", "ANTHROPIC_", "GEMINI_", "GOOGLE_", "ULLAGE_", "PYTHON")
SECONDS = 100


def carried_out(page: str) -> str:
    """Return a page with what its commands print now.

    Raises RuntimeError where a command fails, and where a server does not start.
    """
    with TemporaryDirectory() as name, workshop(Path(name).resolve()) as shell:
        return BLOCK.sub(shell.block, page)


class Shell:
    """Runs blocks in a folder, the page's port changed for one that is free."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.port = folder, free_port()
        self.exports: list[str] = []
        self.beside: list[subprocess.Popen[str]] = []

    def block(self, found: re.Match[str]) -> str:
        """Run one block; return it with what it prints."""
        commands = found["commands"]
        self.exports += [line for line in commands.splitlines() if line.startswith("export ")]
        if commands.startswith(BESIDE):
            self.start(commands)
            return found[0]
        done = subprocess.run(
            self.words(commands),
            cwd=self.folder,
            env=environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
            timeout=SECONDS,
        )
        if done.returncode != 0:
            raise RuntimeError(f"{commands}ended with {done.returncode}:\n{done.stdout}")
        if found["printed"] is None:
            return found[0]
        return f"{found['head']}\n\n```text\n{self.plain(done.stdout)}```"

    def start(self, commands: str) -> None:
        """Start a server, and wait for its first line."""
        server = subprocess.Popen(
            self.words(f"exec {commands.removeprefix(BESIDE)}"),
            cwd=self.folder,
            env=environment(),
            stdout=subprocess.PIPE,
            text=True,
        )
        self.beside.append(server)
        if server.stdout is None or not server.stdout.readline():
            raise RuntimeError(f"{commands}ended before it said anything")

    def words(self, commands: str) -> list[str]:
        """Return the command line of a shell that ends at the first command that fails."""
        text = "\n".join([*self.exports, commands]).replace(PORT, str(self.port))
        return ["bash", "-eo", "pipefail", "-c", text]

    def plain(self, printed: str) -> str:
        """Take out what differs from run to run: ports, folders, times."""
        text = printed.replace(f"127.0.0.1:{self.port}", f"127.0.0.1:{PORT}")
        text = re.sub(rf"127\.0\.0\.1:(?!{PORT}\b)\d+", "127.0.0.1:…", text)
        text = text.replace(str(self.folder), "…")
        text = re.sub(r"/\S*(?=/ullage/tap/auto/startup)", "…", text)
        return re.sub(r"\b\d\d:\d\d:\d\d\b", "hh:mm:ss", text)


@contextmanager
def workshop(folder: Path) -> Iterator[Shell]:
    """Give a shell in a folder that has the examples, and end what was started in it."""
    (folder / "examples").symlink_to(ROOT / "examples")
    shell = Shell(folder)
    try:
        yield shell
    finally:
        for one in shell.beside:
            one.terminate()
            one.communicate(timeout=10)


def environment() -> dict[str, str]:
    """Return the variables, without those that would change what is printed."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(OURS)}
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    return {**kept, "PATH": path, "COLUMNS": "200", "NO_COLOR": "1"}


def free_port() -> int:
    """Return a port of this machine that nobody listens on."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


if __name__ == "__main__":
    for name in sys.argv[1:]:
        Path(name).write_text(carried_out(Path(name).read_text("utf-8")), encoding="utf-8")
