"""qwen-code. Measured with version 0.15.10 against a local server, 2026-11.

A model's `baseUrl` in the settings (`modelProviders`) wins over OPENAI_BASE_URL, which wins over
`security.auth.baseUrl` (read in its source).
"""

import json
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path

from ullage.tap.clis.recipe import Endpoint, Recipe, Setup, Surroundings
from ullage.tap.clis.settings import Settings, at, read_json, table, text_at, variable

FOLDER = ".qwen"
BASE_URL = "OPENAI_BASE_URL"
PUBLIC = "https://api.openai.com/v1"
SYSTEM = "QWEN_CODE_SYSTEM_SETTINGS_PATH"
SYSTEM_FILE = Path("/etc/qwen-code/settings.json")


def qwen(where: Surroundings) -> Recipe:
    """Say what qwen-code needs: a variable, and the addresses in its list of models."""
    system = Path(where.environment.get(SYSTEM) or SYSTEM_FILE)
    files = [where.home / FOLDER / "settings.json", where.folder / FOLDER / "settings.json", system]
    settings = {path: read_json(path) for path in files}
    models: Settings = {}
    listed: dict[str, Endpoint] = {}
    for path, found in settings.items():
        if providers := table(found.get("modelProviders")):
            models = providers  # the later file replaces the whole list
            listed = {
                one: Endpoint(name=f"modelProviders baseUrl {one}", url=one, found_in=str(path))
                for one in addresses(providers)
            }
    login = [text_at(found, "security", "auth", "selectedType") for found in settings.values()]
    return Recipe(
        endpoints=[own(where, settings), *listed.values()],
        setup=partial(setup, system=settings[system], models=models),
        notes=["a login with Qwen's own account is asked elsewhere, unrecorded"]
        if "qwen-oauth" in login
        else [],
    )


def own(where: Surroundings, settings: Mapping[Path, Settings]) -> Endpoint:
    """Return the address that is used where a model has none of its own."""
    if found := variable(BASE_URL, where, FOLDER):
        return Endpoint(name=BASE_URL, url=found[0], found_in=found[1])
    for path, one in reversed([*settings.items()]):
        if url := text_at(one, "security", "auth", "baseUrl"):
            return Endpoint(name=BASE_URL, url=url, found_in=str(path))
    return Endpoint(name=BASE_URL, url=PUBLIC, found_in="the provider's public address")


def addresses(providers: Settings) -> Iterator[str]:
    """Give the addresses in a list of models by kind of login."""
    for models in providers.values():
        for model in models if isinstance(models, list) else []:
            if url := text_at(table(model), "baseUrl"):
                yield url


def setup(urls: Mapping[str, str], *, system: Settings, models: Settings) -> Setup:
    """Set the variable, and the list of models in settings of the highest rank."""
    variables = {BASE_URL: urls[BASE_URL]}
    new = {name.rpartition(" ")[2]: url for name, url in urls.items() if name != BASE_URL}
    if not new:
        return Setup(variables=variables)
    changed = json.loads(json.dumps(models))
    for listed in changed.values():
        for model in listed if isinstance(listed, list) else []:
            if (url := at(table(model), "baseUrl")) in new:
                model["baseUrl"] = new[str(url)]
    content = json.dumps({**system, "modelProviders": changed})
    return Setup(variables=variables, files={SYSTEM: content})
