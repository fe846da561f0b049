"""Under which names the notes of a Markdown folder are known, and where their links lead."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from posixpath import dirname, join, normpath, splitext
from typing import Any
from urllib.parse import unquote

import yaml

from lacuna.corpus.formats.registry import MARKDOWN_SUFFIXES
from lacuna.corpus.titles import split_fragment, title_of_path

ELSEWHERE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|//")
FRONT_MATTER = re.compile(r"---[ \t]*\r?\n(.{0,65536}?)^(?:---|\.\.\.)[ \t]*\r?$", re.DOTALL | re.M)
FENCE = re.compile(r" {0,3}(```|~~~)")
FIRST_HEADING = re.compile(r" {0,3}#[ \t]+(.*?)(?:[ \t]+#+)?[ \t]*$")
# Not underscores inside a word, nor brackets that are no link.
MARKUP = re.compile(
    r"[*`]+|(?<!\w)_+|_+(?!\w)|!?\[\[|\]\]|!?\[(?=[^\[\]]*\]\()|(?<=[^\[\]])\]\([^()]*\)"
)


def is_note(name: str) -> bool:
    """Whether a file name is that of a Markdown note."""
    return name.lower().endswith(MARKDOWN_SUFFIXES)


@dataclass(frozen=True, slots=True)
class NoteName:
    """One note: its file, its title and what else it is called."""

    path: str
    title: str
    aliases: tuple[str, ...] = ()

    def names(self) -> Iterator[str]:
        """All names that lead to the note, the surest first."""
        yield from (self.title, self.path, splitext(self.path)[0])
        yield from (splitext(self.path)[0].rpartition("/")[2], *self.aliases)


class NoteNames:
    """Finds a note by title, path, file name or alias, whatever the case."""

    def __init__(self, notes: Iterable[NoteName]) -> None:
        listed = list(notes)
        shared = {t for t, count in Counter(note.title for note in listed).items() if count > 1}
        self.notes = {
            note.path: NoteName(note.path, splitext(note.path)[0], note.aliases)
            if note.title in shared
            else note
            for note in listed
        }
        self._titles: dict[str, str] = {}
        # Names nearer to the root win, as in Obsidian; titles win over all other names.
        ordered = sorted(self.notes.values(), key=lambda note: (note.path.count("/"), note.path))
        for kind in range(max((4 + len(note.aliases) for note in ordered), default=0)):
            for note in ordered:
                if kind < len(names := tuple(note.names())):
                    self._titles.setdefault(names[kind].casefold(), note.title)

    def redirects(self, note: NoteName) -> Iterator[str]:
        """The names besides its title that lead to this note and to no other."""
        given = {note.title.casefold()}
        for name in note.names():
            key = name.casefold()
            if key not in given and self._titles.get(key) == note.title:
                given.add(key)
                yield name

    def by_name(self, written: str) -> tuple[str, str]:
        """Where ``[[written]]`` leads; a note that is not there keeps the name it was given."""
        target, fragment = split_fragment(written)
        name = " ".join(target.split())
        title = self._titles.get(name.casefold())
        return title or title_of_path(name + ".md" * (not is_note(name))), fragment.lstrip("^")

    def by_path(self, page: str, href: str) -> tuple[str, str] | None:
        """Where ``[…](href)`` on a page leads; None if that is no note."""
        path, fragment = split_fragment(href.strip())
        if ELSEWHERE.match(path):
            return None
        if not path:
            return self.notes[page].title, fragment
        name = normpath(join("/", dirname(page), unquote(path))).lstrip("/")
        if title := self._titles.get(name.casefold()):
            return title, fragment
        return (title_of_path(name), fragment) if is_note(name) else None


def split_front_matter(text: str) -> tuple[dict[str, Any], str]:
    """The fields above a note, and the note; fields that are no YAML count as none."""
    if not (block := FRONT_MATTER.match(text)):
        return {}, text
    if "<<" in block[1]:  # merged mappings can be made to grow without end
        return {}, text[block.end() :]
    try:
        fields = yaml.safe_load(block[1])
    except (yaml.YAMLError, ValueError, RecursionError):
        fields = {}
    return fields if isinstance(fields, dict) else {}, text[block.end() :]


def name_note(path: str, text: str) -> NoteName:
    """A note's title: that of its front matter, else its first main heading, else its file."""
    fields, body = split_front_matter(text)
    stem = splitext(path)[0].rpartition("/")[2]
    written = fields.get("title")
    title = str(written).strip() if isinstance(written, str | int | float) else ""
    aliases = fields.get("aliases") or fields.get("alias") or ()
    listed = aliases.split(",") if isinstance(aliases, str) else aliases
    names = (
        tuple(alias.strip() for alias in listed if isinstance(alias, str) and alias.strip())
        if isinstance(listed, list | tuple)
        else ()
    )
    return NoteName(path, title or _first_heading(body) or stem, names)


def _first_heading(body: str) -> str:
    fence = ""
    for line in body.splitlines():
        if mark := FENCE.match(line):
            fence = "" if fence == mark[1] else fence or mark[1]
        elif not fence and (heading := FIRST_HEADING.match(line)):
            return " ".join(MARKUP.sub("", heading[1]).split())
    return ""
