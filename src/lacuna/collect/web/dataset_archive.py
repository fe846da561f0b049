"""The dataset in one archive, made in the background and kept until a newer one is made."""

from __future__ import annotations

import logging
import os
import shutil
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

from lacuna.errors import LacunaError

NAME = "dataset.zip"
BROKE_OFF = "The export broke off; the server's log says why."


@dataclass(frozen=True, slots=True)
class ArchiveState:
    """How far the archive is."""

    is_being_made: bool
    seconds: float
    """Since it was begun."""
    files: int
    size: int
    """Bytes of the files so far, or of the archive that is there."""
    made_at: float | None
    """When the archive that is there was made; None where there is none."""
    problem: str
    """Why the last one was not made."""


class DatasetArchive:
    """One at a time: whoever asks while one is being made gets that one."""

    def __init__(
        self, export: Callable[[Path], object], stop: Callable[[], None] = lambda: None
    ) -> None:
        self._export = export
        self._stop = stop
        self._held = tempfile.TemporaryDirectory(prefix="lacuna-export-")
        self._archive = Path(self._held.name) / NAME
        self._files = Path(self._held.name) / "files"
        self._lock = threading.Lock()
        self._begun: float | None = None
        self._made_at: float | None = None
        self._problem = ""

    def begin(self) -> None:
        """Make it of the work as it is now, unless one is being made."""
        with self._lock:
            if self._begun is not None:
                return
            self._begun, self._problem = time.monotonic(), ""
        threading.Thread(target=self._make, name="export", daemon=True).start()

    def state(self) -> ArchiveState:
        """How far it is."""
        with self._lock:
            begun, made_at, problem = self._begun, self._made_at, self._problem
        if begun is not None:
            sizes = _sizes(self._files)
            seconds = time.monotonic() - begun
            return ArchiveState(True, seconds, len(sizes), sum(sizes), made_at, problem)
        size = self._archive.stat().st_size if made_at is not None else 0
        return ArchiveState(False, 0, 0, size, made_at, problem)

    @property
    def path(self) -> Path | None:
        """The archive that was made last."""
        return self._archive if self._made_at is not None else None

    def close(self) -> None:
        """Make no more of it, and remove it."""
        self._stop()
        self._held.cleanup()

    def _make(self) -> None:
        problem = ""
        try:
            self._files.mkdir()
            self._export(self._files)
            made_at = time.time()
            packed = self._archive.with_suffix(".part")
            with ZipFile(packed, "w", ZIP_DEFLATED) as written:
                for path in sorted(self._files.rglob("*")):
                    if path.is_file():
                        written.write(path, path.relative_to(self._files))
            packed.replace(self._archive)  # who is downloading the old one keeps it
            self._made_at = made_at
        except LacunaError as error:
            problem = str(error)
        except Exception:
            logging.getLogger("lacuna").exception("The export broke off.")
            problem = BROKE_OFF
        finally:
            shutil.rmtree(self._files, ignore_errors=True)
            with self._lock:
                self._begun, self._problem = None, problem


def _sizes(folder: Path) -> list[int]:
    """Of the files that are there at this moment; they may be renamed or removed meanwhile."""
    sizes = []
    for place, _, names in os.walk(folder):  # which passes over folders that are gone
        for name in names:
            with suppress(FileNotFoundError):
                sizes.append((Path(place) / name).stat().st_size)
    return sizes
