"""The interface of document formats, and all formats by name."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import cast

from lacuna.corpus.formats.entries import LARGEST_FILE, Entry
from lacuna.corpus.page import Page
from lacuna.corpus.store import Skipped, SourceItem
from lacuna.errors import LacunaError
from lacuna.plugins import PluginGroup, load_plugin, plugin_names

ReadSource = Callable[[Path], Iterator[SourceItem]]
ParseFile = Callable[[Entry], Iterator[Page | Skipped]]


@dataclass(frozen=True, slots=True)
class DocumentFormat:
    """A way to recognise and read the files of one format.

    Either ``parse`` turns one file into pages, and folders and archives may hold many such files
    beside others; or ``read`` goes through a whole source, such as a dump. Another package offers
    one as an entry point of the group ``lacuna.formats``:

    >>> from lacuna.corpus.formats.plain import verbatim_page
    >>> def parse_shouts(entry: Entry) -> Iterator[Page | Skipped]:
    ...     yield verbatim_page(entry.name, "Shouts", entry.data.decode().upper())
    >>> shouts = DocumentFormat("shouts", parse=parse_shouts, suffixes=(".shout",))
    >>> shouts.is_named("Hello.SHOUT")
    True
    """

    name: str
    read: ReadSource | None = None
    """Everything in a source, one thing at a time. What gives no document comes as ``Skipped``; an
    error ends the reading."""
    parse: ParseFile | None = None
    """The pages of one file; what gives no page comes as ``Skipped``. It is given nothing but the
    file's name and bytes, so that a file that has not changed need not be parsed again."""
    suffixes: tuple[str, ...] = ()
    """The endings of its files' names, in lower case."""
    begins: Callable[[bytes], bool] | None = None
    """True if a file that begins with these bytes is in the format; compressed files are unpacked
    first. None where the content does not tell."""
    parts: tuple[str, ...] = ()
    """The endings of files that together make one source: a folder of mostly such files is read
    whole, as a dump in this format."""
    binary: bool = False
    """True if its files are something else than text."""
    largest: int = LARGEST_FILE
    """Bytes that a file may have; parsing a larger one would fill the memory."""
    seconds: float = 30.0
    """Of work that any file may take to be read, however small; more is given for its size."""

    @property
    def pages(self) -> bool:
        """True if each file is a page, or some."""
        return self.parse is not None

    def is_named(self, name: str) -> bool:
        """Tell if a file name is one that the format's files have."""
        return name.lower().endswith(self.suffixes)


HTML_SUFFIXES = (".html", ".htm", ".xhtml")
MARKDOWN_SUFFIXES = (".md", ".markdown", ".mdown", ".mkd", ".mdx")
TEXT_SUFFIXES = (".txt", ".text", "readme", "changelog", "license", "copying", "authors", "todo")


def all_formats() -> Iterator[DocumentFormat]:
    """Every format there is; another package is imported when it is its turn."""
    yield from BUILT_IN
    taken = {known.name for known in BUILT_IN}
    for name in plugin_names(PluginGroup.FORMATS):
        if name not in taken:
            yield _plugin(name)


def page_formats() -> tuple[DocumentFormat, ...]:
    """The formats whose files are pages, of which folders and archives may hold many."""
    return tuple(known for known in all_formats() if known.pages)


def page_suffixes() -> tuple[str, ...]:
    """The endings of the names of pages."""
    return tuple(suffix for known in page_formats() for suffix in known.suffixes)


def format_names() -> tuple[str, ...]:
    """The names that ``--format`` takes."""
    names = (*(known.name for known in BUILT_IN), *plugin_names(PluginGroup.FORMATS))
    return tuple(dict.fromkeys(names))


def get_format(name: str) -> DocumentFormat:
    """A format by its name; an error that lists the names there are if it is none of them."""
    for known in BUILT_IN:
        if known.name == name:
            return known
    names = format_names()
    if name in names:
        return _plugin(name)
    close = get_close_matches(name, names, n=1, cutoff=0.5)
    hint = f"Did you mean {close[0]}? " if close else ""
    raise LacunaError(f"There is no format {name!r}. {hint}Choose: {', '.join(names)}.")


def _plugin(name: str) -> DocumentFormat:
    loaded = load_plugin(PluginGroup.FORMATS, name)
    if not isinstance(loaded, DocumentFormat):
        raise LacunaError(
            f"{name!r} of {PluginGroup.FORMATS} is {loaded!r}, and not a DocumentFormat. "
            "Update or remove the package that offers it."
        )
    return loaded


def _reader(module: str, function: str) -> ReadSource:
    """Imported when needed: each format brings a parser that the others can do without."""

    def read(path: Path) -> Iterator[SourceItem]:
        return cast(ReadSource, _loaded(module, function))(path)

    return read


def _parser(module: str, function: str) -> ParseFile:
    def parse(entry: Entry) -> Iterator[Page | Skipped]:
        return cast(ParseFile, _loaded(module, function))(entry)

    return parse


@cache
def _loaded(module: str, function: str) -> object:
    return getattr(import_module(f"lacuna.corpus.formats.{module}"), function)


