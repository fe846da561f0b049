"""Take the wanted files out of an archive, and nothing else."""

from __future__ import annotations

import gzip
import shutil
import tarfile
import zipfile
import zlib
from pathlib import Path, PurePosixPath
from typing import IO

from lacuna.errors import LacunaError

CHUNK = 1 << 20


def unpack(archive: Path, members: tuple[str, ...], folder: Path) -> list[Path]:
    """Write each member under its own name, without the archive's folders, into ``folder``."""
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
