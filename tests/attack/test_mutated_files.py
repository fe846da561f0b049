"""Damaged and hostile files of every format: each is read or skipped, and told; none fails."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from mutations import mutated
from page_checks import check_page
from sample_files import real_files, sample_archives, sample_files

from lacuna.corpus.formats.base import page_formats
from lacuna.corpus.formats.entries import Entry
from lacuna.corpus.formats.isolation import IsolatedReading
from lacuna.corpus.refresh import refresh_source
from lacuna.corpus.store import Skipped, Store
from lacuna.errors import LacunaError

A_FAULT = ("reading it failed", "reading it takes too long", "reading it ended")
"""Reasons that are told where the reader is at fault, and not the file."""
FILES_A_ROUND = 12


@pytest.fixture(scope="module")
def seeds() -> dict[str, bytes]:
    return sample_files() | real_files()


def a_file(seeds: dict[str, bytes], rng: random.Random) -> Entry:
    kinds = sorted({Path(name).suffix for name in seeds})
    suffix = rng.choice(kinds)
    name = rng.choice([name for name in seeds if name.endswith(suffix)])
    return Entry(name, mutated(seeds[name], rng.choice(list(seeds.values())), rng))


def keep(entry: Entry, folder: Path) -> Path:
    """Where a file lies that something is wrong with, to look at it."""
    path = folder / entry.name
    path.write_bytes(entry.data)
    return path


def test_a_mutated_file_is_read_or_skipped(
    seeds: dict[str, bytes], rounds: Callable[[], Iterator[random.Random]], tmp_path: Path
) -> None:
    formats = page_formats()
    for rng in rounds():
        for _ in range(FILES_A_ROUND):
            entry = a_file(seeds, rng)
            known = next(known for known in formats if known.is_named(entry.name))
            for item in IsolatedReading(known, entry).items():
                if isinstance(item, Skipped):
                    assert not item.reason.startswith(A_FAULT), (item, keep(entry, tmp_path))
                elif not item.leads_to:
                    try:
                        check_page(item)
                    except AssertionError as error:
                        raise AssertionError(keep(entry, tmp_path)) from error


def test_a_folder_of_mutated_files_is_indexed(
    seeds: dict[str, bytes], rounds: Callable[[], Iterator[random.Random]], tmp_path: Path
) -> None:
    """The store takes whatever the readers give it, and every file is a document or was skipped."""
    for number, rng in enumerate(rounds()):
        folder = tmp_path / f"folder-{number}"
        folder.mkdir()
        (folder / "good.md").write_text("# Good\n\nThis note is fine.\n")
        for at in range(FILES_A_ROUND):
            entry = a_file(seeds, rng)
            (folder / f"{at}-{entry.name}").write_bytes(entry.data)
        with Store.create(tmp_path / f"store-{number}") as store:
            with store.writer() as writer:
                refresh_source(writer, folder)
            read = {document.origin.file for document in store if document.origin}
            skipped = {item.where for item in store.skipped()}
        named = {path.name for path in folder.iterdir()}
        assert {"good.md"} <= read
        unseen = {name for name in named - read if not any(name in where for where in skipped)}
        assert all(name.endswith((".html", ".htm")) for name in unseen), unseen  # may lead on


def test_a_mutated_archive_is_read_or_refused(
    rounds: Callable[[], Iterator[random.Random]], tmp_path: Path
) -> None:
    archives = sample_archives()
    for number, rng in enumerate(rounds()):
        name = rng.choice(list(archives))
        path = tmp_path / f"{number}-{name}"
        path.write_bytes(mutated(archives[name], rng.choice(list(archives.values())), rng))
        with Store.create(tmp_path / f"store-{number}") as store, store.writer() as writer:
            try:
                refresh_source(writer, path)
            except LacunaError as error:
                assert str(error)  # noqa: PT017 - refused with a reason
