"""EPUB books: a zip of XHTML files; each chapter is a page, in the order of the book."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from posixpath import basename, dirname, join, normpath
from urllib.parse import unquote, urlsplit
from xml.etree import ElementTree

from lacuna.corpus.formats.base import HTML_SUFFIXES
from lacuna.corpus.formats.entries import LARGEST_FILE, Entry
from lacuna.corpus.formats.html import decoded, is_link_list, parsed, read_page
from lacuna.corpus.page import Page, WrittenLink
from lacuna.corpus.page_builder import Fact, add_facts
from lacuna.corpus.store import Skipped
from lacuna.corpus.titles import title_of_path

LARGEST_BOOK = 256 << 20
"""Bytes that all chapters together may unpack to."""
MOST_CHAPTERS = 10_000
CONTAINER = "META-INF/container.xml"
ENCRYPTION = "META-INF/encryption.xml"
FONTS_ONLY = ("http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC")
"""Ways to make fonts unreadable; the text of such a book is not touched."""
ABOUT = {
    "title": "book",
    "creator": "author",
    "contributor": "contributor",
    "publisher": "publisher",
    "date": "date",
    "language": "language",
    "subject": "subject",
    "description": "description",
    "rights": "rights",
    "identifier": "identifier",
}
LONGEST_PROPERTY = 1000


class _UnreadableError(Exception):
    """The reason why nothing can be read of a book."""


def parse_epub(entry: Entry) -> Iterator[Page | Skipped]:
    """The chapters of a book; what it says of itself stands at the end of the first."""
    try:
        with zipfile.ZipFile(io.BytesIO(entry.data)) as archive:
            yield from _chapters(entry.name, _Packed(archive))
    except _UnreadableError as problem:
        yield Skipped(entry.name, str(problem))
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError, EOFError, IndexError):
        yield Skipped(entry.name, "it is cut off or damaged, or no EPUB; copy it again")


class _Packed:
    """The files of a book by name, unpacked one at a time and never too much of them."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._archive = archive
        self._left = LARGEST_BOOK
        self.names = {info.filename: info for info in archive.infolist()}

    def read(self, name: str) -> bytes | None:
        """A file's content; None if it is not there or damaged."""
        info = self.names.get(name)
        if info is None:
            return None
        if info.flag_bits & 1:
            raise _UnreadableError("it is encrypted with a password; remove the password")
        if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            return None
        try:
            with self._archive.open(info) as file:
                data = file.read(LARGEST_FILE + 1)
        except (RuntimeError, zipfile.BadZipFile, zlib.error, EOFError):
            return None
        self._left -= len(data)
        if len(data) > LARGEST_FILE or self._left < 0:
            raise _UnreadableError("it unpacks to more than a book can have")
        return data

    def xml(self, name: str) -> ElementTree.Element | None:
        """A file that is XML; entities of its own are refused, since they may never end."""
        data = self.read(name)
        if data is None or b"<!ENTITY" in data:
            return None
        try:
            return ElementTree.fromstring(data)
        except (ElementTree.ParseError, ValueError, LookupError):
            return None


@dataclass(frozen=True, slots=True)
class _Book:
    """The content of the package file: the chapters in order, their titles, and facts of the
    book."""

    chapters: tuple[str, ...]
    titles: Mapping[str, str]
    about: Mapping[str, str]


def _chapters(file: str, packed: _Packed) -> Iterator[Page | Skipped]:
    _refuse_locked(packed)
    book = _book(packed)
    about, found, damaged = book.about, 0, 0
    for name in book.chapters[:MOST_CHAPTERS]:
        data = packed.read(name)
        if data is None:
            damaged += 1
            yield Skipped(f"{file}#{name}", "it is missing in the book, or damaged")
            continue
        text, note = decoded(data)
        builder, names = read_page(parsed(text), title_of_path(name), book.titles.get(name, ""))
        if not builder.has_paragraph:
            continue  # a cover, a picture
        if about:
            add_facts(builder, (Fact(*fact) for fact in about.items()))
        page = builder.page(file, part=name, names=names, extra={"note": note} if note else None)
        if about or not is_link_list(page):
            found, about = found + 1, {}
            yield replace(page, links=tuple(_within_book(file, name, page.links)))
    if not found and not damaged:
        raise _UnreadableError("it has no text")


