"""Uploads: checked, unpacked within limits, indexed, and gone with the server."""

from __future__ import annotations

import os
import shutil
import stat
import tempfile
import weakref
import zipfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path, PurePosixPath
from urllib.parse import unquote

from lacuna.corpus.formats.base import page_suffixes
from lacuna.corpus.formats.entries import Entry, files_of, names_in
from lacuna.corpus.page import RASTER, is_picture, picture_path
from lacuna.corpus.refresh import refresh_source
from lacuna.corpus.store import Skipped, Store
from lacuna.errors import LacunaError
from lacuna.files.cache import only_writer
from lacuna.types import Document, Picture
from lacuna.web.limits import MB, Limits
from lacuna.web.refusals import Refusal

PREFIX = "lacuna-uploads-"
ATTEMPTS = 10
"""Another server that starts may take a new folder for one that was left."""


class UploadFolder:
    """A folder for uploads, until it is closed, or nobody has it any more."""

    def __init__(self) -> None:
        _remove_left()
        held = ExitStack()
        self.path = held.enter_context(_folder()) / "open"
        self.path.mkdir()
        self._close = weakref.finalize(self, held.close)

    def close(self) -> None:
        """Remove it with all that is in it."""
        self._close()


@contextmanager
def _folder() -> Iterator[Path]:
    for _ in range(ATTEMPTS):
        with ExitStack() as held:
            try:
                folder = Path(tempfile.mkdtemp(prefix=PREFIX))
                held.enter_context(only_writer(folder))
            except (LacunaError, OSError):
                continue
            if not list(folder.glob("*")):  # the lock was removed while it was taken
                continue
            try:
                yield folder
            finally:
                shutil.rmtree(folder, ignore_errors=True)
            return
    raise LacunaError(
        f"No folder for uploads can be made in {tempfile.gettempdir()}. Let TMPDIR name a folder "
        "that you can write to."
    )


def _remove_left() -> None:
    """Remove the folders of servers of this user that were killed."""
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        with suppress(OSError, LacunaError):
            if folder.is_symlink() or not folder.is_dir():
                continue
            if os.name == "posix" and folder.stat().st_uid != os.geteuid():
                continue
            with only_writer(folder):
                shutil.rmtree(folder, ignore_errors=True)


# What a picture is, by its first bytes: its kind and its size in points. Its name says nothing.
#
# Only pictures of points are known. Others, such as SVG, can hold scripts and addresses.


HEAD = 256 << 10
"""Bytes that are looked at; a photograph may have its colours described before its size."""
SMALLEST = 24
"""Points across and down; what is smaller is a bullet, a badge or a spacer."""
LARGEST = 20_000
MOST_POINTS = 50_000_000
"""A few bytes can tell a browser to fill its memory."""
_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
"""The marks in a JPEG that a size follows."""


@dataclass(frozen=True, slots=True)
class Raster:
    """A picture of points."""

    media_type: str
    width: int
    height: int

    @property
    def can_be_shown(self) -> bool:
        """Whether it is neither too small to say something nor too large to be drawn."""
        sides = (self.width, self.height)
        fits = all(SMALLEST <= side <= LARGEST for side in sides)
        return fits and self.width * self.height <= MOST_POINTS


def raster_of(head: bytes) -> Raster | None:
    """The picture that begins with these bytes; None where it is none that is known.

    >>> raster_of(b"GIF89a" + bytes([64, 0, 32, 0]))
    Raster(media_type='image/gif', width=64, height=32)
    >>> raster_of(b"<svg xmlns='http://www.w3.org/2000/svg'/>") is None
    True
    """
    for begins, media_type, size_of in _KINDS:
        if begins(head):
            size = size_of(head)
            return size and Raster(media_type, *size)
    return None


def _png(head: bytes) -> tuple[int, int] | None:
    if head[12:16] != b"IHDR" or len(head) < 24:
        return None
    return int.from_bytes(head[16:20], "big"), int.from_bytes(head[20:24], "big")


def _gif(head: bytes) -> tuple[int, int] | None:
    if len(head) < 10:
        return None
    return int.from_bytes(head[6:8], "little"), int.from_bytes(head[8:10], "little")


def _jpeg(head: bytes) -> tuple[int, int] | None:
    at = 2
    while at + 9 <= len(head) and head[at] == 0xFF:
        mark = head[at + 1]
        if mark in _FRAMES:
            down, across = head[at + 5 : at + 7], head[at + 7 : at + 9]
            return int.from_bytes(across, "big"), int.from_bytes(down, "big")
        at += 1 if mark == 0xFF else 2 + int.from_bytes(head[at + 2 : at + 4], "big")
    return None


