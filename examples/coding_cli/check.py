"""A real coding CLI whose tool is an MCP server, recorded from both sides; no key and no model.

    python examples/coding_cli/check.py            # opencode must be installed already
    python examples/coding_cli/check.py --install  # from its npm package, into a cache folder

The model is `ullage probe serve`: it asks for one tool once, then ends. The CLI, the MCP client in
it, the MCP server, the tap, the proxy and the measurement are the real ones.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

VERSION = "1.18.33"
SERVER = Path(__file__).with_name("rows_server.py")
ULLAGE = [sys.executable, "-m", "ullage"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A tool call that the model asks for."""

    name: str
    tool: str
    count: int


CASES = (
    Case(name="fits", tool="listing", count=255),
    Case(name="cut-lines", tool="structured", count=3000),
    Case(name="cut-one-line", tool="listing", count=6000),
)


def cache() -> Path:
    """Return where CLIs are kept: outside of this checkout."""
    return Path(
        os.environ.get("ULLAGE_CLI_CACHE")
        or Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "ullage-clis"
    )


def opencode() -> Path | None:
    """Return the CLI's command; None where it is not installed.

    The one in the package for this platform: the other is put together by an install script, which
    is not run here.
    """
    found = (cache() / f"opencode-{VERSION}" / "node_modules").glob("opencode-*/bin/opencode")
    return min(found, key=lambda path: len(path.parts[-3]), default=None)


def install() -> None:
    """Install the CLI from its npm package; about 360 MB."""
    npm = shutil.which("npm")
    if npm is None:
        sys.exit("npm is not here: install Node.js (Debian: apt-get install npm)")
    folder = cache() / f"opencode-{VERSION}"
    folder.mkdir(parents=True, exist_ok=True)
    words = [npm, "install", "--prefix", str(folder), "--no-audit", "--no-fund", "--ignore-scripts"]
    subprocess.run([*words, f"opencode-ai@{VERSION}"], check=True)


@contextmanager
def scripted_model(case: Case, folder: Path) -> Iterator[str]:
    """Serve a model that asks for one tool once; give its base URL."""
    plan = folder / "plan.json"
    call = {"name": f"rows_{case.tool}", "arguments": {"count": case.count}}
    plan.write_text(json.dumps({"turns": [{"calls": [call]}, {"text": "done"}]}), encoding="utf-8")
    words = [*ULLAGE, "probe", "serve", "--plan", str(plan)]
    with subprocess.Popen(words, stderr=subprocess.PIPE, text=True) as server:
        assert server.stderr is not None
        try:
            yield server.stderr.readline().split(" listening on ")[1].split()[0]
        finally:
            server.terminate()


def settings(base_url: str) -> dict[str, object]:
    """Return opencode's settings: the scripted model, and the server behind `ullage tap`."""
    tapped = [*ULLAGE, "tap", "--name", "rows", "--", sys.executable, str(SERVER)]
    model = {"name": "scripted", "limit": {"context": 128_000, "output": 4096}}
    return {
        "autoupdate": False,
        "share": "disabled",
        "permission": {"*": "allow"},
        "provider": {
            "scripted": {
                "npm": "@ai-sdk/openai-compatible",
                "name": "scripted",
                "options": {"baseURL": base_url, "apiKey": "none"},
                "models": {"gpt-4o": model},
            }
        },
        "mcp": {"rows": {"type": "local", "enabled": True, "command": tapped}},
    }


def run(case: Case, command: Path, folder: Path) -> tuple[Mapping[str, object], str]:
    """Run the CLI under `ullage run` in a scratch folder; return the report and what was said."""
    for name in ("home", "work"):
        (folder / name).mkdir(parents=True)
    work, output = folder / "work", folder / "loss.json"
    with scripted_model(case, folder) as base_url:
        (work / "opencode.json").write_text(json.dumps(settings(base_url)), encoding="utf-8")
        ours = [*ULLAGE, "run", "--ledger", str(folder / "a.ledger"), "--run", case.name]
        words = [str(command), "run", "-m", "scripted/gpt-4o", "List the rows."]
        done = subprocess.run(
            [*ours, "--output", str(output), "--", *words],
            cwd=work,
            # A home of its own: neither your settings nor your sessions are touched.
            env={"HOME": str(folder / "home"), "PATH": os.environ["PATH"], "TERM": "dumb"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=300,
        )
    if done.returncode != 0:
        sys.exit(f"{case.name}: ended with {done.returncode}\n{done.stderr}")
    report: Mapping[str, object] = json.loads(output.read_text(encoding="utf-8"))
    return report, done.stderr


def main() -> None:
    """Run every case and print its report."""
    if "--install" in sys.argv and opencode() is None:
        install()
    command = opencode()
    if command is None:
        sys.exit(f"opencode {VERSION} is not in {cache()}: run this with --install")
    with tempfile.TemporaryDirectory() as folder:
        for case in CASES:
            print(f"\n== {case.name}: {case.tool}(count={case.count})")
            print(run(case, command, Path(folder) / case.name)[1])


if __name__ == "__main__":
    main()