def _refuse_locked(packed: _Packed) -> None:
    root = packed.xml(ENCRYPTION)
    if root is None:
        return
    for element in root.iter():
        if _local(element) == "EncryptionMethod":
            parent_method = element.get("Algorithm") or ""
            if parent_method not in FONTS_ONLY:
                raise _UnreadableError(
                    "it is locked against copying (DRM); give a copy without the lock"
                )


def _book(packed: _Packed) -> _Book:
    """The book as its package file has it; without one, every XHTML file by name."""
    container = packed.xml(CONTAINER)
    place = ""
    if container is not None:
        files = (e.get("full-path") for e in container.iter() if _local(e) == "rootfile")
        place = next((path for path in files if path), "")
    package = packed.xml(place) if place else None
    if package is None:
        pages = sorted(name for name in packed.names if name.lower().endswith(HTML_SUFFIXES))
        if not pages:
            raise _UnreadableError("it is no EPUB book: it has no chapters")
        return _Book(tuple(pages), {}, {})
    folder = dirname(place)
    items = {e.get("id"): e for e in package.iter() if _local(e) == "item"}
    paths = {name: _path(folder, item.get("href") or "") for name, item in items.items()}
    contents = {
        name for name, item in items.items() if "nav" in (item.get("properties") or "").split()
    }
    refs = [e.get("idref") for e in package.iter() if _local(e) == "itemref"]
    chapters = dict.fromkeys(paths[ref] for ref in refs if ref in paths and ref not in contents)
    ncx = [n for n, item in items.items() if "dtbncx" in (item.get("media-type") or "")]
    titles: dict[str, str] = {}
    for name in (*contents, *ncx):
        titles = {**_titles(packed, paths[name]), **titles}
    return _Book(tuple(chapters), titles, _about(package))


def _about(package: ElementTree.Element) -> dict[str, str]:
    facts: dict[str, list[str]] = {}
    for element in package.iter():
        if "purl.org/dc/" not in element.tag:
            continue
        value = " ".join((element.text or "").split())[:LONGEST_PROPERTY]
        if value and (key := ABOUT.get(_local(element))):
            facts.setdefault(key, []).append(value)
    return {key: ", ".join(dict.fromkeys(values)) for key, values in facts.items()}


def _titles(packed: _Packed, place: str) -> dict[str, str]:
    """The title of each file in the table of contents: the first entry that leads to its start."""
    root = packed.xml(place)
    found: dict[str, str] = {}
    if root is None:
        return found
    label = ""
    for element in root.iter():
        name = _local(element)
        if name == "text":
            label = " ".join((element.text or "").split())
        target = element.get("src") if name == "content" else None
        if name == "a":
            label, target = " ".join("".join(element.itertext()).split()), element.get("href")
        if target and label:
            found.setdefault(_path(dirname(place), target), label)
    return found


def _within_book(file: str, name: str, links: tuple[WrittenLink, ...]) -> Iterator[WrittenLink]:
    """Links to other chapters, said as parts of the book's file."""
    for link in links:
        try:
            address = urlsplit(link.target)
        except ValueError:
            continue
        if address.scheme or address.netloc:
            yield link
            continue
        path = _path(dirname(name), address.path) if address.path else name
        fragment = f"#{address.fragment}" if address.fragment else ""
        yield replace(link, target=f"{basename(file)}#{path}{fragment}")


def _path(folder: str, href: str) -> str:
    return normpath(join("/", folder, unquote(href.partition("#")[0]))).lstrip("/")


def _local(element: ElementTree.Element) -> str:
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""
