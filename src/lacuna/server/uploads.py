"""Uploads: checked, unpacked within limits, and indexed."""

from __future__ import annotations

import shutil
import zipfile
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path, PurePosixPath

from lacuna.corpus.formats.entries import Entry, files_of, names_in
from lacuna.corpus.formats.registry import page_suffixes
from lacuna.corpus.refresh import refresh_source
from lacuna.corpus.source_item import Skipped
from lacuna.corpus.store import Store
from lacuna.errors import LacunaError
from lacuna.server.limits import MB, Limits
from lacuna.server.pictures.keeping import KeptPictures, is_picture
from lacuna.server.refusals import Refusal

ZIP = ".zip"
UNKNOWN = "no file of this kind can be read"
NO_ZIP = "it is no zip archive, or is cut off"
MEMBER = b"PK\x01\x02"
"""What stands before each member in the directory of a zip archive."""
NAMED = 5
"""Files that a refusal names, with the reasons."""


def index_upload(files: Sequence[tuple[str, Path]], folder: Path, limits: Limits) -> None:
    """Make a corpus in ``folder / "corpus"`` from uploaded files, by their names.

    What cannot be read is skipped, and the corpus knows why. Nothing of the upload is executed, and
    nothing is written outside of ``folder``: pages get the names they have in the archive only
    after those were checked.
    """
    pages, pictures = folder / "pages", folder / "pictures"
    left_out = list(_unpack(files, pages, pictures, limits))
    with Store.create(folder / "corpus") as store:
        with store.writer() as writer:
            writer.add(left_out)
            if any(names_in(pages, _is_page)):
                refresh_source(writer, pages)
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
            if is_picture(entry.name):
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
    elif name.lower().endswith(page_suffixes()) or is_picture(name):
        yield Entry(shown, path.read_bytes())
    else:
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
        for file in files_of(path, lambda member: not _is_hidden(member)):
            if isinstance(file, Skipped):
                yield file
            else:
                is_taken = _is_page(file.name) or is_picture(file.name)
                yield file.load() if is_taken else Skipped(file.name, UNKNOWN)
    except LacunaError:  # it would name a file of ours
        yield Skipped(name, NO_ZIP)


def _is_page(name: str) -> bool:
    return name.lower().endswith(page_suffixes()) and not _is_hidden(name)


def _is_hidden(name: str) -> bool:
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
