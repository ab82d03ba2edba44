"""What happens at the start of a Python that is to be recorded, in processes of their own."""

import os
import subprocess
import sys
import textwrap
from collections.abc import Mapping
from pathlib import Path

import pytest

from ullage import Ledger
from ullage.tap.auto import STARTUP

pytestmark = pytest.mark.slow

# A module with the choke point of MCP's client, as that package has it.
CLIENT = """
    class Text:
        type = "text"
        def __init__(self, text):
            self.text = text
    class Result:
        def __init__(self, text):
            self.content = [Text(text)]
    class ClientSession:
        async def call_tool(self, name, arguments=None):
            return Result(f"{name} of {arguments['city']}")
"""
PROGRAM = """
    import asyncio
    from mcp.client.session import ClientSession
    result = asyncio.run(ClientSession().call_tool("rows", {"city": "Kyoto"}))
    print(result.content[0].text)
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    package = tmp_path / "packages" / "mcp" / "client"
    package.mkdir(parents=True)
    for place in (package.parent, package):
        (place / "__init__.py").write_text("", encoding="utf-8")
    (package / "session.py").write_text(textwrap.dedent(CLIENT), encoding="utf-8")
    return tmp_path


def python(
    folder: Path,
    code: str,
    *options: str,
    executable: str = sys.executable,
    env: Mapping[str, str] | None = None,
) -> "subprocess.CompletedProcess[str]":
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("ULLAGE_", "PYTHON"))}
    path = os.pathsep.join([str(STARTUP), str(folder / "packages")])
    done = subprocess.run(
        [executable, *options, "-c", textwrap.dedent(code)],
        env={**clean, "PYTHONPATH": path, "ULLAGE_LEDGER": str(folder / "t.ledger"), **(env or {})},
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    return done


def test_a_framework_is_recorded_when_it_is_imported(folder: Path) -> None:
    done = python(folder, PROGRAM)

    assert (done.stdout, done.stderr) == ("rows of Kyoto\n", "")
    with Ledger.read(folder / "t.ledger") as opened:
        (one,) = opened.results("default")
    assert (one.tool, one.arguments, one.text) == ("rows", '{"city": "Kyoto"}', "rows of Kyoto")


def test_programs_that_the_program_starts_are_recorded_too(folder: Path) -> None:
    inner = textwrap.dedent(PROGRAM)
    code = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {inner!r}])"

    python(folder, code)

    with Ledger.read(folder / "t.ledger") as opened:
        assert opened.stats().tool_results == 1


def test_nothing_of_ullage_is_loaded_before_a_framework_is(folder: Path) -> None:
    done = python(folder, "import sys; print([n for n in sys.modules if n.startswith('ullage')])")

    assert done.stdout == "[]\n"


def test_without_a_ledger_nothing_is_put_in(folder: Path) -> None:
    code = "import sys; print([type(one).__name__ for one in sys.meta_path])"

    with_one, without = python(folder, code), python(folder, code, env={"ULLAGE_LEDGER": ""})

    assert "Finder" in with_one.stdout.replace("PathFinder", "")
    assert "'Finder'" not in without.stdout


def test_the_programs_own_sitecustomize_runs_and_the_path_is_its_own(folder: Path) -> None:
    (folder / "packages" / "sitecustomize.py").write_text("MINE = 1\n", encoding="utf-8")
    code = "import sys, sitecustomize; print(sitecustomize.MINE, sitecustomize.__file__, sys.path)"

    done = python(folder, code)

    assert done.stdout.startswith(f"1 {folder / 'packages' / 'sitecustomize.py'}")
    assert str(STARTUP) not in done.stdout


def test_an_error_in_the_programs_own_sitecustomize_is_said_as_python_says_it(folder: Path) -> None:
    (folder / "packages" / "sitecustomize.py").write_text("import not_there\n", encoding="utf-8")
    bare = {"PYTHONPATH": str(folder / "packages")}

    with_us, without = python(folder, "print(1)"), python(folder, "print(1)", env=bare)

    assert with_us.stdout == without.stdout == "1\n"
    assert "not_there" in without.stderr
    assert with_us.stderr == without.stderr


@pytest.mark.parametrize("option", ["-I", "-S", "-E", "-s", "-P", "-B", "-O"])
def test_the_programs_options_work_as_ever(folder: Path, option: str) -> None:
    done = python(folder, "print('fine')", option)

    assert (done.stdout, done.stderr) == ("fine\n", "")


def test_a_module_keeps_its_loader(folder: Path) -> None:
    code = """
        import mcp.client.session as module
        print(type(module.__loader__).__name__, module.__loader__ is module.__spec__.loader)
        print(module.__loader__.get_source(module.__name__).count("class "))
    """

    assert python(folder, code).stdout == "SourceFileLoader True\n3\n"


def test_a_python_without_ullage_says_so_once_and_goes_on(folder: Path) -> None:
    done = python(folder, PROGRAM, "-S")
    # With -S no site-packages: what the start-up does is done by hand.
    code = f"import sys; sys.path.insert(0, {str(STARTUP)!r}); import sitecustomize\n"
    without = python(folder, code + textwrap.dedent(PROGRAM), "-S")

    assert done.stdout == without.stdout == "rows of Kyoto\n"
    assert without.stderr.count("UserWarning") == 1
    assert "the tools of mcp are not recorded: ullage cannot be used in" in without.stderr
    assert "--tap off" in without.stderr


@pytest.mark.parametrize("options", [("-W", "error"), ("-W", "error", "-S")])
def test_a_program_that_raises_warnings_goes_on(folder: Path, options: tuple[str, ...]) -> None:
    session = folder / "packages" / "mcp" / "client" / "session.py"
    session.write_text("class ClientSession: ...\n", encoding="utf-8")
    code = f"import sys; sys.path.insert(0, {str(STARTUP)!r}); import sitecustomize\n"

    done = python(folder, f"{code}import mcp.client.session; print('fine')", *options)

    assert done.stdout == "fine\n"
    assert done.stderr.count("the tools of mcp are not recorded") == 1


def test_a_version_with_another_choke_point_says_so_once_and_goes_on(folder: Path) -> None:
    session = folder / "packages" / "mcp" / "client" / "session.py"
    session.write_text(
        "class ClientSession:\n    def call(self): return 'rows'\n", encoding="utf-8"
    )

    done = python(folder, "from mcp.client.session import *; print(ClientSession().call())")

    assert done.stdout == "rows\n"
    assert done.stderr.count("RecordingWarning") == 1
    assert "mcp.client.session has no function ClientSession.call_tool" in done.stderr
