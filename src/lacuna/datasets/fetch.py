"""Fetch an official file into a folder, and take what is wanted out of an archive."""

from __future__ import annotations

import gzip
import shutil
import tarfile
import zipfile
import zlib
from pathlib import Path, PurePosixPath
from typing import IO

from lacuna.datasets.download import Progress, download
from lacuna.datasets.official_files import OfficialFile
from lacuna.errors import LacunaError
from lacuna.files.cache import cache_folder

CHUNK = 1 << 20


def folder_of(dataset: str) -> Path:
    """Where a dataset's official files are kept."""
    return cache_folder() / dataset


def fetch(file: OfficialFile, folder: Path, progress: Progress) -> list[Path]:
    """Fetch one file, and unpack it if it is an archive; what is there already is kept."""
    paths = file.paths(folder)
    if all(path.exists() for path in paths):
        return paths
    archive = folder / file.name
    if not archive.exists():
        download(file, archive, progress)
    if file.members:
        unpack(archive, file.members, folder)
        archive.unlink()
    return paths


def unpack(archive: Path, members: tuple[str, ...], folder: Path) -> list[Path]:
    """Write each member, and nothing else, into ``folder``, without the archive's own folders."""
    try:
        if zipfile.is_zipfile(archive):
            with zipfile.ZipFile(archive) as packed:
                return [_write(packed.open(member), member, folder) for member in members]
        with gzip.open(archive) as unpacked, tarfile.open(fileobj=unpacked) as packed_tar:
            while unpacked.read(CHUNK):  # to the end, where the checksum is
                pass
            written = []
            for member in members:
                stream = packed_tar.extractfile(member)
                if stream is None:
                    raise KeyError(f"{member} is no file")
                written.append(_write(stream, member, folder))
            return written
    except (KeyError, EOFError, OSError, zlib.error, tarfile.TarError, zipfile.BadZipFile) as error:
        raise LacunaError(
            f"{archive} is not the archive that was expected ({error}). "
            "Delete it and run the command again."
        ) from error


def _write(stream: IO[bytes], member: str, folder: Path) -> Path:
    path = folder / PurePosixPath(member).name
    part = path.with_name(path.name + ".part")
    try:
        with stream, part.open("wb") as out:
            shutil.copyfileobj(stream, out)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
    return path
