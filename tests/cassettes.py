"""Recorded HTTP exchanges of four providers, read from outside the repository."""

import io
import json
import tarfile
from collections.abc import Iterator, Mapping
from typing import Any

import yaml
from tests.shared import shared

FOLDER = "pydantic-ai-cassettes/"
LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def cassettes() -> Iterator[tuple[str, Any]]:
    with tarfile.open(shared("corpora/permissive.tgz")) as archive:
        for member in archive:
            name = member.name.removeprefix("./")
            held = archive.extractfile(member)
            if name.startswith(FOLDER) and name.endswith(".yaml") and held is not None:
                yield name, yaml.load(io.BytesIO(held.read()), Loader=LOADER)


def body_of(side: Mapping[str, Any]) -> bytes:
    """A body as it was sent: parsed for people to read, or as a text, or as bytes."""
    if side.get("parsed_body") is not None:
        return json.dumps(side["parsed_body"]).encode()
    raw = side.get("body")
    raw = raw.get("string") if isinstance(raw, dict) else raw
    return raw.encode() if isinstance(raw, str) else raw or b""
