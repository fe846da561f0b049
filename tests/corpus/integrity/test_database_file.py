"""Reading the file of a database takes away no lock of SQLite."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
import threading
from collections.abc import Callable
from pathlib import Path, PosixPath
from typing import Any

import pytest

from lacuna.corpus import database
from lacuna.corpus import integrity as seal
from lacuna.corpus.integrity import HANDLES
from lacuna.corpus.store import Store
from lacuna.types import Document

OTHER = """
    import sys
    from pathlib import Path
    from lacuna.corpus.store import Store
    with Store.open(Path(sys.argv[1])) as store:
        len(store)
"""


def test_another_process_never_takes_itself_for_the_last(tmp_path: Path) -> None:
    folder = tmp_path / "store"
    with Store.create(folder) as store:
        with store.writer() as writer:
            writer.add([Document("Ferry", "It sails.")])
        assert not seal.damaged_files(folder)
        log = folder / "documents.sqlite-wal"
        before = log.stat().st_ino
        subprocess.run([sys.executable, "-c", textwrap.dedent(OTHER), str(folder)], check=True)
        assert log.exists(), "this process is still connected: the log is not another's to delete"
        assert log.stat().st_ino == before


def test_handles_are_closed_in_the_end(tmp_path: Path) -> None:
    files = Path("/proc/self/fd")
    if not files.is_dir():
        pytest.skip("open files cannot be counted here")

    def open_databases() -> int:
        links = [str(path.readlink()) for path in files.iterdir() if path.is_symlink()]
        return sum(str(tmp_path) in link and "sqlite" in link for link in links)

    for number in range(3):
        with Store.create(tmp_path / f"store{number}") as store:
            with store.writer() as writer:
                writer.add([Document("Ferry", "It sails.")])
            with Store.open(store.folder) as other:
                assert len(other) == 1
    assert open_databases() == 0


class Interrupted(PosixPath):
    """A path that something is done in the middle of, as the garbage collector may do it."""

    meanwhile: Callable[[], object]

    def stat(self, **options: Any) -> os.stat_result:
        self.meanwhile()
        return super().stat(**options)


@pytest.mark.skipif(os.name != "posix", reason="the path of the test is a POSIX one")
def test_a_connection_that_is_closed_in_between_stops_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "store"
    with Store.create(folder) as store, store.writer() as writer:
        writer.add([Document("Ferry", "It sails.")])
    connection = database.connect(folder)
    path = Interrupted(folder / "documents.sqlite")
    path.meanwhile = connection.close
    done = threading.Thread(target=HANDLES.sum_of, args=(path,), daemon=True)
    done.start()
    done.join(20)
    assert not done.is_alive()
    with Store.open(folder) as store:
        assert len(store) == 1, "the next one need not wait either"
