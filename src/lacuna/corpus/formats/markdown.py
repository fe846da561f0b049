"""Folders and archives of Markdown notes, with ``[text](path)`` and ``[[wiki links]]``."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from lacuna.corpus.formats.entries import Entry, entries_of
from lacuna.corpus.formats.markdown_names import NoteNames, is_note, name_note, split_front_matter
from lacuna.corpus.formats.markdown_page import MarkdownPage
from lacuna.corpus.formats.plain import decoded
from lacuna.corpus.found import Found, Redirect, Skipped
from lacuna.errors import LacunaError


def read_markdown(path: Path) -> Iterator[Found]:
    """The notes of a folder or archive; file names, paths and aliases become redirects.

    The files are read twice: a link can only be given its target's title once all are known.
    """
    names = NoteNames(
        name_note(entry.name, text)
        for entry in entries_of(path, is_note)
        if isinstance(entry, Entry) and isinstance(text := decoded(entry), str)
    )
    page = MarkdownPage(names)
    found = False
    for entry in entries_of(path, is_note):
        found = True
        if isinstance(entry, Skipped):
            yield entry
        else:
            yield from _note(entry, names, page)
    if not found:
        raise LacunaError(f"{path} holds no Markdown files (.md). Give a folder that has some.")


def _note(entry: Entry, names: NoteNames, page: MarkdownPage) -> Iterator[Found]:
    text = decoded(entry)
    if isinstance(text, Skipped):
        yield text
        return
    note = names.notes[entry.name]
    document = page.document(note, split_front_matter(text)[1])
    if not document.text:
        yield Skipped(entry.name, "it has no text")
        return
    yield document
    yield from (Redirect(name, note.title) for name in names.redirects(note))
