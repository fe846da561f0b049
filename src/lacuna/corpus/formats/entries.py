"""The files of a folder or an archive, one at a time, without unpacking anything to disk."""

from __future__ import annotations

import lzma
import os
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from lacuna.corpus.source_item import Skipped
from lacuna.errors import LacunaError

LARGEST_FILE = 32 << 20
"""Bytes that one page may have; a larger file is no page, and parsing it would fill the memory."""

BOUNDED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""How a page may be packed: Python unpacks all others at once, however much memory that takes."""

NAMES_ONLY = -1

Wanted = Callable[[str], bool]


@dataclass(frozen=True, slots=True)
class Entry:
    """One file: its name from the root of the source, with ``/``, and its content."""

    name: str
    data: bytes


def entries_of(path: Path, wanted: Wanted) -> Iterator[Entry | Skipped]:
    """The files of a folder or archive whose name is wanted, or the one file at ``path``.

    What cannot be read safely is skipped with the reason.
    """
    return _entries(path, wanted, LARGEST_FILE)


def names_in(path: Path, wanted: Wanted) -> Iterator[str]:
    """Only the names of the files that ``entries_of`` gives; no content is read."""
    for entry in _entries(path, wanted, NAMES_ONLY):
        if isinstance(entry, Entry):
            yield entry.name


def _entries(path: Path, wanted: Wanted, limit: int) -> Iterator[Entry | Skipped]:
    if path.is_dir():
        return _folder(path, wanted, limit)
    if wanted(path.name):
        return iter((_file(path, _shown(path.name), limit),))
    if path.is_file() and zipfile.is_zipfile(path):
        return _zip(path, wanted, limit)
    return _tar(path, wanted, limit)


def paths_in(root: Path, wanted: Wanted) -> Iterator[Path]:
    """The files of a folder whose name is wanted, for formats with large files."""
    return (path for path in _walk(root, wanted) if isinstance(path, Path))


def _folder(root: Path, wanted: Wanted, limit: int) -> Iterator[Entry | Skipped]:
    for path in _walk(root, wanted):
        if isinstance(path, Skipped):
            yield path
        else:
            yield _file(path, _relative(path, root), limit)


def _walk(root: Path, wanted: Wanted) -> Iterator[Path | Skipped]:
    waiting = [root]
    seen: set[tuple[int, int]] = set()
    while waiting:
        folder = waiting.pop()
        try:
            status = folder.stat()
            inside = sorted(folder.iterdir())
        except OSError as error:
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


def _file(path: Path, name: str, limit: int) -> Entry | Skipped:
    try:
        if not path.is_file():
            return Skipped(name, "it is a broken link, or not a plain file")
        with path.open("rb") as file:
            return _content(name, path.stat().st_size, file, limit)
    except OSError as error:
        return Skipped(name, f"it cannot be read: {error.strerror}")


def _zip(path: Path, wanted: Wanted, limit: int) -> Iterator[Entry | Skipped]:
    try:
        with zipfile.ZipFile(path) as archive:
            for member in archive.infolist():
                if member.is_dir() or not wanted(member.filename):
                    continue
                name = _shown(member.filename)
                if problem := _unsafe(name) or _unfit(member):
                    yield Skipped(name, problem)
                    continue
                try:
                    with archive.open(member) as file:
                        yield _content(name, member.file_size, file, limit)
                except (RuntimeError, NotImplementedError, zipfile.BadZipFile, zlib.error) as error:
                    yield Skipped(name, f"it cannot be unpacked: {error}")
    except (zipfile.BadZipFile, EOFError, OSError, ValueError, NotImplementedError) as error:
        raise _damaged(path, error) from error


def _tar(path: Path, wanted: Wanted, limit: int) -> Iterator[Entry | Skipped]:
    try:
        with tarfile.open(path, "r|*") as archive:
            for member in archive:
                # The archive would remember every member it has seen.
                archive.members = []  # type: ignore[attr-defined]
                name = _shown(member.name)
                if member.isdir() or not wanted(name):
                    continue
                if problem := _unsafe(name) or ("" if member.isfile() else "it is a link"):
                    yield Skipped(name, problem)
                elif (file := archive.extractfile(member)) is not None:
                    yield _content(name, member.size, file, limit)
    except (tarfile.TarError, EOFError, OSError, zlib.error, lzma.LZMAError) as error:
        raise _damaged(path, error) from error


def _content(name: str, size: int, file: IO[bytes], limit: int) -> Entry | Skipped:
    name = name.removeprefix("./")
    if limit == NAMES_ONLY:
        return Entry(name, b"")
    # What an archive says of a size may be false: one byte more than allowed tells.
    data = b"" if size > limit else file.read(limit + 1)
    if size > limit or len(data) > limit:
        return Skipped(name, f"it is larger than {limit >> 20} MB; split it into several pages")
    return Entry(name, data)


def _unsafe(name: str) -> str:
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
