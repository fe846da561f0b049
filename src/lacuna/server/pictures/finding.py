"""The file of a picture: beside the page that shows it, in a folder whose pictures may be shown.

Whoever asks names a document and a number. The path comes from the document, and leads nowhere but
into the folder that the document was read from.
"""

from __future__ import annotations

import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from urllib.parse import unquote

from lacuna.corpus.pages.picture_log import picture_path
from lacuna.server.pictures.raster import HEAD, Raster, raster_of
from lacuna.types import Document, Picture

LARGEST_FILE = 8 << 20
"""Bytes."""
MOST = 300
"""Of a document."""


@dataclass(frozen=True, slots=True)
class FoundPicture:
    """A picture that can be shown; its ``number`` is its place among those of its document."""

    number: int
    picture: Picture
    path: Path
    raster: Raster


def shown_pictures(document: Document, folders: Sequence[Path]) -> list[FoundPicture]:
    """The pictures of a document that can be shown, in the order of the text."""
    found = (shown_picture(document, number, folders) for number in range(MOST))
    return [one for one in found if one is not None]


def shown_picture(document: Document, number: int, folders: Sequence[Path]) -> FoundPicture | None:
    """One picture of a document; None where it is missing, or may not be shown."""
    if document.origin is None or not 0 <= number < min(len(document.pictures), MOST):
        return None
    root = _real(Path(document.origin.root)) if document.origin.root else None
    if root is None or not any(root.is_relative_to(folder) for folder in folders):
        return None
    picture = document.pictures[number]
    for path in _paths(root, document.origin.file, picture.target):
        raster = raster_of(content(path, HEAD))
        if raster is not None and raster.can_be_shown:
            return FoundPicture(number, picture, path, raster)
    return None


def content(path: Path, most: int = LARGEST_FILE) -> bytes:
    """The first bytes of a file; none where it is no file that can be read, or is too large."""
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode) or status.st_size > LARGEST_FILE:
            return b""
        with path.open("rb") as file:
            return file.read(most)
    except OSError:
        return b""


def _paths(root: Path, file: str, target: str) -> Iterator[Path]:
    """Where the file may lie: as seen from its page, or else from the root."""
    written = picture_path(target)
    for name in dict.fromkeys((written, unquote(written))):
        relative = PurePosixPath(name.replace("\\", "/").lstrip("/"))
        for above in (PurePosixPath(file).parent, PurePosixPath()):
            path = _real(root / above / relative)
            if path is not None and path.is_relative_to(root) and not _is_hidden(path, root):
                yield path


def _real(path: Path) -> Path | None:
    """Where a path leads once all links are followed."""
    try:
        return path.resolve(strict=True)
    except (OSError, RuntimeError, ValueError):  # it is not there, a loop of links, a null
        return None


def _is_hidden(path: Path, root: Path) -> bool:
    return any(part.startswith(".") for part in path.relative_to(root).parts)