def _webp(head: bytes) -> tuple[int, int] | None:
    if len(head) < 30:
        return None
    match head[12:16]:
        case b"VP8 " if head[23:26] == b"\x9d\x01\x2a":
            across, down = (int.from_bytes(head[at : at + 2], "little") for at in (26, 28))
            return across & 0x3FFF, down & 0x3FFF
        case b"VP8L" if head[20] == 0x2F:
            bits = int.from_bytes(head[21:25], "little")
            return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
        case b"VP8X":
            across, down = (int.from_bytes(head[at : at + 3], "little") for at in (24, 27))
            return across + 1, down + 1
    return None


_Begins = Callable[[bytes], bool]
_SizeOf = Callable[[bytes], tuple[int, int] | None]
_KINDS: tuple[tuple[_Begins, str, _SizeOf], ...] = (
    (lambda head: head.startswith(b"\x89PNG\r\n\x1a\n"), "image/png", _png),
    (lambda head: head.startswith((b"GIF87a", b"GIF89a")), "image/gif", _gif),
    (lambda head: head.startswith(b"\xff\xd8\xff"), "image/jpeg", _jpeg),
    (lambda head: head[:4] == b"RIFF" and head[8:12] == b"WEBP", "image/webp", _webp),
)


# The file of a picture: beside the page that shows it, in a folder whose pictures may be shown.
#
# Whoever asks names a document and a number. The path comes from the document, and leads nowhere
# but into the folder that the document was read from.


LARGEST_FILE = 8 << 20
"""Bytes."""
MOST_BYTES = 300
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
    found = (shown_picture(document, number, folders) for number in range(MOST_BYTES))
    return [one for one in found if one is not None]


def shown_picture(document: Document, number: int, folders: Sequence[Path]) -> FoundPicture | None:
    """One picture of a document; None where it is missing, or may not be shown."""
    if document.origin is None or not 0 <= number < min(len(document.pictures), MOST_BYTES):
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


NO_PICTURE = "it is no picture that can be shown"
NO_ROOM = "it is too large to be shown, or there is no room for more pictures"
MOST = 5_000


def may_be_shown(name: str) -> bool:
    """Whether a file may be a picture that can be shown, by its name."""
    return name.lower().endswith(RASTER)


class KeptPictures:
    """Writes pictures with ``write``, which says what is wrong, until they fill ``room`` bytes."""

    def __init__(self, write: Callable[[Entry], str], room: int) -> None:
        self._write = write
        self._room = room
        self._count = 0

    def keep(self, entry: Entry) -> Iterator[Skipped]:
        """Keep a picture, or say why it is not."""
        if problem := self._problem(entry):
            yield Skipped(entry.name, problem)

    def _problem(self, entry: Entry) -> str:
        if raster_of(entry.data[:HEAD]) is None:
            return NO_PICTURE
        if len(entry.data) > min(LARGEST_FILE, self._room) or self._count == MOST:
            return NO_ROOM
        self._room -= len(entry.data)
        self._count += 1
        return self._write(entry)


ZIP = ".zip"
UNKNOWN = "no file of this kind can be read"
NO_ZIP = "it is no zip archive, or is cut off"
MEMBER = b"PK\x01\x02"
"""What stands before each member in the directory of a zip archive."""
NAMED = 5
"""Files that a refusal names, with the reasons."""


class Readings:
    """How far the uploads are that are being read: files read, and files in all.

    Each goes by its person, and a name that their client gave it.
    """

    def __init__(self) -> None:
        self._counts: dict[tuple[str, str], tuple[int, int]] = {}

    def of(self, person: str, name: str) -> tuple[int, int]:
        """What was counted; nothing of what is not being read."""
        return self._counts.get((person, name), (0, 0))

    @contextmanager
    def counting(self, person: str, name: str) -> Iterator[Callable[[int, int], None]]:
        """What is to be told the counts, until all is read."""
        key = (person, name)
        try:
            yield lambda read, files: self._counts.__setitem__(key, (read, files))
        finally:
            self._counts.pop(key, None)


def index_upload(
    files: Sequence[tuple[str, Path]],
    folder: Path,
    limits: Limits,
    told: Callable[[int, int], None] = lambda read, files: None,
) -> None:
    """Make a corpus in ``folder / "corpus"`` from uploaded files, by their names.

    What cannot be read is skipped, and the corpus knows why. Nothing of the upload is executed, and
    nothing is written outside of ``folder``: pages get the names they have in the archive only
    after those were checked. ``told`` gets how many files were read, and how many there are.
    """
    pages, pictures = folder / "pages", folder / "pictures"
    left_out = list(_unpack(files, pages, pictures, limits))
    with Store.create(folder / "corpus") as store:
        with store.writer() as writer:
            writer.add(left_out)
            if number := sum(1 for _ in names_in(pages, _is_page)):
                refresh_source(
                    writer, pages, progress=lambda so_far: told(min(so_far.items, number), number)
                )
        if not len(store):
            raise _nothing_read(list(store.skipped()))
    shutil.rmtree(pages)
    pictures.rename(pages)  # each lies beside where its page was, and is looked for there


