"""A store on a disk that nothing can be written to is read and searched like any other."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from lacuna.corpus.store import Store
from lacuna.errors import LacunaError
from lacuna.retrieve.bm25 import Bm25Retriever
from lacuna.retrieve.hotpotqa import HotpotRetriever
from lacuna.types import Document, Link

Lock = Callable[[Path], None]


@pytest.fixture
def make_read_only() -> Iterator[Lock]:
    """Takes away the right to write; root has it in every folder, but not on every disk."""
    locked: list[Path] = []

    def lock(folder: Path) -> None:
        if os.geteuid():
            for path in (folder, *folder.rglob("*")):
                path.chmod(0o555 if path.is_dir() else 0o444)
        else:
            mounts = (["mount", "--bind"], ["mount", "-o", "remount,ro,bind"])
            for mount in mounts:
                if subprocess.run([*mount, folder, folder], capture_output=True).returncode:
                    pytest.skip("a folder cannot be made read-only here")
        locked.append(folder)

    yield lock
    for folder in locked:
        if os.geteuid():
            for path in (folder, *folder.rglob("*")):
                path.chmod(0o755)
        else:
            subprocess.run(["umount", "-l", folder], check=True)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    with Store.create(tmp_path / "store") as store, store.writer() as writer:
        writer.add([Document("Ferry", "It sails.", links=(Link(0, 2, "Port"),))])
        writer.add([Document("Port", "A harbour.")])
    return tmp_path / "store"


def all_works(folder: Path) -> None:
    with Store.open(folder) as store:
        assert store.document("Ferry").text == "It sails."
        assert store.graph().out_links("Ferry") == ["Port"]
        assert [hit.title for hit in Bm25Retriever(store).search("harbour")] == ["Port"]
        assert HotpotRetriever(store).search("harbour")[0].title == "Port"


def test_all_that_reads_works(folder: Path, make_read_only: Lock) -> None:
    make_read_only(folder)
    before = sorted(folder.rglob("*"))
    all_works(folder)
    assert sorted(folder.rglob("*")) == before


def test_without_graph_and_lock_files(folder: Path, make_read_only: Lock) -> None:
    for path in folder.glob("graph-*"):
        shutil.rmtree(path)
    for path in folder.rglob("*.lock"):
        path.unlink()
    make_read_only(folder)
    all_works(folder)


def test_writing_is_refused(folder: Path, make_read_only: Lock) -> None:
    make_read_only(folder)
    refused = pytest.raises(LacunaError, match="cannot be written to")
    with Store.open(folder) as store, refused, store.writer():
        pass


KILLED = """
    import os, sys
    from pathlib import Path
    from lacuna.corpus.store import Store
    from lacuna.types import Document
    store = Store.open(Path(sys.argv[1]))
    with store.writer() as writer:
        writer.add([Document("Late", "It came last.")])
        os.kill(os.getpid(), 9)
"""


def test_what_a_killed_writer_left_in_the_log_is_read(folder: Path, make_read_only: Lock) -> None:
    ended = subprocess.run([sys.executable, "-c", textwrap.dedent(KILLED), str(folder)])
    assert ended.returncode == -signal.SIGKILL
    assert (folder / "documents.sqlite-wal").stat().st_size
    (folder / "documents.sqlite-shm").unlink()  # as on a copy
    make_read_only(folder)
    with Store.open(folder) as store:
        assert store.document("Late").text == "It came last."
    all_works(folder)


def test_over_the_command_line(folder: Path, make_read_only: Lock) -> None:
    make_read_only(folder)
    ran = subprocess.run(
        [sys.executable, "-m", "lacuna", "search", "harbour", "--corpus", str(folder)],
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0, ran.stderr
    assert "Port" in ran.stdout
    assert "elete" not in ran.stderr
