"""Uploads: checked, unpacked within limits, and indexed."""

from __future__ import annotations

import shutil
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath

from lacuna.corpus.formats import open_source
from lacuna.corpus.formats.entries import Entry, entries_of, names_in
from lacuna.corpus.source_item import Skipped
from lacuna.corpus.store import Store
from lacuna.errors import LacunaError
from lacuna.server.limits import MB, Limits
from lacuna.server.refusals import Refusal

PAGES = (".md", ".markdown", ".html", ".htm")
TAKEN = ".md, .html or .zip"
MEMBER = b"PK\x01\x02"
"""What stands before each member in the directory of a zip archive."""
REPORTED = 50
"""How many files that gave no document are reported."""


def index_upload(files: Sequence[tuple[str, Path]], folder: Path, limits: Limits) -> list[Skipped]:
    """Make a corpus in ``folder / "corpus"`` from uploaded files, by their names.

    Gives what was skipped. Nothing of the upload is executed, and nothing is written outside of
    ``folder``: pages get the names they have in the archive only after those were checked.
    """
    pages = folder / "pages"
    skipped = list(_unpack(files, pages, limits))
    with Store.create(folder / "corpus") as store:
        with store.writer() as writer:
            if any(names_in(pages, _is_page)):
                writer.add(open_source(pages))
        skipped += store.skipped()
        if not len(store):
            reasons = "; ".join(f"{file.where}: {file.reason}" for file in skipped[:5])
            raise Refusal(
                422,
                "upload-empty",
                f"Nothing in the upload could be read as a page{f' ({reasons})' if reasons else ''}"
                f". Give {TAKEN} files with text in them.",
            )
    shutil.rmtree(pages)
    return skipped[:REPORTED]


def _unpack(files: Sequence[tuple[str, Path]], pages: Path, limits: Limits) -> Iterator[Skipped]:
    pages.mkdir(parents=True)
    count = size = 0
    for name, path in files:
        for entry in _entries(name, path, limits):
            if isinstance(entry, Skipped):
                yield entry
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
    suffix = PurePosixPath(name.lower()).suffix
    if suffix in PAGES:
        yield Entry(PurePosixPath(name.replace("\\", "/")).name, path.read_bytes())
    elif suffix == ".zip":
        yield from _members(name, path, limits)
    else:
        raise Refusal(
            415, "upload-not-pages", f"{name!r} is no page that can be read. Give {TAKEN} files."
        )


def _members(name: str, path: Path, limits: Limits) -> Iterator[Entry | Skipped]:
    no_zip = Refusal(415, "upload-not-zip", f"{name!r} is no zip archive, or is cut off.")
    if not zipfile.is_zipfile(path):
        raise no_zip
    # Counted before it is opened: the directory alone of a hostile archive could fill the memory.
    if path.read_bytes().count(MEMBER) > 4 * limits.pages:
        raise Refusal(413, "upload-too-large", f"{name!r} holds too many files. Give fewer.")
    try:
        yield from entries_of(path, _is_page)
    except LacunaError as error:  # it would name a file of ours
        raise no_zip from error


def _is_page(name: str) -> bool:
    path = PurePosixPath(name.lower())
    hidden = any(part.startswith((".", "__macosx")) and part != ".." for part in path.parts)
    return path.suffix in PAGES and not hidden


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
