"""opencode. Measured with version 1.18.33 against a local server, 2026-11.

Settings are merged; the inline ones come last, so they win (opencode.ai/docs/config).
"""

import json
import re
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path

from ullage.tap.clis.recipe import Endpoint, Recipe, Setup, Surroundings
from ullage.tap.clis.settings import (
    Settings,
    json_settings,
    option,
    read_json,
    table,
    text_at,
    upward,
)

INLINE = "OPENCODE_CONFIG_CONTENT"
FILES = ("opencode.json", "opencode.jsonc", ".opencode/opencode.json", ".opencode/opencode.jsonc")
FROM_ENVIRONMENT = re.compile(r"\{env:(\w+)\}")
# The addresses of the packages that opencode brings along, and the keys that it knows them by.
PUBLIC = {
    "anthropic": "https://api.anthropic.com/v1",
    "openai": "https://api.openai.com/v1",
    "google": "https://generativelanguage.googleapis.com/v1beta",
}
KEYS = {
    "ANTHROPIC_API_KEY": "anthropic",
    "OPENAI_API_KEY": "openai",
    "GOOGLE_GENERATIVE_AI_API_KEY": "google",
    "GEMINI_API_KEY": "google",
}


def opencode(where: Surroundings) -> Recipe:
    """Say what opencode needs: the address of each provider in use, in its inline settings."""
    given: dict[str, Endpoint | None] = {}
    model = option(where.words, "-m", "--model")
    for source, settings in sources(where):
        for name, provider in table(settings.get("provider")).items():
            given[name] = endpoint(name, table(provider), source, where) or given.get(name)
        model = model or text_at(settings, "model")
    used = [KEYS[key] for key in KEYS if where.environment.get(key)]
    used += [model.partition("/")[0]] if model else []
    for name in used:
        given.setdefault(name, None)
    endpoints = {name: found or public(name) for name, found in given.items()}
    return Recipe(
        endpoints=[one for one in endpoints.values() if one is not None],
        setup=partial(setup, present=json_settings(where.environment.get(INLINE, ""))),
        notes=[
            f"opencode's provider {name!r} has no options.baseURL in its settings: its requests do "
            "not come through"
            for name, one in endpoints.items()
            if one is None
        ],
    )


def sources(where: Surroundings) -> Iterator[tuple[str, Settings]]:
    """Give the settings that opencode reads, those that win last."""
    base = Path(where.environment.get("XDG_CONFIG_HOME") or where.home / ".config") / "opencode"
    paths = [base / name for name in ("config.json", "opencode.json", "opencode.jsonc")]
    if custom := where.environment.get("OPENCODE_CONFIG"):
        paths.append(Path(custom))
    paths += reversed([*upward(where.folder, FILES)])
    for path in paths:
        if settings := read_json(path):
            yield str(path), settings
    if inline := where.environment.get(INLINE):
        yield f"your {INLINE}", json_settings(inline)


def endpoint(name: str, provider: Settings, source: str, where: Surroundings) -> Endpoint | None:
    """Return the address that a provider is given, `{env:NAME}` put in."""
    url = text_at(provider, "options", "baseURL")
    if url is None:
        return None
    url = FROM_ENVIRONMENT.sub(lambda found: where.environment.get(found.group(1), ""), url)
    return Endpoint(name=setting(name), url=url, found_in=source)


def public(name: str) -> Endpoint | None:
    """Return the public address of a provider that brings its own."""
    url = PUBLIC.get(name)
    if url is None:
        return None
    return Endpoint(name=setting(name), url=url, found_in="the provider's public address")


def setting(name: str) -> str:
    """Name the setting that holds a provider's address."""
    return f"provider.{name}.options.baseURL"


def setup(urls: Mapping[str, str], *, present: Settings) -> Setup:
    """Set the addresses in the inline settings, beside what is there."""
    merged = json.loads(json.dumps(present))
    providers = merged.setdefault("provider", {})
    for name, url in urls.items():
        provider = name.removeprefix("provider.").removesuffix(".options.baseURL")
        providers.setdefault(provider, {}).setdefault("options", {})["baseURL"] = url
    return Setup(variables={INLINE: json.dumps(merged)})
