"""Where the machine fails, no document is blamed, and nothing that was known of one is lost."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from lacuna.corpus.formats import isolation
from lacuna.corpus.formats.base import DocumentFormat, get_format
from lacuna.corpus.formats.entries import Entry
from lacuna.corpus.formats.isolation import IsolatedReading, ProcessPool, ReadingFailedError
from lacuna.corpus.refresh import refresh_source
from lacuna.corpus.store import Skipped, Store
from lacuna.corpus.writer import Added

TITLES = {"a", "b", "below/c"}
FAILING = """
import errno
from lacuna.corpus.formats.base import DocumentFormat
from lacuna.corpus.formats.plain import parse_plain

def parse(entry):
    match entry.data:
        case b"files":
            raise OSError(errno.EMFILE, "Too many open files")
        case b"disk":
            raise OSError(errno.EIO, "Input/output error")
        case b"library":
            raise ImportError("x.so: failed to map segment from shared object")
        case b"module":
            raise ModuleNotFoundError("No module named 'x'", name="x")
    yield from parse_plain(entry)

FORMAT = DocumentFormat("failing", parse=parse, suffixes=(".failing",))
"""


@pytest.fixture(autouse=True)
def pool(monkeypatch: pytest.MonkeyPatch) -> Iterator[ProcessPool]:
    """Processes of this test alone."""
    fresh = ProcessPool()
    monkeypatch.setattr(isolation, "_pool", fresh)
    yield fresh
    fresh.close()


@pytest.fixture
def failing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> DocumentFormat:
    """A format of another package, in whose parser the machine fails."""
    package = tmp_path / "packages"
    about = package / "failing-1.0.dist-info"
    about.mkdir(parents=True)
    (package / "failing_format.py").write_text(FAILING)
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: failing\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[lacuna.formats]\nfailing = failing_format:FORMAT\n")
    monkeypatch.syspath_prepend(str(package))
    return get_format("failing")


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    notes = tmp_path / "notes"
    (notes / "below").mkdir(parents=True)
    for name in ("a", "b", "below/c"):
        (notes / f"{name}.md").write_text(f"# {name}\n\nA page.\n")
    return notes


@pytest.fixture
def store(tmp_path: Path, notes: Path) -> Iterator[Store]:
    """Knows the notes, of which one has changed since."""
    with Store.create(tmp_path / "corpus") as store:
        assert read(store, notes).documents == 3
        (notes / "b.md").write_text("# b\n\nA page that has changed.\n")
        yield store


def read(store: Store, notes: Path) -> Added:
    with store.writer() as writer:
        return refresh_source(writer, notes)


def titles(store: Store) -> set[str]:
    return set(store.titles())


@pytest.mark.parametrize("data", [b"files", b"disk", b"library"])
def test_a_parser_that_the_machine_fails(failing: DocumentFormat, data: bytes) -> None:
    with pytest.raises(ReadingFailedError, match="memory, files or disk space may be short"):
        IsolatedReading(failing, Entry("a.failing", data)).items()
    (after,) = IsolatedReading(failing, Entry("a.failing", b"After.")).items()
    assert not isinstance(after, Skipped)


def test_what_is_not_installed_is_no_failure(failing: DocumentFormat) -> None:
    (skipped,) = IsolatedReading(failing, Entry("a.failing", b"module")).items()
    assert isinstance(skipped, Skipped)
    assert skipped.lacks == "x"


@pytest.mark.parametrize(
    "start",
    [
        "raise ImportError('x.so: cannot map')",
        "raise SystemExit(0)",
        "import os; os.kill(os.getpid(), 9)",
        f"import os; os.write(1, {isolation.READY!r}); os._exit({isolation.FAILED})",
    ],
)
def test_a_process_that_cannot_start_ends_the_run(store: Store, notes: Path, start: str) -> None:
    isolation._pool.close()
    with pytest.MonkeyPatch.context() as patch, pytest.raises(ReadingFailedError):
        patch.setattr(isolation, "START", start)
        read(store, notes)
    assert titles(store) == TITLES
    assert not store.skipped_count()
    assert read(store, notes).replaced == 1


def test_a_process_that_cannot_start_is_tried_once_more(
    store: Store, notes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried = tmp_path / "tried"
    once = f"import os; os.mkdir({str(tried)!r}) if not os.path.exists({str(tried)!r}) else "
    monkeypatch.setattr(
        isolation, "START", f"{once}(exec({isolation.START!r}))\nraise SystemExit(1)"
    )
    isolation._pool.close()
    assert read(store, notes).replaced == 1
    assert tried.exists()


@contextmanager
def not_opened(name: str, error: int) -> Iterator[None]:
    """No file of that name can be opened."""
    whole = Path.open

    def fails(path: Path, *how: Any, **more: Any) -> Any:
        if path.name == name:
            raise OSError(error, os.strerror(error), str(path))
        return whole(path, *how, **more)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Path, "open", fails)
        yield


def test_a_file_that_the_disk_does_not_give_is_tried_again(store: Store, notes: Path) -> None:
    with not_opened("b.md", errno.EIO):
        for _ in range(2):
            assert read(store, notes).skipped == 1
            (skipped,) = store.skipped()
            assert "Input/output error" in skipped.reason
            assert "changed" not in store.document("b").text, "it is as it was known"
    assert read(store, notes).replaced == 1
    assert not store.skipped_count()
    assert "changed" in store.document("b").text


def test_no_more_files_is_no_fault_of_a_file(store: Store, notes: Path) -> None:
    with not_opened("b.md", errno.EMFILE), pytest.raises(OSError, match="Too many open files"):
        read(store, notes)
    assert not store.skipped_count()
    assert read(store, notes).replaced == 1


def test_a_folder_that_the_disk_does_not_give_keeps_its_documents(
    store: Store, notes: Path
) -> None:
    whole = Path.iterdir

    def fails(path: Path) -> Iterator[Path]:
        if path.name == "below":
            raise OSError(errno.EIO, os.strerror(errno.EIO), str(path))
        return whole(path)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Path, "iterdir", fails)
        with pytest.raises(OSError, match="Input/output error"):
            read(store, notes)
    assert titles(store) == TITLES
