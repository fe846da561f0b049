"""The disk is full: what is refused is told in clear words, and with room all goes on."""

from __future__ import annotations

import os
import sqlite3
import subprocess
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from sqlalchemy import insert
from sqlalchemy.exc import DBAPIError
from stand_in_task import WRITE, stand_in_tasks

from lacuna.collect.database.engine import CollectDatabase
from lacuna.collect.database.failures import as_failure
from lacuna.collect.database.tables import PERSON
from lacuna.collect.project import sqlite_url
from lacuna.collect.work.results import Assigned, Saved
from lacuna.collect.work.work import Work
from lacuna.corpus.open import open_store
from lacuna.errors import LacunaError


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    if os.name == "nt" or os.geteuid():
        pytest.skip("mounting a small disk needs root")
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", str(disk)]
    if subprocess.run(mount, capture_output=True).returncode:
        pytest.skip("a small disk may not be mounted here")
    yield disk
    subprocess.run(["umount", "-l", str(disk)], check=True)


def test_full_disk_is_told_and_nothing_saved_before_is_lost(disk: Path) -> None:
    (disk / "collect.db").touch()
    database = CollectDatabase.open(sqlite_url(disk / "collect.db"))
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
    with pytest.raises(LacunaError, match=r"full.*make room"):
        for number in range(100):
            draft = {"word": f"{number} " + "x" * 50_000}
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
