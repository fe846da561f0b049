"""Back a project up while people work in it, and make a project from a backup.

A backup is a project's folder with a database of SQLite in it, wherever the project's own is: it
can be opened as it is, and restored into either kind.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from lacuna.collect.database.copying import copy_database
from lacuna.collect.project import DATABASE, new_folder, open_database
from lacuna.collect.project_file import read_project_file, write_project_file
from lacuna.errors import LacunaError


def back_up_project(folder: Path, backup: Path) -> int:
    """Copy a project as it is at this moment into a new folder; the corpus is not copied."""
    return _copy(folder, backup, "")


def restore_project(backup: Path, folder: Path, database: str = "") -> int:
    """Make a project from a backup, in a new folder and an empty database."""
    return _copy(backup, folder, database)


def _copy(source: Path, target: Path, database: str) -> int:
    file = read_project_file(source)
    old = open_database(source, file)
    try:
        new_folder(target)
        copied_file = replace(file, database=database)
        try:
            new = open_database(target, copied_file, create=True)
            try:
                rows = copy_database(old, new)
            finally:
                new.close()
        except LacunaError:
            _clear(target)
            raise
        write_project_file(target, copied_file)  # last: a folder without it is no project
        return rows
    finally:
        old.close()


def _clear(folder: Path) -> None:
    """Leave nothing half done behind."""
    for path in folder.glob(f"{DATABASE}*"):
        path.unlink()
    folder.rmdir()
