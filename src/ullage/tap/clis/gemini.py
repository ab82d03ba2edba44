"""Gemini CLI. Measured with version 0.61.0 against a local server, 2026-11."""

import json
from collections.abc import Mapping
from functools import partial

from ullage.tap.clis.recipe import Endpoint, Recipe, Setup, Surroundings
from ullage.tap.clis.settings import variable

FOLDER = ".gemini"
# What an API key asks, what Vertex AI asks, what a login with Google asks. The last one has
# another shape: it is recorded, and not read.
PUBLIC = {
    "GOOGLE_GEMINI_BASE_URL": "https://generativelanguage.googleapis.com",
    "CODE_ASSIST_ENDPOINT": "https://cloudcode-pa.googleapis.com",
}
DEFAULTS = "GEMINI_CLI_SYSTEM_DEFAULTS_PATH"


def gemini(where: Surroundings) -> Recipe:
    """Say what Gemini CLI needs: two variables, and the kind of login that they hide."""
    endpoints = []
    for name, public in PUBLIC.items():
        url, found_in = variable(name, where, FOLDER) or (public, "the provider's public address")
        endpoints.append(Endpoint(name=name, url=url, found_in=found_in))
    key = variable("GEMINI_API_KEY", where, FOLDER) is not None
    given = variable("GOOGLE_GEMINI_BASE_URL", where, FOLDER) is not None
    hidden = key and not given and not where.environment.get(DEFAULTS)
    return Recipe(
        endpoints=endpoints,
        setup=partial(setup, login_is_hidden=hidden),
        notes=["with Vertex AI, Gemini CLI asks its model elsewhere, unrecorded"]
        if where.environment.get("GOOGLE_GENAI_USE_VERTEXAI") == "true"
        else [],
    )


def setup(urls: Mapping[str, str], *, login_is_hidden: bool) -> Setup:
    """Set the addresses.

    With a base URL, the CLI no longer takes GEMINI_API_KEY as a sign of how to log in ("Invalid
    auth method selected"). So that is said in its settings of the lowest rank: yours win.
    """
    login = json.dumps({"security": {"auth": {"selectedType": "gemini-api-key"}}})
    return Setup(variables=urls, files={DEFAULTS: login} if login_is_hidden else {})