def _packed(*suffixes: str) -> tuple[str, ...]:
    return tuple(name + packed for name in suffixes for packed in ("", ".gz", ".bz2", ".xz"))


def _start(head: bytes) -> bytes:
    return head.removeprefix(b"\xef\xbb\xbf").lstrip()[:2000].lower()


def _is_xml(start: bytes) -> bool:
    return start.startswith((b"<?xml", b"<mediawiki", b"<!doctype mediawiki"))


def _begins_mediawiki(head: bytes) -> bool:
    start = _start(head)
    return _is_xml(start) and b"<html" not in start


def _begins_html(head: bytes) -> bool:
    start = _start(head)
    return start.startswith((b"<!doctype html", b"<html", b"<head", b"<body")) or (
        _is_xml(start) and b"<html" in start
    )


def _begins_json(kind: str) -> Callable[[bytes], bool]:
    return lambda head: _start(head).startswith(b"{") and _json_kind(head) == kind


def _json_kind(head: bytes) -> str:
    text = head.decode("utf-8-sig", "ignore").lstrip()
    try:
        first, end = json.JSONDecoder().raw_decode(text.split("\n", 1)[0])
    except RecursionError:
        return ""
    except ValueError:
        # One object that goes on: IIRC's articles, or a line longer than the part looked at.
        keys = text[: text.find(":")]
        return "jsonl" if keys.strip('{ "\n\t') in ("title", "text", "id", "_id", "url") else "iirc"
    if not isinstance(first, dict) or not end:
        return ""
    if "sentences" in first or "charoffset" in first or isinstance(first.get("text"), list):
        return "hotpot"
    if "title" in first and "text" in first:
        return "hotpot" if {"_id", "metadata"} <= first.keys() else "jsonl"
    return "iirc" if all(isinstance(value, str) for value in first.values()) else ""


JSON_SUFFIXES = _packed(".jsonl", ".json")
BUILT_IN = (
    DocumentFormat(
        "mediawiki",
        _reader("mediawiki", "read_mediawiki"),
        suffixes=_packed(".xml"),
        begins=_begins_mediawiki,
    ),
    DocumentFormat(
        "html",
        parse=_parser("html", "parse_html"),
        suffixes=HTML_SUFFIXES,
        begins=_begins_html,
    ),
    DocumentFormat(
        "markdown", parse=_parser("markdown", "parse_markdown"), suffixes=MARKDOWN_SUFFIXES
    ),
    DocumentFormat("text", parse=_parser("plain", "parse_plain"), suffixes=TEXT_SUFFIXES),
    DocumentFormat("rst", parse=_parser("rst", "parse_rst"), suffixes=(".rst", ".rest", ".inc")),
    DocumentFormat("org", parse=_parser("org", "parse_org"), suffixes=(".org",)),
    DocumentFormat(
        "asciidoc",
        parse=_parser("asciidoc", "parse_asciidoc"),
        suffixes=(".adoc", ".asciidoc", ".asc"),
    ),
    DocumentFormat("notebook", parse=_parser("notebook", "parse_notebook"), suffixes=(".ipynb",)),
    DocumentFormat("table", parse=_parser("delimited", "parse_table"), suffixes=(".csv", ".tsv")),
    DocumentFormat(
        "pdf",
        parse=_parser("pdf", "parse_pdf"),
        suffixes=(".pdf",),
        begins=lambda head: head.startswith(b"%PDF-"),
        binary=True,
        largest=256 << 20,
        seconds=60.0,  # by the clock more than its own process takes, which keeps what it has read
    ),
    DocumentFormat("docx", parse=_parser("docx", "parse_docx"), suffixes=(".docx",), binary=True),
    DocumentFormat(
        "office",
        parse=_parser("office", "parse_office"),
        suffixes=(".pptx", ".ppsx", ".pptm", ".xlsx", ".xlsm", ".odt", ".ods", ".odp"),
        binary=True,
    ),
    DocumentFormat(
        "epub",
        parse=_parser("epub", "parse_epub"),
        suffixes=(".epub",),
        binary=True,
        largest=256 << 20,
    ),
    DocumentFormat("mail", parse=_parser("mail", "parse_mail"), suffixes=(".mbox", ".eml")),
    DocumentFormat(
        "jsonl",
        _reader("dumps", "read_jsonl"),
        suffixes=JSON_SUFFIXES,
        begins=_begins_json("jsonl"),
    ),
    DocumentFormat(
        "hotpot",
        _reader("dumps", "read_hotpot_abstracts"),
        suffixes=JSON_SUFFIXES,
        begins=_begins_json("hotpot"),
        parts=(".bz2",),
    ),
    DocumentFormat(
        "iirc",
        _reader("dumps", "read_iirc_articles"),
        suffixes=JSON_SUFFIXES,
        begins=_begins_json("iirc"),
    ),
    DocumentFormat(
        "parquet",
        _reader("dumps", "read_parquet"),
        suffixes=(".parquet",),
        begins=lambda head: head.startswith(b"PAR1"),
        binary=True,
    ),
)
