"""Collections of real documents: those in the folder that LACUNA_REAL names, and any others."""

from __future__ import annotations

import os
import tarfile
from collections.abc import Collection, Iterator
from pathlib import Path

from lacuna.errors import LacunaError


def real_folder() -> Path:
    """The folder with real questions over real documents."""
    if not (folder := os.environ.get("LACUNA_REAL")):
        raise LacunaError("Set LACUNA_REAL to the folder with the collections of documents.")
    return Path(folder)


def unpacked(
    archives: Path, work: Path, wanted: Collection[str] = ()
) -> Iterator[tuple[str, Path]]:
    """The collections of a folder by name, each unpacked once under ``work``; all unless some are
    wanted."""
    for archive in sorted(archives.glob("*.tar.xz")):
        name = archive.name.removesuffix(".tar.xz")
        if wanted and name not in wanted:
            continue
        folder = work / name
        if not folder.exists():
            part = work / f"{name}.part"
            with tarfile.open(archive) as tar:
                tar.extractall(part, filter="data")
            part.rename(folder)
        yield name, folder
