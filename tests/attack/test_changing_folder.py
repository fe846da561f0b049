"""Notes that appear, vanish and become unreadable while their folder is indexed."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from lacuna.corpus.formats.detect import DetectedSource
from lacuna.corpus.formats.entries import SourceFile
from lacuna.corpus.refresh import refresh_source
from lacuna.corpus.store import Skipped, Store

NAMES = [f"note-{number}.md" for number in range(6)]


def change(folder: Path, rng: random.Random) -> None:
    """One note becomes another, a broken link, no text, or nothing."""
    path = folder / rng.choice(NAMES)
    path.unlink(missing_ok=True)
    match rng.randrange(4):
        case 0:
            path.symlink_to("nowhere")
        case 1:
            path.write_bytes(b"\xff\xfe\0")
        case 2:
            title = f"Boat {rng.randrange(3)}"
            path.write_text(f"# {title}\n\nIt sails [on](note-{rng.randrange(6)}.md).\n")


def read(store: Store, folder: Path) -> list[tuple[str, str]]:
    with store.writer() as writer:
        refresh_source(writer, folder)
    return sorted((document.title, document.text) for document in store)


def test_a_folder_that_changes_while_it_is_read(
    rounds: Callable[[], Iterator[random.Random]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    quiet = DetectedSource.files
    for number, rng in enumerate(rounds()):
        folder = tmp_path / f"folder-{number}"
        folder.mkdir()
        (folder / "still.md").write_text("# Still\n\nThis note never changes.\n")

        def busy(
            source: DetectedSource, folder: Path = folder, rng: random.Random = rng
        ) -> Iterator[SourceFile | Skipped]:
            for file in quiet(source):
                change(folder, rng)
                yield file
                change(folder, rng)

        with Store.create(tmp_path / f"store-{number}") as store:
            monkeypatch.setattr(DetectedSource, "files", busy)
            for _ in range(3):
                read(store, folder)
            monkeypatch.setattr(DetectedSource, "files", quiet)
            change(folder, rng)
            settled = read(store, folder)
        with Store.create(tmp_path / f"anew-{number}") as store:
            assert settled == read(store, folder)
