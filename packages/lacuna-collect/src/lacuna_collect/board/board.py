"""A board: a folder with its settings, its database, hidden answers, and what was sent."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from lacuna.errors import LacunaError
from lacuna.files.cache import lock_alone
from lacuna.files.settings import write_settings
from lacuna_collect.board.database import (
    HEAD,
    SETTINGS_FILE,
    BoardDatabase,
    BoardSettings,
    read_board_file,
)
from lacuna_collect.board.submissions import Submissions, Teams
from lacuna_collect.board.tables import BoardTables

SERVED = "served.lock"


@dataclass(frozen=True, slots=True)
class Board:
    """Everything of one board, opened."""

    folder: Path
    settings: BoardSettings
    database: BoardDatabase

    @classmethod
    def create(cls, folder: Path, settings: BoardSettings) -> Board:
        """Make a board in a new folder, which only its owner can look into."""
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise LacunaError(f"{folder} is there already. Give the name of a new folder.")
        folder.mkdir(parents=True, exist_ok=True)
        try:
            folder.chmod(0o700)
            for place in ("hidden", "tables", "submissions", "arriving"):
                (folder / place).mkdir()
            database = BoardDatabase.in_folder(folder, create=True)
            with database.begin() as transaction:
                transaction.log("board", {"title": settings.title})
            # Last: a folder that has it is whole.
            write_settings(folder / SETTINGS_FILE, settings, HEAD)
        except BaseException:  # whoever tries again does not want half a board in the way
            shutil.rmtree(folder, ignore_errors=True)
            raise
        return cls(folder, settings, database)

    @classmethod
    def open(cls, folder: Path) -> Board:
        """Open a board."""
        settings = read_board_file(folder)
        return cls(folder, settings, BoardDatabase.in_folder(folder))

    @property
    def tables(self) -> BoardTables:
        """What is compared."""
        return BoardTables(self.database, self.folder, self.settings.smallest_part)

    @property
    def teams(self) -> Teams:
        """Who sends predictions."""
        return Teams(self.database)

    @property
    def submissions(self) -> Submissions:
        """What was sent."""
        return Submissions(self.database, self.folder, self.settings)

    @contextmanager
    def served_alone(self) -> Iterator[None]:
        """Let one server at a time score what is queued; files that never arrived are removed."""
        with (self.folder / SERVED).open("wb") as lock:
            if not lock_alone(lock):
                raise LacunaError(f"{self.folder} is served already, by another process.")
            for left in (self.folder / "arriving").iterdir():
                left.unlink()
            yield
