"""Which format a source is in, seen from its content and its name; and the way into it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path

from lacuna.corpus.formats.document_format import DocumentFormat
from lacuna.corpus.formats.entries import names_in
from lacuna.corpus.formats.packed import DAMAGED, damaged, open_packed
from lacuna.corpus.formats.registry import all_formats, format_names, get_format
from lacuna.corpus.source_item import Skipped, SourceItem
from lacuna.errors import LacunaError
from lacuna.files.opening import similar

HEAD = 1 << 16
NAMES_LOOKED_AT = 10_000
"""Of an archive, which must be unpacked for them; all names of a folder are looked at."""


@dataclass(frozen=True, slots=True)
class DetectedFormats:
    """The formats that a source is read in, one after the other, and the files that are not."""

    formats: tuple[DocumentFormat, ...]
    not_read: tuple[Skipped, ...] = ()


def open_source(path: Path, format: str | None = None) -> Iterator[SourceItem]:  # noqa: A002
    """Everything in a source, one thing at a time; the format is detected unless it is named.

    Of a folder or archive the pages of every format are read. Files that belong to a format which
    is one file each (JSON lines, a dump) are not pages: they come as ``Skipped``.
    """
    chosen = get_format(format) if format is not None else None
    if not path.exists():
        raise LacunaError(f"There is no file or folder {path}.{similar(path)}")
    detected = detect_formats(path) if chosen is None else DetectedFormats((chosen,))
    items = chain.from_iterable(known.read(path) for known in detected.formats)
    return chain(items, detected.not_read)


def detect_formats(path: Path) -> DetectedFormats:
    """How to read a file, folder or archive; an error that says why if there is no way."""
    formats = tuple(all_formats())
    if path.is_dir():
        return _formats_inside(path, formats)
    head = _head(path)
    if _is_archive(head, formats):
        return _formats_inside(path, formats)
    return DetectedFormats((_format_of_file(path, head, formats),))


def _format_of_file(path: Path, head: bytes, formats: Sequence[DocumentFormat]) -> DocumentFormat:
    by_content = _by_content(head, formats)
    by_name = _by_name(path.name, formats)
    if by_name and by_content and not by_content.is_named(path.name):
        raise LacunaError(
            f"{path} is named like {by_name.name}, but its content looks like {by_content.name}. "
            f"Rename it, or pass --format {by_content.name}."
        )
    detected = by_content or by_name
    if not (detected and detected.binary) and (b"\0" in head or not head.strip()):
        what = "is empty" if not head.strip() else "holds binary data, not text"
        raise LacunaError(f"{path} {what}. Give one of these: {', '.join(format_names())}.")
    if by_name and by_name.begins and not (by_name.pages or by_content):
        raise LacunaError(
            f"{path} is named like {by_name.name}, but does not begin like it. "
            "Is it the right file, and whole? If so, name its format with --format."
        )
    if detected is None:
        raise LacunaError(
            f"The format of {path} cannot be told. Name it with --format: "
            f"{', '.join(format_names())}."
        )
    return detected


def _head(path: Path) -> bytes:
    try:
        with open_packed(path) as file:
            return file.read(HEAD)
    except DAMAGED as error:
        raise damaged(path, error) from error


def _is_archive(head: bytes, formats: Sequence[DocumentFormat]) -> bool:
    packs_files = head.startswith(b"PK\x03\x04") or head[257:262] == b"ustar"
    return packs_files and _by_content(head, formats) is None


def _by_content(head: bytes, formats: Sequence[DocumentFormat]) -> DocumentFormat | None:
    return next((known for known in formats if known.begins and known.begins(head)), None)


def _by_name(name: str, formats: Sequence[DocumentFormat]) -> DocumentFormat | None:
    return next((known for known in formats if known.is_named(name)), None)


def _formats_inside(path: Path, formats: Sequence[DocumentFormat]) -> DetectedFormats:
    """The formats of the pages of a folder or archive, the commonest first, or that of a dump."""
    counts: Counter[str] = Counter()
    not_read: list[Skipped] = []

    def known(name: str) -> DocumentFormat | None:
        return _by_name(name, formats) or _part_of(name, formats)

    # An archive's own name is no name of a file in it.
    names = names_in(path, lambda name: name != path.name and known(name) is not None)
    for name in names if path.is_dir() else islice(names, NAMES_LOOKED_AT):
        named = known(name)
        assert named is not None
        if named.pages or name.lower().endswith(named.parts):
            counts[named.name] += 1
        else:
            reason = (
                f"it is {named.name}, which is not read as a page of a folder or archive; "
                "index the file by itself"
            )
            not_read.append(Skipped(name, reason))
    by_name = {listed.name: listed for listed in formats}
    ranked = [by_name[name] for name, _ in counts.most_common()]
    if ranked and ranked[0].parts:
        return DetectedFormats((ranked[0],))
    pages = tuple(listed for listed in ranked if listed.pages)
    if not pages:
        raise LacunaError(
            f"{path} holds no pages that can be read. Give a folder or archive of .md, .html or "
            ".txt files or of HotpotQA's .bz2 files, or one file of a format with a name: "
            f"{', '.join(format_names())}."
        )
    return DetectedFormats(pages, tuple(not_read))


def _part_of(name: str, formats: Sequence[DocumentFormat]) -> DocumentFormat | None:
    lower = name.lower()
    if ".tar" in lower:  # an archive of something
        return None
    return next((known for known in formats if known.parts and lower.endswith(known.parts)), None)
