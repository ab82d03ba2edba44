"""What a harness is given on top of its user's environment: its addresses, and a key for none."""

from collections.abc import Mapping
from pathlib import Path

from ullage.tap.environment import PROBE, PROBE_FILE, WORKER

BASE_URLS = ("OPENAI_BASE_URL", "ANTHROPIC_BASE_URL", "GOOGLE_GEMINI_BASE_URL")
KEYS = ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY")
NO_KEYS = dict.fromkeys(KEYS, "none")
PROXIES = ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy")
LOOPBACK = "127.0.0.1"


def base_urls(root: str) -> dict[str, str]:
    """Return the variables that clients take the address of a model from; `root` ends before /v1.

    The same for OpenAI's clients, Anthropic's and Gemini's, old and new.
    """
    return {
        "OPENAI_BASE_URL": f"{root}/v1",
        "OPENAI_API_BASE": f"{root}/v1",
        "ANTHROPIC_BASE_URL": root,
        "GOOGLE_GEMINI_BASE_URL": root,
    }


def changes(
    environment: Mapping[str, str], root: str, *, case_url: str, worker_url: str, file: Path | None
) -> dict[str, str]:
    """Return the variables that the harness gets another value of.

    A real key is never given to it: nothing of it is needed, and what is not there cannot leak.
    """
    changed = {
        **base_urls(root),
        **NO_KEYS,
        PROBE: case_url,
        WORKER: worker_url,
    }
    if file is not None:
        changed[PROBE_FILE] = str(file)
    if any(environment.get(name) for name in PROXIES):
        # Else the harness would ask that proxy to reach our loopback address.
        for name in ("NO_PROXY", "no_proxy"):
            present = environment.get(name)
            changed[name] = f"{present},{LOOPBACK}" if present else LOOPBACK
    return changed
