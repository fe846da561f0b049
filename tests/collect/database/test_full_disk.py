"""The disk is full: what is refused is told in clear words, and with room all goes on."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import pytest
from private_postgres import postgres_url
from sqlalchemy import create_engine, insert, text
from sqlalchemy.exc import DBAPIError
from stand_in_task import WRITE, stand_in_tasks

from lacuna.corpus.open import open_store
from lacuna.errors import LacunaError
from lacuna_collect.database.engine import CollectDatabase, as_failure, database_url, sqlite_url
from lacuna_collect.database.tables import PERSON
from lacuna_collect.work.assignments import Assigned, Saved
from lacuna_collect.work.work import Work


@pytest.fixture(params=["sqlite", "postgresql"])
def small_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[str, Path]]:
    """An empty database on a small disk, and the disk."""
    if os.name == "nt" or os.geteuid():
        pytest.skip("mounting a small disk needs root")
    is_sqlite = request.param == "sqlite"
    cluster = None if is_sqlite else request.getfixturevalue("postgres")
    # Everything of PostgreSQL's server can be reached by its own user; this test's folder cannot.
    disk = Path(tempfile.mkdtemp(prefix="lacuna-disk-", dir=cluster))
    size = "4m" if is_sqlite else "24m"
    mount = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(disk)]
    if subprocess.run(mount, capture_output=True).returncode:
        disk.rmdir()
        pytest.skip("a small disk may not be mounted here")
    if cluster is None:
        (disk / "collect.db").touch()
        yield sqlite_url(disk / "collect.db"), disk
    else:
        with database_in(cluster, disk) as url:
            yield url, disk
    subprocess.run(["umount", "-l", str(disk)], check=True)
    disk.rmdir()


@contextmanager
def database_in(cluster: Path, disk: Path) -> Iterator[str]:
    """A database whose tables are on that disk; the server's own files are elsewhere."""
    place = disk / "tables"
    place.mkdir()
    shutil.chown(place, cluster.owner(), cluster.group())
    engine = create_engine(database_url(postgres_url(cluster, "postgres")))
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.execute(text(f"CREATE TABLESPACE small LOCATION '{place}'"))
        connection.execute(text("CREATE DATABASE on_small_disk TABLESPACE small"))
        yield postgres_url(cluster, "on_small_disk")
        connection.execute(text("DROP DATABASE on_small_disk WITH (FORCE)"))
        connection.execute(text("DROP TABLESPACE small"))
    engine.dispose()


def test_full_disk_is_told_and_nothing_saved_before_is_lost(small_url: tuple[str, Path]) -> None:
    url, disk = small_url
    database = CollectDatabase.open(url)
    with database.begin() as transaction:
        row = {"platform": "", "name": "ada", "folded": "ada", "role": "worker", "created_at": 0}
        transaction.execute(insert(PERSON).values(row))
    work = Work(database, stand_in_tasks(), lambda: open_store())
    work.items.make(Random(0))
    assigned = work.next(1, WRITE)
    assert isinstance(assigned, Assigned)
    version = 0
    ballast = disk / "ballast"
    free = os.statvfs(disk)
    with ballast.open("wb") as file:
        os.posix_fallocate(file.fileno(), 0, free.f_bavail * free.f_frsize - 300_000)
    letters = Random(1)
    with pytest.raises(LacunaError, match=r"full.*make room"):
        for number in range(100):
            # What repeats itself would be stored small.
            draft = {"word": f"{number} {letters.randbytes(25_000).hex()}"}
            assert isinstance(work.save(1, assigned.assignment, draft, version, 1), Saved)
            version += 1
    assert version, "some room was there at first"
    seen = work.open(1, assigned.assignment)
    assert seen.draft is not None
    assert (seen.version, seen.draft["word"].split()[0]) == (version, str(version - 1))
    ballast.unlink()
    assert isinstance(work.save(1, assigned.assignment, {"word": "on"}, version, 1), Saved)
    database.close()


def test_what_postgresql_says_of_a_full_disk() -> None:
    said = Exception({"S": "ERROR", "C": "53100", "M": "could not extend file"})
    error = as_failure(DBAPIError("INSERT", None, said), "postgresql://host/name")
    assert "is full" in str(error)


def test_other_failures_say_what_they_are() -> None:
    said = sqlite3.OperationalError("unable to open database file")
    error = as_failure(DBAPIError("INSERT", None, said), "sqlite:///x.db")
    assert "unable to open database file" in str(error)
