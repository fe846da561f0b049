"""Reading the file of a database takes away no lock of SQLite."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from lacuna.corpus.safekeeping import seal
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
