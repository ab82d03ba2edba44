"""What each coding CLI needs, from its own settings."""

import json
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ullage.tap.clis.recipe import Recipe, Surroundings
from ullage.tap.clis.settings import json_settings, option
from ullage.tap.clis.table import CLIS, recipe_for

OURS = "http://127.0.0.1:9/run/r"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "home").mkdir()
    (tmp_path / "work").mkdir()
    return tmp_path / "home"


def write(path: Path, content: object) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    text = content if isinstance(content, str) else json.dumps(content)
    path.write_text(text, encoding="utf-8")
    return path


def known(home: Path, words: Sequence[str], **environment: str) -> Recipe:
    found = recipe_for(
        Surroundings(words=words, environment=environment, home=home, folder=home.parent / "work")
    )
    assert found is not None
    return found


def urls(recipe: Recipe) -> dict[str, str]:
    return {one.name: one.url for one in recipe.endpoints}


def setup(recipe: Recipe) -> Any:
    return recipe.setup({one.name: OURS for one in recipe.endpoints})


@pytest.mark.parametrize("word", ["claude", "/usr/local/bin/claude", "claude.exe", "claude.cmd"])
def test_a_cli_is_known_by_its_name(home: Path, word: str) -> None:
    assert urls(known(home, [word])) == {"ANTHROPIC_BASE_URL": "https://api.anthropic.com"}


@pytest.mark.parametrize("word", ["python", "./my-claude", "claudette", "env"])
def test_any_other_command_is_not(home: Path, word: str) -> None:
    where = Surroundings(words=[word], environment={}, home=home, folder=home)

    assert recipe_for(where) is None


@pytest.mark.parametrize("name", sorted(CLIS))
def test_without_settings_every_cli_asks_its_public_address(home: Path, name: str) -> None:
    recipe = known(home, [name], OPENAI_API_KEY="x")

    assert urls(recipe)
    assert all(url.startswith("https://") for url in urls(recipe).values())
    assert {one.found_in for one in recipe.endpoints} == {"the provider's public address"}


# Claude Code


def test_tool_search_is_switched_on_again_for_claude(home: Path) -> None:
    assert setup(known(home, ["claude"])).variables == {
        "ANTHROPIC_BASE_URL": OURS,
        "ENABLE_TOOL_SEARCH": "true",
    }


def test_a_choice_about_tool_search_is_left_alone(home: Path) -> None:
    recipe = known(home, ["claude"], ENABLE_TOOL_SEARCH="auto:5")

    assert setup(recipe).variables == {"ANTHROPIC_BASE_URL": OURS}


def test_an_address_in_claudes_settings_is_found_and_overruled(home: Path) -> None:
    path = write(
        home / ".claude" / "settings.json", {"env": {"ANTHROPIC_BASE_URL": "https://gate.test"}}
    )
    recipe = known(home, ["claude"], ANTHROPIC_BASE_URL="https://other.test")

    (one,) = recipe.endpoints
    assert (one.url, one.found_in) == ("https://gate.test", str(path))
    flag, value = setup(recipe).arguments
    assert flag == "--settings"
    assert json.loads(value) == {"env": {"ANTHROPIC_BASE_URL": OURS}}


def test_a_settings_flag_of_yours_is_not_doubled_but_said(home: Path) -> None:
    write(home / ".claude" / "settings.json", {"env": {"ANTHROPIC_BASE_URL": "https://gate.test"}})
    recipe = known(home, ["claude", "--settings", "mine.json"])

    assert recipe.endpoints == ()
    assert "your --settings" in recipe.notes[-1]


def test_claude_on_another_cloud_is_said(home: Path) -> None:
    recipe = known(home, ["claude"], CLAUDE_CODE_USE_BEDROCK="1")

    assert (urls(recipe), len(recipe.notes)) == ({}, 1)


# Codex


