"""Stores over the real data, built once for all tests that want them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from lacuna.find.knowledge import BuildReport, build_sentences, build_triples


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder with the real data."""
    if "LACUNA_DATA" not in os.environ:
        pytest.skip("LACUNA_DATA does not say where the real data is")
    return Path(os.environ["LACUNA_DATA"])


@pytest.fixture(scope="session")
def real_triples(data: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, BuildReport]:
    """A store of all of ConceptNet's triples, and what the build said."""
    folder = tmp_path_factory.mktemp("triples")
    return folder, build_triples([data / "conceptnet" / "triples.tsv.gz"], folder)


@pytest.fixture(scope="session")
def real_sentences(
    data: Path, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, BuildReport]:
    """An index of all science sentences, and what the build said."""
    folder = tmp_path_factory.mktemp("sentences")
    return folder, build_sentences([data / "science" / "sentences.tsv.gz"], folder)
