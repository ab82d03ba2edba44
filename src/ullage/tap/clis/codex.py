"""Codex. Measured with version 0.171.0 against a local server, 2026-11.

`OPENAI_BASE_URL` is not read any more (openai/codex, pull request 16720, 2026-04). It tries a
websocket first, is refused with 426, and goes on with plain requests.
"""

import json
from collections.abc import Mapping
from pathlib import Path

from ullage.tap.clis.recipe import Endpoint, Recipe, Setup, Surroundings
from ullage.tap.clis.settings import Settings, at, option, read_json, read_toml, text_at

KEY = "openai_base_url"
PUBLIC = "https://api.openai.com/v1"
CHATGPT = "https://chatgpt.com/backend-api/codex"
"""Where a login with ChatGPT asks (codex-rs, model_provider_info)."""


def codex(where: Surroundings) -> Recipe:
    """Say what Codex needs: one setting on its command line, for the provider in use."""
    folder = Path(where.environment.get("CODEX_HOME") or where.home / ".codex")
    config = read_toml(folder / "config.toml")
    if "--oss" in where.words:
        return Recipe(notes=["codex --oss asks a local server itself, unrecorded"])
    provider = provider_of(config, where)
    if provider == "openai":
        return Recipe(endpoints=[built_in(config, folder, where)], setup=setup)
    url = text_at(config, "model_providers", provider, "base_url")
    if url is None:
        return Recipe(notes=[f"the address of codex's provider {provider!r} is not known here"])
    name = f"model_providers.{provider}.base_url"
    return Recipe(
        endpoints=[Endpoint(name=name, url=url, found_in=str(folder / "config.toml"))], setup=setup
    )


def provider_of(config: Settings, where: Surroundings) -> str:
    """Return the provider in use: the command line's, else the profile's, else the file's."""
    for word in where.words:
        name, _, value = word.partition("=")
        if name.strip() == "model_provider":
            return value.strip().strip("\"'")
    profile = option(where.words, "-p", "--profile") or text_at(config, "profile") or ""
    return (
        text_at(config, "profiles", profile, "model_provider")
        or text_at(config, "model_provider")
        or "openai"
    )


def built_in(config: Settings, folder: Path, where: Surroundings) -> Endpoint:
    """Return where Codex's own provider asks, which a login with ChatGPT changes."""
    if url := text_at(config, KEY):
        return Endpoint(name=KEY, url=url, found_in=str(folder / "config.toml"))
    if where.environment.get("CODEX_API_KEY") or not by_chatgpt(folder):
        return Endpoint(name=KEY, url=PUBLIC, found_in="the provider's public address")
    return Endpoint(name=KEY, url=CHATGPT, found_in="your login with ChatGPT")


def by_chatgpt(folder: Path) -> bool:
    """Whether the login is one with ChatGPT; only the kind of login is looked at."""
    return bool(at(read_json(folder / "auth.json"), "tokens"))


def setup(urls: Mapping[str, str]) -> Setup:
    """Set the address by `-c`, which wins over the file; a JSON string is a TOML string."""
    words = [word for name, url in urls.items() for word in ("-c", f"{name}={json.dumps(url)}")]
    return Setup(arguments=words)