def test_codex_gets_its_address_as_a_setting_that_is_toml(home: Path) -> None:
    flag, value = setup(known(home, ["codex", "exec"])).arguments

    assert flag == "-c"
    assert tomllib.loads(value) == {"openai_base_url": OURS}


def test_a_provider_of_your_own_in_codex_is_found(home: Path) -> None:
    config = """
        model_provider = "mine"
        [model_providers.mine]
        base_url = "https://mine.test/v1"
        [model_providers.spare]
        base_url = "https://spare.test/v1"
        [profiles.other]
        model_provider = "spare"
    """
    write(home / ".codex" / "config.toml", config)
    mine = {"model_providers.mine.base_url": "https://mine.test/v1"}
    spare = {"model_providers.spare.base_url": "https://spare.test/v1"}

    assert urls(known(home, ["codex"])) == mine
    assert urls(known(home, ["codex", "--profile", "other"])) == spare
    assert urls(known(home, ["codex", "-c", 'model_provider="spare"'])) == spare


def test_a_login_with_chatgpt_asks_elsewhere(home: Path) -> None:
    write(home / ".codex" / "auth.json", {"OPENAI_API_KEY": None, "tokens": {"id_token": "x"}})

    assert urls(known(home, ["codex"])) == {
        "openai_base_url": "https://chatgpt.com/backend-api/codex"
    }
    assert urls(known(home, ["codex"], CODEX_API_KEY="x")) == {
        "openai_base_url": "https://api.openai.com/v1"
    }


def test_a_local_server_of_codex_is_said(home: Path) -> None:
    recipe = known(home, ["codex", "--oss"])

    assert (urls(recipe), len(recipe.notes)) == ({}, 1)


# Gemini CLI


def test_gemini_is_told_how_to_log_in_where_the_address_hides_it(home: Path) -> None:
    made = setup(known(home, ["gemini"], GEMINI_API_KEY="x"))

    (content,) = made.files.values()
    assert json.loads(content) == {"security": {"auth": {"selectedType": "gemini-api-key"}}}
    assert set(made.files) == {"GEMINI_CLI_SYSTEM_DEFAULTS_PATH"}


def test_gemini_with_an_address_of_its_own_needs_no_file(home: Path) -> None:
    environment = {"GEMINI_API_KEY": "x", "GOOGLE_GEMINI_BASE_URL": "https://gate.test"}

    assert setup(known(home, ["gemini"], **environment)).files == {}


def test_a_dotenv_file_counts_where_the_environment_says_nothing(home: Path) -> None:
    path = write(
        home.parent / "work" / ".env", "# x\nexport GOOGLE_GEMINI_BASE_URL='https://dot.test' # y\n"
    )

    (one, _) = known(home, ["gemini"]).endpoints
    assert (one.url, one.found_in) == ("https://dot.test", str(path))
    (one, _) = known(home, ["gemini"], GOOGLE_GEMINI_BASE_URL="https://env.test").endpoints
    assert one.url == "https://env.test"


# opencode


def test_every_provider_in_opencodes_settings_is_found_the_nearest_file_first(home: Path) -> None:
    write(
        home / ".config" / "opencode" / "opencode.json",
        {
            "provider": {
                "a": {"options": {"baseURL": "https://a.test"}},
                "b": {"options": {"baseURL": "https://b.test"}},
            }
        },
    )
    write(
        home.parent / "work" / "opencode.jsonc",
        '{// mine\n"provider": {"b": {"options": {"baseURL": "https://near.test",},},}}',
    )

    assert urls(known(home, ["opencode"])) == {
        "provider.a.options.baseURL": "https://a.test",
        "provider.b.options.baseURL": "https://near.test",
    }


