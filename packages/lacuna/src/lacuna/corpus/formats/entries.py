"""The files of a folder or an archive, one at a time, without unpacking anything to disk."""

from __future__ import annotations

import errno
import lzma
import os
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import IO

from lacuna.corpus.store import Skipped
from lacuna.errors import LacunaError, is_of_the_system

LARGEST_FILE = 32 << 20
"""Bytes that one page may have; a larger file is no page, and parsing it would fill the memory."""

BOUNDED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""The compressions that a page may have: Python unpacks all others at once, however much memory
that takes."""

UNPACKING = (RuntimeError, zipfile.BadZipFile, zlib.error, EOFError, ValueError)
"""The errors that Python raises where a member of an archive is damaged or locked with a
password."""

Wanted = Callable[[str], bool]


@dataclass(frozen=True, slots=True)
class Entry:
    """One file: its name from the root of the source, with ``/``, and its content."""

    name: str
    data: bytes


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file of a source that can be loaded; of an archive, before the next one is looked at.

    ``state`` changes whenever the file does, as far as that can be seen without reading it; what
    has no times of its own has none.
    """

    name: str
    size: int
    state: str
    open: Callable[[], AbstractContextManager[IO[bytes]]]

    def load(self, limit: int = LARGEST_FILE) -> Entry | Skipped:
        """Its content; a reason if that cannot be had, or is larger than the limit."""
        try:
            # What an archive says of a size may be false: one byte more than allowed tells.
            data = b""
            if self.size <= limit:
                with self.open() as file:
                    data = file.read(limit + 1)
        except OSError as error:
            here = error.errno == errno.EIO  # where this file lies, the disk may be bad
            if is_of_the_system(error) and not here:
                raise
            return Skipped(self.name, f"it cannot be read: {error.strerror or error}", again=here)
        except UNPACKING as error:
            return Skipped(self.name, f"it cannot be unpacked: {error}")
        if self.size > limit or len(data) > limit:
            mb = limit >> 20
            return Skipped(self.name, f"it is larger than {mb} MB; split it into several pages")
        return Entry(self.name, data)


def files_of(path: Path, wanted: Wanted = bool) -> Iterator[SourceFile | Skipped]:
    """The files of a folder or archive whose name is wanted, one after the other."""
    if path.is_dir():
        return _folder(path, wanted)
    if path.is_file() and zipfile.is_zipfile(path):
        return _zip(path, wanted)
    return _tar(path, wanted)


def single_file(path: Path) -> SourceFile | Skipped:
    """One file as the only one of its source."""
    return _file(path, _shown(path.name))


def names_in(path: Path, wanted: Wanted) -> Iterator[str]:
    """The names of the files of a folder or archive, or of the one file at ``path``; no content is
    read."""
    one = not path.is_dir() and wanted(path.name)
    for file in (single_file(path),) if one else files_of(path, wanted):
        if isinstance(file, SourceFile):
            yield file.name


def paths_in(root: Path, wanted: Wanted) -> Iterator[Path]:
    """The files of a folder whose name is wanted, for formats with large files."""
    return (path for path in _walk(root, wanted) if isinstance(path, Path))


def _folder(root: Path, wanted: Wanted) -> Iterator[SourceFile | Skipped]:
    for path in _walk(root, wanted):
        yield path if isinstance(path, Skipped) else _file(path, _relative(path, root))


def _walk(root: Path, wanted: Wanted) -> Iterator[Path | Skipped]:
    waiting = [root]
    seen: set[tuple[int, int]] = set()
    while waiting:
        folder = waiting.pop()
        try:
            status = folder.stat()
            inside = sorted(folder.iterdir())
        except OSError as error:
            if is_of_the_system(error):
                raise  # else all that is in it would count as gone
            yield Skipped(_relative(folder, root), f"it cannot be read: {error.strerror}")
            continue
        if (status.st_dev, status.st_ino) in seen:
            yield Skipped(_relative(folder, root), "a link to a folder that is read already")
            continue
        seen.add((status.st_dev, status.st_ino))
        below = []
        for path in inside:
            if path.name.startswith("."):
                continue  # settings and history of other programs, such as .git and .obsidian
            if os.path.isdir(path):  # noqa: PTH112 - Path's raises where a link leads too far
                below.append(path)
            elif wanted(path.name):
                yield path
        waiting.extend(reversed(below))


