"""Collections of real documents: those in the folder that LACUNA_REAL names, and any others."""

from __future__ import annotations

import os
import tarfile
from collections.abc import Iterator
from pathlib import Path

from lacuna.errors import LacunaError


def real_folder() -> Path:
    """The folder with real questions over real documents."""
    if not (folder := os.environ.get("LACUNA_REAL")):
        raise LacunaError("Set LACUNA_REAL to the folder with the collections of documents.")
    return Path(folder)


def unpacked(work: Path) -> Iterator[tuple[str, Path]]:
    """The collections by name, each unpacked once under ``work``."""
    for archive in sorted(real_folder().glob("*.tar.xz")):
        name = archive.name.removesuffix(".tar.xz")
        folder = work / name
        if not folder.exists():
            part = work / f"{name}.part"
            with tarfile.open(archive) as tar:
                tar.extractall(part, filter="data")
            part.rename(folder)
        yield name, folder
