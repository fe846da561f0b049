"""The cache folder is made where something is written, and for its owner alone."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from lacuna.files.cache import cache_folder, cached_folder, make_in_cache


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "above" / "cache"
    monkeypatch.setenv("LACUNA_CACHE", str(folder))
    return folder


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


def test_asking_where_it_is_makes_nothing(cache: Path) -> None:
    assert cache_folder() == cache
    assert not cache.parent.exists()


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such modes")
def test_who_writes_makes_it_for_the_owner_alone(cache: Path) -> None:
    make_in_cache(cache / "corpora" / "notes")
    assert (cache / "corpora" / "notes").is_dir()
    assert mode(cache) == 0o700
    cache.chmod(0o750)
    make_in_cache(cache / "corpora" / "others")
    assert mode(cache) == 0o750, "one that is there is its owner's business"


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such modes")
def test_a_folder_that_is_built_there_too(cache: Path) -> None:
    cached_folder(
        cache / "knowledge" / "state",
        lambda folder: (folder / "file").touch(),
        is_whole=Path.is_dir,
        what="It",
    )
    assert (cache / "knowledge" / "state" / "file").is_file()
    assert mode(cache) == 0o700


def test_a_folder_elsewhere_is_made_without_it(cache: Path, tmp_path: Path) -> None:
    make_in_cache(tmp_path / "data" / "quac")
    assert (tmp_path / "data" / "quac").is_dir()
    assert not cache.exists()