def _file(path: Path, name: str) -> SourceFile | Skipped:
    try:
        status = path.stat()
    except OSError as error:
        if error.errno == errno.ENAMETOOLONG:  # the files of a folder cannot even be counted
            return Skipped(name, "its path is too long; index it, or a folder near it, by itself")
        return Skipped(name, f"it is a broken link, or cannot be read: {error.strerror}")
    if not stat.S_ISREG(status.st_mode):
        return Skipped(name, "it is not a plain file")
    return SourceFile(name, status.st_size, file_state(status), lambda: path.open("rb"))


def file_state(status: os.stat_result) -> str:
    """What changes when a file does: its size, its times, and which file it is."""
    return f"{status.st_size} {status.st_mtime_ns} {status.st_ctime_ns} {status.st_ino}"


def _zip(path: Path, wanted: Wanted) -> Iterator[SourceFile | Skipped]:
    try:
        with zipfile.ZipFile(path) as archive:
            for member in archive.infolist():
                name = _shown(member.filename).removeprefix("./")
                if name and (name.endswith("/") or not wanted(name)):
                    continue
                if problem := _unsafe(name) or _unfit(member):
                    yield Skipped(name or "a file without a name", problem)
                else:
                    yield SourceFile(name, member.file_size, "", partial(archive.open, member))
    except (zipfile.BadZipFile, EOFError, OSError, ValueError, NotImplementedError) as error:
        raise _damaged(path, error) from error


def _tar(path: Path, wanted: Wanted) -> Iterator[SourceFile | Skipped]:
    try:
        with tarfile.open(path, "r|*") as archive:
            for member in archive:
                # The archive would remember every member it has seen.
                archive.members = []  # type: ignore[attr-defined]
                name = _shown(member.name).removeprefix("./")
                if member.isdir() or (name and not wanted(name)):
                    continue
                if problem := _unsafe(name) or ("" if member.isfile() else "it is a link"):
                    yield Skipped(name or "a file without a name", problem)
                elif (file := archive.extractfile(member)) is not None:
                    # A damaged archive ends the reading: nothing behind that place can be had.
                    yield SourceFile(name, member.size, "", partial(_streamed, path, file))
    except (tarfile.TarError, EOFError, OSError, zlib.error, lzma.LZMAError) as error:
        raise _damaged(path, error) from error


@contextmanager
def _streamed(path: Path, file: IO[bytes]) -> Iterator[IO[bytes]]:
    try:
        yield file
    except (tarfile.TarError, EOFError, OSError, zlib.error, lzma.LZMAError) as error:
        raise _damaged(path, error) from error


def _unsafe(name: str) -> str:
    if not name:
        return "it has no name"
    if name.startswith(("/", "\\")) or name[1:2] == ":":
        return "its name is an absolute path"
    if ".." in name.replace("\\", "/").split("/"):
        return "its name leads out of the archive"
    return ""


def _unfit(member: zipfile.ZipInfo) -> str:
    if member.external_attr >> 28 == 0xA:
        return "it is a link"
    if member.compress_type not in BOUNDED:
        return "it is packed in an unusual way; pack it with deflate, as most programs do"
    return ""


def _damaged(path: Path, error: Exception) -> LacunaError:
    return LacunaError(
        f"{path} is an archive that is cut off or damaged ({error}). "
        "Copy or download it again, or unpack it and give the folder."
    )


def _relative(path: Path, root: Path) -> str:
    return _shown(path.relative_to(root).as_posix())


def _shown(name: str) -> str:
    """A name that is not valid UTF-8 must still be one that can be printed and stored."""
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
