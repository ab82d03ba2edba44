"""The recipes of coding CLIs: their settings, their scratch folders, their lines of the manifest.

The CLI is a script that tells how it was started, in the place of the real one.
"""

import json
import os
import subprocess
import sys
import threading
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, get_args

import pytest

from ullage.probe.case import Kind

PROBE = Path(__file__).parents[1] / "examples" / "probe"
SECTIONS: Mapping[str, Any] = {
    name: one
    for name, one in tomllib.loads((PROBE / "harnesses.toml").read_text(encoding="utf-8")).items()
    if one.get("kind") == "cli"
}
PROGRAMS = {
    "codex": "node_modules/@openai/codex-linux-x64/vendor/any/bin/codex",
    "gemini-cli": "node_modules/@google/gemini-cli/bundle/gemini.js",
    "opencode": "node_modules/opencode-linux-x64/bin/opencode",
    "pi": "node_modules/@mariozechner/pi-coding-agent/dist/cli.js",
    "qwen-code": "node_modules/@qwen-code/qwen-code/cli.js",
}
FAKE = f"""\
#!{sys.executable}
import json, os, pathlib, sys
said = sys.stdin.read()
home = pathlib.Path.home()
known = sorted(str(path.relative_to(home)) for path in home.rglob("*") if path.is_file())
(home / "session").write_text(said)
told = {{"said": said, "words": sys.argv[1:], "home": str(home), "folder": os.getcwd(),
         "files": known, "environment": dict(os.environ)}}
if "fail" in said:
    sys.exit("nothing works")
print(json.dumps(told))
"""


@dataclass
class Probe:
    """A probe that gives out one case, and what it was told."""

    prompts: list[str]
    variant: str = "default"
    given: bool = False
    answers: list[dict[str, str]] = field(default_factory=list)

    @contextmanager
    def served(self) -> Iterator[str]:
        probe = self

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, format: str, *args: Any) -> None:
                pass

            def reply(self, status: int, body: bytes) -> None:
                self.send_response(status)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def do_GET(self) -> None:
                if probe.given:
                    self.reply(204, b"")
                    return
                probe.given = True
                self.reply(200, json.dumps(probe.case(f"http://{self.headers['Host']}")).encode())

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                probe.answers.append(json.loads(body))
                self.reply(200, b"{}")

        with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            yield f"http://127.0.0.1:{server.server_port}"
            server.shutdown()

    def case(self, url: str) -> dict[str, object]:
        return {
            "tag": "a-case",
            "kind": "history",
            "variant": self.variant,
            "model": "gpt-4o",
            "returns": "text",
            "base_url": f"{url}/run/a-case/v1",
            "root_url": f"{url}/run/a-case",
            "prompts": self.prompts,
            "file": None,
            "window": None,
            "url": f"{url}/case/a-case",
        }


def executable(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(FAKE, encoding="utf-8")
    path.chmod(0o700)


def probed(name: str, probe: Probe, folder: Path, *, installed: bool = True) -> Path:
    """Run a recipe, with a home of the user's that must stay as it is; return that home."""
    home, kept = folder / "home", folder / "kept"
    home.mkdir()
    if installed:
        executable(kept / f"{name}-{SECTIONS[name]['version']}" / PROGRAMS[name])
    executable(folder / "bin" / "node")
    with probe.served() as url:
        subprocess.run(
            [sys.executable, str(PROBE / SECTIONS[name]["recipe"])],
            env={
                "HOME": str(home),
                "PATH": f"{folder / 'bin'}:{os.environ['PATH']}",
                "OPENAI_API_KEY": "of-the-user",
                "ULLAGE_CLI_CACHE": str(kept),
                "ULLAGE_PROBE_WORKER": f"{url}/worker/a",
            },
            check=True,
            timeout=60,
        )
    return home


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_recipe_leaves_your_home_alone_and_hands_none_of_your_keys_on(
    name: str, tmp_path: Path
) -> None:
    probe = Probe(prompts=["hello"])

    home = probed(name, probe, tmp_path)

    told = json.loads(probe.answers[0]["answer"])
    assert [*home.iterdir()] == []
    assert told["home"] != str(home)
    assert "of-the-user" not in told["environment"].values()


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_recipe_takes_its_scratch_folders_away(name: str, tmp_path: Path) -> None:
    probe = Probe(prompts=["hello"])

    probed(name, probe, tmp_path)

    told = json.loads(probe.answers[0]["answer"])
    assert not Path(told["home"]).exists()
    assert not Path(told["folder"]).exists()
    assert not Path(told["environment"]["TMPDIR"]).exists()


@pytest.mark.parametrize("name", PROGRAMS)
def test_each_prompt_is_a_process_that_goes_on_with_the_session(name: str, tmp_path: Path) -> None:
    probe = Probe(prompts=["the first", "the second"])

    probed(name, probe, tmp_path)

    first, second = (json.loads(one["answer"]) for one in probe.answers)
    assert [first["said"], second["said"]] == ["the first", "the second"]
    assert first["home"] == second["home"]
    assert "session" in second["files"]
    more = " ".join(second["words"]).replace(" ".join(first["words"]), "")
    assert any(word in " ".join(second["words"]) for word in ("--continue", "resume"))
    assert more


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_cli_that_fails_is_reported_with_its_own_words(name: str, tmp_path: Path) -> None:
    probe = Probe(prompts=["fail"])

    probed(name, probe, tmp_path)

    assert probe.answers == [{"error": f"RuntimeError: {name} ended with 1: nothing works"}]


def test_a_cli_that_is_not_installed_is_named_with_what_installs_it(tmp_path: Path) -> None:
    probe = Probe(prompts=["hello"])

    probed("pi", probe, tmp_path, installed=False)

    (told,) = probe.answers
    assert f"pi {SECTIONS['pi']['version']} is not in" in told["error"]
    assert "running.py install pi" in told["error"]


def test_the_manifest_names_every_recipe_of_a_cli() -> None:
    assert sorted(SECTIONS) == sorted(PROGRAMS)
    assert {one["recipe"] for one in SECTIONS.values()} == {
        f"clis/{path.name}" for path in (PROBE / "clis").glob("*_cli.py")
    }


@pytest.mark.parametrize("name", SECTIONS)
def test_a_section_and_its_lock_file_name_the_same_version(name: str) -> None:
    section = SECTIONS[name]
    lock = PROBE / section["lock"]
    wanted = json.loads((lock / "package.json").read_text(encoding="utf-8"))
    locked = json.loads((lock / "package-lock.json").read_text(encoding="utf-8"))

    assert wanted["dependencies"] == {section["package"]: section["version"]}
    found = locked["packages"][f"node_modules/{section['package']}"]
    assert found["version"] == section["version"]


@pytest.mark.parametrize("name", SECTIONS)
def test_a_lock_file_names_no_registry(name: str) -> None:
    lock = (PROBE / SECTIONS[name]["lock"] / "package-lock.json").read_text(encoding="utf-8")

    assert '"resolved"' not in lock
    assert "integrity" in lock


@pytest.mark.parametrize("name", SECTIONS)
def test_a_section_has_what_a_survey_needs(name: str) -> None:
    section = SECTIONS[name]

    assert section["protocol"] in ("openai-chat", "openai-responses", "anthropic", "gemini")
    assert section["style"] == "tools"
    variants = section["variants"]
    assert "default" in variants
    assert "opt_in" not in variants["default"]
    assert sum(one.get("best", False) for one in variants.values()) == 1
    for variant in variants.values():
        assert set(variant["cases"]) <= set(get_args(Kind))
        assert variant.get("source") or variant.get("note")
