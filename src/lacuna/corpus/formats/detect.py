"""Which format a source is in, seen from its content and its name; and the way to its reader."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from difflib import get_close_matches
from importlib import import_module
from itertools import chain, islice
from pathlib import Path
from typing import cast

from lacuna.corpus.formats.entries import names_in
from lacuna.corpus.formats.html_links import is_page
from lacuna.corpus.formats.packed import DAMAGED, damaged, open_packed
from lacuna.corpus.found import Found, Skipped
from lacuna.errors import LacunaError
from lacuna.files.opening import similar

Reader = Callable[[Path], Iterator[Found]]

READERS = {
    "mediawiki": ("mediawiki", "read_mediawiki"),
    "html": ("html", "read_html"),
    "markdown": ("markdown", "read_markdown"),
    "text": ("plain", "read_plain"),
    "jsonl": ("jsonl", "read_jsonl"),
    "hotpot": ("hotpot_abstracts", "read_hotpot_abstracts"),
    "iirc": ("iirc_articles", "read_iirc_articles"),
}
FORMATS = tuple(READERS)
"""The names that ``--format`` takes."""

HEAD = 1 << 16
NAMES_LOOKED_AT = 10_000
MARKDOWN = (".md", ".markdown", ".mdown", ".mkd")


def open_source(path: Path, format: str | None = None) -> Iterator[Found]:  # noqa: A002
    """Everything in a source, one thing at a time; the format is detected unless it is named."""
    if format is not None and format not in FORMATS:
        close = get_close_matches(format, FORMATS, n=1, cutoff=0.5)
        hint = f"Did you mean {close[0]}? " if close else ""
        raise LacunaError(f"There is no format {format!r}. {hint}Choose: {', '.join(FORMATS)}.")
    if not path.exists():
        raise LacunaError(f"There is no file or folder {path}.{similar(path)}")
    chosen = format or detect_format(path)
    found = _reader(chosen)(path)
    return chain(found, _other_pages(path, [chosen])) if path.is_dir() and not format else found


def open_pages(path: Path) -> Iterator[Found]:
    """The same, but of a folder or archive that mixes Markdown, HTML and text, the pages of all."""
    kinds = _page_kinds(path) if path.is_dir() or (path.is_file() and _is_archive(path)) else []
    if len(kinds) < 2 or "hotpot" in kinds:
        return open_source(path)
    found = chain.from_iterable(open_source(path, kind) for kind in kinds)
    return chain(found, _other_pages(path, kinds)) if path.is_dir() else found


def _other_pages(folder: Path, chosen: Sequence[str]) -> Iterator[Skipped]:
    """The files of a mixed folder that another reader would have read: they must not go unseen."""
    read_as = " and ".join(chosen)
    for name in names_in(folder, bool):
        kind = _by_name(Path(name))
        if kind and kind not in chosen and "hotpot" not in chosen:
            reason = f"it is {kind}, and the folder was read as {read_as}; index it with --format"
            yield Skipped(name, f"{reason} {kind}")


def detect_format(path: Path) -> str:
    """The format of a file, folder or archive; an error that says why if there is none."""
    if path.is_dir() or _is_archive(path):
        return _by_names(path)
    head = _head(path)
    found = _by_content(head)
    said = _by_name(path)
    if said and found and said != found and not (said == "jsonl" and found in ("hotpot", "iirc")):
        raise LacunaError(
            f"{path} is named like {said}, but its content looks like {found}. "
            f"Rename it, or pass --format {found}."
        )
    if b"\0" in head or not head.strip():
        what = "is empty" if not head.strip() else "holds binary data, not text"
        raise LacunaError(f"{path} {what}. Give one of these: {', '.join(FORMATS)}.")
    if said in ("mediawiki", "jsonl") and not found:
        raise LacunaError(
            f"{path} is named like {said}, but does not begin like it. "
            "Is it the right file, and whole? If so, name its format with --format."
        )
    if not (said or found):
        raise LacunaError(
            f"The format of {path} cannot be told. Name it with --format: {', '.join(FORMATS)}."
        )
    return found or said


def _is_archive(path: Path) -> bool:
    head = _head(path)
    return head.startswith(b"PK\x03\x04") or head[257:262] == b"ustar"


def _head(path: Path) -> bytes:
    try:
        with open_packed(path) as file:
            return file.read(HEAD)
    except DAMAGED as error:
        raise damaged(path, error) from error


def _by_content(head: bytes) -> str:
    start = head.removeprefix(b"\xef\xbb\xbf").lstrip()[:2000].lower()
    if start.startswith((b"<?xml", b"<mediawiki", b"<!doctype mediawiki")):
        return "html" if b"<html" in start else "mediawiki"
    if start.startswith((b"<!doctype html", b"<html", b"<head", b"<body")):
        return "html"
    return _json_kind(head) if start.startswith(b"{") else ""


def _json_kind(head: bytes) -> str:
    text = head.decode("utf-8-sig", "ignore").lstrip()
    try:
        first, end = json.JSONDecoder().raw_decode(text.split("\n", 1)[0])
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


def _by_name(path: Path) -> str:
    name = path.name.lower()
    unpacked = re.sub(r"\.(gz|bz2|xz)$", "", name)
    if unpacked.endswith(".xml"):
        return "mediawiki"
    if unpacked.endswith((".jsonl", ".json")):
        return "jsonl"
    if name.endswith(MARKDOWN):
        return "markdown"
    if is_page(name):
        return "html"
    return "text" if name.endswith((".txt", ".text")) else ""


def _by_names(path: Path) -> str:
    """The format that most files of a folder or archive have."""
    kinds = _page_kinds(path)
    if not kinds:
        raise LacunaError(
            f"{path} holds no pages that can be read. Give a folder or archive of .md, .html or "
            ".txt files or of HotpotQA's .bz2 files, or one file of a format with a name: "
            f"{', '.join(FORMATS)}."
        )
    return kinds[0]


def _page_kinds(path: Path) -> list[str]:
    """The formats of the pages of a folder or archive, the commonest first."""
    names = islice(names_in(path, lambda name: bool(_kind_of_part(name))), NAMES_LOOKED_AT)
    return [kind for kind, _ in Counter(_kind_of_part(name) for name in names).most_common()]


def _kind_of_part(name: str) -> str:
    kind = _by_name(Path(name))
    if name.lower().endswith(".bz2") and not kind and ".tar" not in name.lower():
        return "hotpot"
    return kind if kind in ("html", "markdown", "text") else ""


def _reader(name: str) -> Reader:
    # Imported when needed: each brings a parser that the others can do without.
    module, function = READERS[name]
    return cast(Reader, getattr(import_module(f"lacuna.corpus.formats.{module}"), function))
