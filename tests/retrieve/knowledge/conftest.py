"""The real knowledge, built once for all tests; they run where LACUNA_DATA names the data."""

from __future__ import annotations

from pathlib import Path

import pytest

from lacuna.retrieve.knowledge.build import BuildReport, build_sentences, build_triples


@pytest.fixture(scope="session")
def real_triples(
    data_folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, BuildReport]:
    """A store of all of ConceptNet's triples, and what the build said."""
    folder = tmp_path_factory.mktemp("triples")
    return folder, build_triples([data_folder / "conceptnet" / "triples.tsv.gz"], folder)


@pytest.fixture(scope="session")
def real_sentences(
    data_folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, BuildReport]:
    """An index of all science sentences, as a part of a knowledge base, and what the build said."""
    folder = tmp_path_factory.mktemp("knowledge") / "sentences"
    return folder, build_sentences([data_folder / "science" / "sentences.tsv.gz"], folder)
