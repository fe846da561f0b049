"""The kind of a source, judged by its content and its name; and the way into it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from posixpath import splitext

from lacuna.corpus.formats.base import (
    DocumentFormat,
    all_formats,
    format_names,
    get_format,
    page_formats,
    page_suffixes,
)
from lacuna.corpus.formats.entries import Entry, SourceFile, files_of, names_in, single_file
from lacuna.corpus.formats.isolation import FileReading, IsolatedReading, begin_isolated
from lacuna.corpus.formats.opening import DAMAGED, damaged, open_packed
from lacuna.corpus.formats.plain import decoded, verbatim_document
from lacuna.corpus.page import Page, is_picture
from lacuna.corpus.page_links import from_root, linked_pages
from lacuna.corpus.store import Skipped, SourceItem
from lacuna.errors import LacunaError
from lacuna.files.opening import similar
from lacuna.types import Document

HEAD = 1 << 16
NAMES_LOOKED_AT = 10_000
"""Of an archive, which must be unpacked for them; all names of a folder are looked at."""
PACKED = (".zip", ".tar", ".gz", ".bz2", ".xz", ".7z", ".rar", ".zst")


@dataclass(frozen=True, slots=True)
class DetectedSource:
    """The way to read a source: as a dump in one format, or file by file, each in its own.

    ``only`` is the one format that its pages are read in, where one was named.
    """

    path: Path
    formats: tuple[DocumentFormat, ...]
    dump: DocumentFormat | None = None
    single: bool = False
    """True if it is one page file, rather than a folder or archive of many."""
    only: DocumentFormat | None = None

    def files(self) -> Iterator[SourceFile | Skipped]:
        """The files of a source of pages, whether they can be read or not; pictures are shown with
        their pages, and are neither."""
        if self.single:
            return iter((single_file(self.path),))
        return files_of(self.path, lambda name: not is_picture(name) or self._reads(name))

    def _reads(self, name: str) -> bool:
        return not isinstance(self.format_of(name), Skipped)

    def format_of(self, name: str) -> DocumentFormat | Skipped:
        """The format of one of its files; the reason if there is no way."""
        if self.only is not None and (self.single or self.only.is_named(name)):
            return self.only
        known = None if self.only else _by_name(name, self.formats)
        if known is not None and known.pages:
            return known
        return Skipped(name, _why_not(name, known, self.only))

    def load(self, file: SourceFile) -> Entry | Skipped:
        """The content of one of its files; the reason if it is not to be read."""
        known = self.format_of(file.name)
        return known if isinstance(known, Skipped) else file.load(known.largest)

    def begin(self, entry: Entry) -> FileReading:
        """Read a file that was loaded, apart from this process."""
        known = self.format_of(entry.name)
        assert not isinstance(known, Skipped)
        return begin_isolated(known, entry)


def open_source(path: Path, format: str | None = None) -> Iterator[SourceItem]:  # noqa: A002
    """Everything in a source, one thing at a time; the format is detected unless it is named.

    Of a folder or archive the pages of every format are read. Links can only be resolved when all
    pages are known, so these are held in memory; ``lacuna.corpus.refresh`` reads into a store
    instead.
    """
    detected = detect_source(path, format)
    if detected.dump is not None:
        assert detected.dump.read is not None
        return detected.dump.read(path)
    return _read_pages(detected)


def _read_pages(detected: DetectedSource) -> Iterator[SourceItem]:
    pages: list[Page] = []
    root = str(detected.path.resolve())
    for file in detected.files():
        entry = file if isinstance(file, Skipped) else detected.load(file)
        for item in (entry,) if isinstance(entry, Skipped) else detected.begin(entry).items():
            if isinstance(item, Skipped):
                yield item
            else:
                pages.append(from_root(item, root))
    yield from linked_pages(pages, page_suffixes())


def detect_source(path: Path, source_format: str | None = None) -> DetectedSource:
    """Find how to read a file, folder or archive; an error that says why if there is no way."""
    named = get_format(source_format) if source_format is not None else None
    if not path.exists():
        raise LacunaError(f"There is no file or folder {path}.{similar(path)}")
    if not (path.is_dir() or path.is_file()):
        raise LacunaError(
            f"{path} is no file but a pipe or a device, which can be read only once. Write what it "
            "gives to a file, and index that."
        )
    formats = tuple(all_formats())
    if named is not None and not named.pages:
        return DetectedSource(path, formats, dump=named)
    if path.is_dir():
        return _inside(path, formats, named)
    head = _head(path)
    by_name = _by_name(path.name, formats)
    if _packs_files(head) and named is None and not (by_name and by_name.binary):
        return _inside(path, formats, named)
    if named is not None:
        archive = _packs_files(head) and not named.binary
        return DetectedSource(path, formats, single=not archive, only=named)
    known = _format_of_file(path, head, formats)
    if known.pages:
        return DetectedSource(path, formats, single=True, only=known)
    return DetectedSource(path, formats, dump=known)


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


def _packs_files(head: bytes) -> bool:
    return head.startswith(b"PK\x03\x04") or head[257:262] == b"ustar"


def _by_content(head: bytes, formats: Sequence[DocumentFormat]) -> DocumentFormat | None:
    return next((known for known in formats if known.begins and known.begins(head)), None)


def _by_name(name: str, formats: Sequence[DocumentFormat]) -> DocumentFormat | None:
    return next((known for known in formats if known.suffixes and known.is_named(name)), None)


def _inside(
    path: Path, formats: Sequence[DocumentFormat], only: DocumentFormat | None
) -> DetectedSource:
    """A folder or archive: of pages, unless most of its files are parts of a dump."""
    counts: Counter[str] = Counter()
    names = names_in(path, lambda name: name != path.name)  # an archive is no file in itself
    for name in names if path.is_dir() else islice(names, NAMES_LOOKED_AT):
        known = _by_name(name, formats)
        known = known if known and known.pages else _part_of(name, formats)
        if known is not None and (only is None or known == only):
            counts[known.name] += 1
    by_name = {listed.name: listed for listed in formats}
    commonest = next((by_name[name] for name, _ in counts.most_common(1)), None)
    if commonest is None:
        raise LacunaError(
            f"{path} holds no pages that can be read. Give a folder or archive of documents "
            f"({', '.join(known.name for known in formats if known.pages)}) or of HotpotQA's .bz2 "
            f"files, or one file of a format with a name: {', '.join(format_names())}."
        )
    if not commonest.pages:
        return DetectedSource(path, tuple(formats), dump=commonest)
    return DetectedSource(path, tuple(formats), only=only)


def _part_of(name: str, formats: Sequence[DocumentFormat]) -> DocumentFormat | None:
    lower = name.lower()
    if ".tar" in lower:  # an archive of something
        return None
    return next((known for known in formats if known.parts and lower.endswith(known.parts)), None)


def _why_not(name: str, known: DocumentFormat | None, only: DocumentFormat | None) -> str:
    if only is not None:
        return f"it is not {only.name}, and only that was asked for"
    if known is not None:
        return (
            f"it is {known.name}, which is not read as a page of a folder or archive; "
            "index the file by itself"
        )
    suffix = splitext(name.lower())[1]
    if suffix in PACKED:
        return "it is an archive inside of another source; index it by itself"
    return f"files of the kind {suffix} are not read" if suffix else "its kind is not known"


OTHER_DOCUMENTS = (
    ".azw3", ".djvu", ".doc", ".key", ".mobi", ".odp", ".ods", ".odt", ".pages", ".ppt", ".pptx",
    ".rtf", ".tex", ".xls", ".xlsx",
)  # fmt: skip
"""Kinds that are not read, and that people take for documents all the same."""


def is_missed(skipped: Skipped) -> bool:
    """Tell if a file that was skipped is a document; pictures and programs are none."""
    other_kind = skipped.reason == _why_not(skipped.where, None, None)
    return not other_kind or skipped.where.lower().endswith(OTHER_DOCUMENTS)


def context_from(path: Path) -> Document:
    """A page (Markdown, HTML) with its links; a file of no page format is read as plain text."""
    if path.is_dir():
        raise LacunaError(
            f"{path} is a folder, and a context is one file. Give the folder as the corpus."
        )
    if not path.exists():
        raise LacunaError(f"There is no file {path}.{similar(path)}")
    for item in _read(path):
        if isinstance(item, Document):
            return item
        if isinstance(item, Skipped):
            raise LacunaError(f"{path} cannot be asked: {item.reason}.")
    raise LacunaError(f"{path} cannot be asked: it has no text.")


def context_of(title: str, data: bytes) -> Document:
    """Bytes that came some other way, such as standard input, as plain text."""
    text = decoded(Entry(title, data))
    if isinstance(text, Skipped):
        raise LacunaError(f"The {title} cannot be asked: {text.reason}.")
    if not text.strip():
        raise LacunaError(f"The {title} cannot be asked: it has no text.")
    return verbatim_document(title, text)


def _read(path: Path) -> Iterator[SourceItem]:
    file = single_file(path)
    if isinstance(file, Skipped):
        yield file
        return
    named = next((known for known in page_formats() if known.is_named(path.name)), None)
    known = named or get_format("text")
    entry = file.load(known.largest)
    pages: list[Page] = []
    for item in (entry,) if isinstance(entry, Skipped) else IsolatedReading(known, entry).items():
        if isinstance(item, Skipped):
            yield item
        else:
            pages.append(from_root(item, str(path.resolve())))
    yield from linked_pages(pages, page_suffixes())
