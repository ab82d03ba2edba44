"""What a tool returns while it is probed."""

import json
import urllib.error
import urllib.request
from typing import Any

from ullage.errors import UllageError
from ullage.probe.canary import payload as made
from ullage.probe.case import Case, Format
from ullage.tap.environment import PROBE, probe_url

SECONDS = 30
SEED = "ullage"


def payload(size: int | None = None, *, format: Format = "json", seed: str = SEED) -> Any:
    """Return what your tool is to return while `ullage probe run` looks at your program.

    Put it into the tool in place of what that does: `return ullage.probe.payload()`. Each call gets
    new records. It is a text, or a value where `--returns object` asks for that. Outside of a probe
    it is a text of `size` characters, made from `seed`: the same each time. Raises UllageError
    where there is neither a probe nor a `size`, or the probe has ended.
    """
    url = probe_url()
    if url is not None:
        return fetched(url)
    if size is None:
        raise UllageError(
            f"payload() is for a tool that is probed, and {PROBE} is not set: start your program "
            "by ullage probe run -- CMD, or name a size: payload(33000)"
        )
    case = Case(tag="payload", kind="result", size=size, format=format, seed=seed)
    return made(case, 0).text


def fetched(url: str) -> Any:
    """Ask the probe for the next payload."""
    try:
        returns = json.loads(get(url))["returns"]
        text = get(f"{url}/payload")
    except (OSError, ValueError, KeyError) as error:
        raise UllageError(
            f"payload(): nothing comes from {url} ({PROBE}): {error}; has the probe ended?"
        ) from error
    return json.loads(text) if returns == "object" else text


def get(url: str) -> str:
    """Get a text from the probe; it is on this machine, so no proxy is asked."""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with opener.open(url, timeout=SECONDS) as reply:
        body: bytes = reply.read()
    return body.decode("utf-8")