def taken_suffixes() -> list[str]:
    """How the names of files end that can be uploaded; a few more have a name of their own."""
    return [suffix for suffix in (*page_suffixes(), ZIP) if suffix.startswith(".")]


def _nothing_read(skipped: Sequence[Skipped]) -> Refusal:
    reasons = "; ".join(f"{file.where}: {file.reason}" for file in skipped[:NAMED])
    told = f"Nothing in the upload could be read{f' ({reasons})' if reasons else ''}."
    taken = ", ".join(taken_suffixes())
    if skipped and all(file.reason in (UNKNOWN, NO_ZIP) for file in skipped):
        return Refusal(415, "upload-not-pages", f"{told} Give files of these kinds: {taken}.")
    return Refusal(422, "upload-empty", f"{told} Give files with text in them, such as .md.")


def _unpack(
    files: Sequence[tuple[str, Path]], pages: Path, pictures: Path, limits: Limits
) -> Iterator[Skipped]:
    pages.mkdir(parents=True)
    pictures.mkdir()
    count = size = 0
    kept = KeptPictures(partial(_write, pictures), limits.pictures)
    for name, path in files:
        for entry in _entries(name, path, limits):
            if isinstance(entry, Skipped):
                yield entry
                continue
            if may_be_shown(entry.name):
                yield from kept.keep(entry)
                continue
            count += 1
            size += len(entry.data)
            if count > limits.pages or size > limits.unpacked:
                raise Refusal(
                    413,
                    "upload-too-large",
                    f"The upload unpacks to more than {limits.pages:,} pages or "
                    f"{limits.unpacked // MB} MB. Index it on the server with `lacuna index`.",
                )
            problem = _write(pages, entry)
            if problem:
                yield Skipped(entry.name, problem)


def _entries(name: str, path: Path, limits: Limits) -> Iterator[Entry | Skipped]:
    shown = _path_in_folder(name)
    if name.lower().endswith(ZIP):
        yield from _members(shown, path, limits)
    elif name.lower().endswith(page_suffixes()) or may_be_shown(name):
        yield Entry(shown, path.read_bytes())
    elif not is_picture(name):
        yield Skipped(shown, UNKNOWN)


def _path_in_folder(name: str) -> str:
    """The path of a page in the folder that was sent; of a path that leads elsewhere, its name."""
    path = PurePosixPath(name.replace("\\", "/"))
    leads_elsewhere = path.is_absolute() or ".." in path.parts or ":" in name
    return path.name if leads_elsewhere else str(path)


def _members(name: str, path: Path, limits: Limits) -> Iterator[Entry | Skipped]:
    if not zipfile.is_zipfile(path):
        yield Skipped(name, NO_ZIP)
        return
    # Counted before it is opened: the directory alone of a hostile archive could fill the memory.
    if path.read_bytes().count(MEMBER) > 4 * limits.pages:
        raise Refusal(413, "upload-too-large", f"{name!r} holds too many files. Give fewer.")
    try:
        for file in files_of(path, lambda member: not _is_hidden_upload(member)):
            if isinstance(file, Skipped):
                yield file
            elif _is_page(file.name) or may_be_shown(file.name):
                yield file.load()
            elif not is_picture(file.name):
                yield Skipped(file.name, UNKNOWN)
    except LacunaError:  # it would name a file of ours
        yield Skipped(name, NO_ZIP)


def _is_page(name: str) -> bool:
    return name.lower().endswith(page_suffixes()) and not _is_hidden_upload(name)


def _is_hidden_upload(name: str) -> bool:
    """Whether it is what a program keeps for itself, beside the pages."""
    parts = PurePosixPath(name.lower()).parts
    return any(part.startswith((".", "__macosx")) and part != ".." for part in parts)


def _write(pages: Path, entry: Entry) -> str:
    """Put a page in its place; why it cannot be, if so."""
    target = pages / entry.name
    if "\0" in entry.name or not target.resolve().is_relative_to(pages.resolve()):
        return "its name leads out of the upload"
    try:
        if target.exists():
            return "there is another page of that name"
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(entry.data)
    except OSError as error:
        return f"it cannot be written: {error.strerror}"
    return ""
