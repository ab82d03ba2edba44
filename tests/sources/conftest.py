"""Real transcripts, unpacked once for the tests that read them from files."""

import tarfile
from pathlib import Path

import pytest
from tests.shared import shared


@pytest.fixture(scope="session")
def corpora(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of all corpora; the tests are skipped where they are absent."""
    place = tmp_path_factory.mktemp("corpora")
    with tarfile.open(shared("corpora/permissive.tgz")) as archive:
        archive.extractall(place, filter="data")
    return place