def test_opencodes_inline_settings_are_kept_and_ours_put_beside_them(home: Path) -> None:
    inline = {
        "theme": "x",
        "provider": {"a": {"options": {"baseURL": "https://{env:HOST}", "apiKey": "{env:K}"}}},
    }
    recipe = known(home, ["opencode"], OPENCODE_CONFIG_CONTENT=json.dumps(inline), HOST="a.test")

    assert urls(recipe) == {"provider.a.options.baseURL": "https://a.test"}
    assert json.loads(setup(recipe).variables["OPENCODE_CONFIG_CONTENT"]) == {
        "theme": "x",
        "provider": {"a": {"options": {"baseURL": OURS, "apiKey": "{env:K}"}}},
    }


def test_opencodes_own_providers_are_known_by_key_or_model(home: Path) -> None:
    by_key = known(home, ["opencode"], ANTHROPIC_API_KEY="x")
    by_model = known(home, ["opencode", "run", "-m", "openai/gpt-4o", "hi"])

    assert urls(by_key) == {"provider.anthropic.options.baseURL": "https://api.anthropic.com/v1"}
    assert urls(by_model) == {"provider.openai.options.baseURL": "https://api.openai.com/v1"}


def test_a_provider_whose_address_is_not_known_is_said(home: Path) -> None:
    recipe = known(home, ["opencode", "--model", "groq/llama"])

    assert urls(recipe) == {}
    assert "'groq'" in recipe.notes[0]


# qwen-code


def test_the_models_in_qwens_settings_get_new_addresses_and_stay_as_they_are(home: Path) -> None:
    models = {
        "openai": [
            {"id": "a", "envKey": "K", "baseUrl": "https://a.test/v1"},
            {"id": "b", "baseUrl": "https://a.test/v1"},
            {"id": "c"},
        ]
    }
    write(home / ".qwen" / "settings.json", {"modelProviders": models, "ui": 1})
    recipe = known(home, ["qwen"])

    assert list(urls(recipe).values()) == ["https://api.openai.com/v1", "https://a.test/v1"]
    (content,) = setup(recipe).files.values()
    changed = {
        "openai": [
            {"id": "a", "envKey": "K", "baseUrl": OURS},
            {"id": "b", "baseUrl": OURS},
            {"id": "c"},
        ]
    }
    assert json.loads(content) == {"modelProviders": changed}


def test_qwens_settings_name_the_address_where_no_variable_does(home: Path) -> None:
    settings = {"security": {"auth": {"baseUrl": "https://set.test/v1"}}}
    path = write(home / ".qwen" / "settings.json", settings)

    (one,) = known(home, ["qwen"]).endpoints
    assert (one.url, one.found_in) == ("https://set.test/v1", str(path))
    assert setup(known(home, ["qwen"])).files == {}


# Settings in general


BROKEN = ["{", "[]", "\x00", "a = [", '{"provider": 3, "env": [], "modelProviders": {"openai": 7}}']


@pytest.mark.parametrize("name", sorted(CLIS))
@pytest.mark.parametrize("text", BROKEN)
def test_settings_that_cannot_be_read_are_the_clis_own_affair(
    home: Path, name: str, text: str
) -> None:
    for place in (
        ".claude/settings.json",
        ".codex/config.toml",
        ".codex/auth.json",
        ".gemini/.env",
        ".config/opencode/opencode.json",
        ".qwen/settings.json",
    ):
        write(home / place, text)

    setup(known(home, [name], OPENAI_API_KEY="x"))


@given(value=st.recursive(st.text() | st.integers(), lambda one: st.lists(one, max_size=3)))
def test_json_with_comments_and_commas_is_the_json_without(value: object) -> None:
    text = json.dumps({"a": value, "b": "// no comment, }"})
    commented = "/* x */ " + text[:-1] + ", // y\n}"

    assert json_settings(commented) == json.loads(text)


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (["x", "--model", "a"], "a"),
        (["x", "--model=a", "--model", "b"], "a"),
        (["x", "-m", "a"], "a"),
        (["x", "--model"], None),
        (["x", "--models", "a"], None),
    ],
)
def test_an_option_is_read_in_both_spellings(words: list[str], found: str | None) -> None:
    assert option(words, "-m", "--model") == found
