"""A dataset's official files: where they are published, and how they are fetched."""

from __future__ import annotations

import gzip
import hashlib
import http.client
import os
import shutil
import tarfile
import urllib.error
import urllib.request
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path, PurePosixPath
from typing import IO

from lacuna.errors import LacunaError
from lacuna.files.cache import cache_folder, make_in_cache


@dataclass(frozen=True, slots=True)
class OfficialFile:
    """One file to fetch; ``members`` are what is wanted of an archive."""

    address: str
    size: int | None = None
    sha256: str | None = None
    members: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The file's own name."""
        return self.address.rsplit("/", 1)[1]

    def paths(self, folder: Path) -> list[Path]:
        """The files of the folder after fetching."""
        names = [member.rsplit("/", 1)[-1] for member in self.members] or [self.name]
        return [folder / name for name in names]


@dataclass(frozen=True, slots=True)
class OfficialFiles:
    """All files of a dataset, their licence, and the page that tells about them."""

    licence: str
    home: str
    files: tuple[OfficialFile, ...]

    def named(self, part: str | None) -> list[OfficialFile]:
        """The files with ``part`` in their name; without it, all."""
        return [file for file in self.files if not part or part in file.name]


CHUNK = 1 << 18
TIMEOUT = 60.0
Progress = Callable[[int, int | None], None]
"""Called with how many bytes have arrived, and how many there will be if that is known."""


def folder_of(dataset: str) -> Path:
    """The folder of a dataset's official files."""
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


def download(file: OfficialFile, path: Path, progress: Progress) -> None:
    """Fetch ``file`` to ``path``; what is there of an earlier try is kept and continued."""
    part = path.with_name(path.name + ".part")
    try:
        make_in_cache(path.parent)
    except OSError as error:
        raise LacunaError(
            f"The cache folder {path.parent} cannot be made: {error.strerror}. "
            "Set the environment variable LACUNA_CACHE to a folder that you may write to."
        ) from error
    try:
        _receive(file, part, progress)
    except urllib.error.HTTPError as error:
        if error.code != HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE:
            raise _unreachable(file, path, f"{error.code} {error.reason}") from error
        # Nothing is left to fetch; the checksum below tells whether what is there is right.
    except (OSError, http.client.HTTPException) as error:
        reason = getattr(error, "reason", None) or getattr(error, "strerror", None) or error
        raise _unreachable(file, path, str(reason)) from error
    _verify(file, part)
    part.replace(path)


def _receive(file: OfficialFile, part: Path, progress: Progress) -> None:
    there = part.stat().st_size if part.exists() else 0
    if file.size is not None and there >= file.size:
        return
    request = urllib.request.Request(file.address)
    if there:
        request.add_header("Range", f"bytes={there}-")
    with urllib.request.urlopen(request, timeout=TIMEOUT) as response:
        if response.status != HTTPStatus.PARTIAL_CONTENT:
            there = 0  # the server sends the whole file again
        left = response.headers.get("Content-Length")
        total = there + int(left) if left else file.size
        with part.open("ab" if there else "wb") as out:
            while chunk := response.read(CHUNK):
                out.write(chunk)
                there += len(chunk)
                progress(there, total)
            out.flush()
            os.fsync(out.fileno())
    if total is not None and there < total:
        raise OSError(f"the connection ended after {there:,} of {total:,} bytes")


def _verify(file: OfficialFile, part: Path) -> None:
    if file.sha256 is None:
        return
    with part.open("rb") as raw:
        digest = hashlib.file_digest(raw, "sha256").hexdigest()
    if digest != file.sha256:
        part.unlink()
        raise LacunaError(
            f"{file.address} gave a file with the SHA-256 {digest}, but the published one is "
            f"{file.sha256}. The file was thrown away; try again, and if it happens twice, the "
            "file at that address has changed."
        )


def _unreachable(file: OfficialFile, path: Path, reason: str) -> LacunaError:
    return LacunaError(
        f"{file.address} cannot be reached ({reason}). What has arrived is kept, and the same "
        "command goes on from there. Without a network, get the file elsewhere and put it at "
        f"{path}."
    )


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
