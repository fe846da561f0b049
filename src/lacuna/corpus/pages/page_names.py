"""Under which names the pages of a source are known, and where their links lead."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from posixpath import basename, dirname, join, normpath, splitext
from urllib.parse import unquote

from lacuna.corpus.pages.page import LinkKind, Page, WrittenLink
from lacuna.corpus.pages.page_titles import Taken, unique_titles
from lacuna.corpus.titles import FOLDER_PAGES, folded, split_fragment, title_of_path

ELSEWHERE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:|//")
NOT_A_SUFFIX = re.compile(r"\.\d|\.[^.]{9,}$|\.$|\s")
"""Ends of names that look like suffixes and are none: ``v1.2``, ``Mr. Smith``."""
MOST_STEPS = 3
"""From a page that only leads on to the next such page, and so forth."""
MEDIA = (".jpg", ".jpeg", ".png", ".gif", ".svg", ".webp", ".ogg", ".mp3", ".mp4")
"""What offline wikis make pages of: ``ferry.jpg.htm`` shows a picture and says nothing."""


class LinkEnd(StrEnum):
    """What became of a link."""

    PAGE = "page"
    MISSING = "missing"
    FILE = "file"
    """A file that is no document, such as a picture."""
    OUTSIDE = "outside"
    """An address, or a path that leads out of the source."""
    SAME_PAGE = "same page"


@dataclass(frozen=True, slots=True)
class ResolvedLink:
    """Where a link leads: the title of a page, or a name for what is not there and the reason."""

    end: LinkEnd
    title: str = ""
    fragment: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class PageName:
    """What a page is known by; see ``Page``."""

    path: str
    file: str
    title: str
    names: tuple[str, ...] = ()
    labels: tuple[tuple[str, str], ...] = ()
    leads_to: str = ""

    @classmethod
    def of(cls, page: Page) -> PageName:
        """The names of a page that was just read."""
        title = page.document.title.strip() or title_of_path(page.file) or page.file
        return cls(page.path, page.file, title, page.names, page.labels, page.leads_to)


class PageNames:
    """Finds a page of a source by path, title, alias, file name or label."""

    def __init__(
        self,
        pages: Iterable[PageName],
        *,
        suffixes: tuple[str, ...],
        files: Callable[[str], bool] = lambda _: False,
        taken: Taken = lambda _: False,
        source: str = "",
    ) -> None:
        """``suffixes`` are those of pages; ``files`` says whether the source has such a file."""
        # Names nearer to the root win, as in Obsidian.
        ordered = sorted(pages, key=lambda page: (page.path.count("/"), page.path))
        self._pages = [page for page in ordered if not page.leads_to]
        self.titles = unique_titles({page.path: page.title for page in self._pages}, taken, source)
        self._suffixes = suffixes
        self._has_file = files
        self._by_path: dict[str, str] = {}
        self._by_name: dict[str, str] = {}
        self._by_label: dict[str, tuple[str, str]] = {}
        self._by_last: dict[str, str] = {}
        self._register()
        self._follow([page for page in ordered if page.leads_to])

    def aliases(self, page: PageName) -> Iterator[str]:
        """The names besides its title that lead to this page and to no other."""
        given = {self.titles[page.path]}
        stems = tuple(_stems(page.path))
        file_names = (basename(stem) for stem in stems)
        for name in (page.title, *page.names, page.path, *stems, *file_names):
            if name and name not in given and self._by_name.get(folded(name)) == page.path:
                given.add(name)
                yield name

    def __iter__(self) -> Iterator[PageName]:
        """The pages that are documents."""
        return iter(self._pages)

    def resolve(self, page: PageName, link: WrittenLink) -> ResolvedLink:
        """Where a link of a page leads."""
        match link.kind:
            case LinkKind.LABEL:
                return self._label(link.target)
            case LinkKind.TITLE:
                return self._title(link)
            case LinkKind.NAME:
                return self._name(page, link.target)
            case _:
                return self._path(page, link.target)

    def _register(self) -> None:
        for page in self._pages:
            for key in (page.path, *_stems(page.path)):
                self._by_path.setdefault(_key(key), page.path)
            for name in page.names:
                if "/" in name:  # a permalink
                    self._by_path.setdefault(_key(name.strip("/")), page.path)
            for label, fragment in page.labels:
                self._by_label.setdefault(_label_key(label), (page.path, fragment))
        ways: tuple[Callable[[PageName], Iterable[str]], ...] = (
            lambda page: (self.titles[page.path],),
            lambda page: (page.title,),
            lambda page: (page.path, *_stems(page.path)),
            lambda page: (basename(stem) for stem in _stems(page.path)),
            lambda page: (basename(page.path),),
            lambda page: page.names,
        )
        for names_of in ways:  # the surest names first
            for page in self._pages:
                for name in names_of(page):
                    if name:
                        self._by_name.setdefault(folded(name), page.path)
        for path in [page.path for page in self._pages]:
            for key in (path, *_stems(path)):
                steps = key.split("/")
                for start in range(1, len(steps)):
                    end = _key("/".join(steps[start:]))
                    known = self._by_last.setdefault(end, path)
                    if known != path:
                        self._by_last[end] = ""  # several pages: it tells nothing

    def _follow(self, pages: Sequence[PageName]) -> None:
        """Let pages that only lead on stand for where they lead, over a few steps at most."""
        at = {title: path for path, title in self.titles.items()}
        for _ in range(MOST_STEPS):
            waiting = []
            for page in pages:
                ended = self._path(page, page.leads_to)
                if ended.end is not LinkEnd.PAGE:
                    waiting.append(page)
                    continue
                for key in (page.path, *_stems(page.path)):
                    self._by_path.setdefault(_key(key), at[ended.title])
            pages = waiting

    def _label(self, label: str) -> ResolvedLink:
        found = self._by_label.get(_label_key(label))
        if found is None:
            return ResolvedLink(LinkEnd.MISSING, label, reason="no page has this label")
        return ResolvedLink(LinkEnd.PAGE, self.titles[found[0]], found[1])

    def _title(self, link: WrittenLink) -> ResolvedLink:
        path = self._by_name.get(folded(link.target))
        if path is None:
            return ResolvedLink(LinkEnd.MISSING, link.target, link.fragment, "no such document")
        return ResolvedLink(LinkEnd.PAGE, self.titles[path], link.fragment)

    def _name(self, page: PageName, written: str) -> ResolvedLink:
        target, fragment = split_fragment(written)
        fragment = fragment.lstrip("^")
        name = " ".join(target.split())
        if not name:
            return ResolvedLink(LinkEnd.SAME_PAGE, self.titles[page.path], fragment)
        path = self._by_name.get(folded(name)) or self._by_path.get(
            _key(_joined(dirname(page.file), name))
        )
        if path is None:
            stem, suffix = _split_suffix(name)
            if suffix in self._suffixes:
                path = self._by_name.get(folded(stem))
            elif suffix:
                return ResolvedLink(LinkEnd.FILE, name)
        if path is None:
            return ResolvedLink(
                LinkEnd.MISSING, title_of_path(name), fragment, "no page is called so"
            )
        return ResolvedLink(LinkEnd.PAGE, self.titles[path], fragment)

    def _path(self, page: PageName, written: str) -> ResolvedLink:
        written = written.strip()
        if ELSEWHERE.match(written):
            return ResolvedLink(LinkEnd.OUTSIDE, written)
        raw, _, raw_fragment = written.partition("#")
        _, fragment = split_fragment(written)
        path = raw.partition("?")[0]
        if not path:
            return ResolvedLink(LinkEnd.SAME_PAGE, self.titles.get(page.path, ""), fragment)
        found = self._part(page, path, raw_fragment)
        if found is not None:
            return found
        for key in self._ways(page, path):
            if (known := self._by_path.get(key)) is not None:
                return ResolvedLink(LinkEnd.PAGE, self.titles[known], fragment)
        name = unquote(path)
        if path.startswith("/") and (known := self._by_last.get(_key(name.strip("/")))):
            return ResolvedLink(LinkEnd.PAGE, self.titles[known], fragment)
        place = _joined(dirname(page.file), name)
        if place.startswith("../"):
            return ResolvedLink(LinkEnd.OUTSIDE, name, reason="it leads out of the source")
        bare, suffix = _split_suffix(place)
        no_page = bool(suffix) and suffix not in self._suffixes
        if no_page or self._has_file(place) or bare.lower().endswith(MEDIA):
            return ResolvedLink(LinkEnd.FILE, place)
        title = title_of_path(place)
        if not title or folded(title) in self._by_name:  # that is another page
            title = place
        return ResolvedLink(LinkEnd.MISSING, title, fragment, "there is no such page")

    def _part(self, page: PageName, path: str, fragment: str) -> ResolvedLink | None:
        """A link into a file of several pages: ``book.epub#chapter.xhtml#place``."""
        part, _, inside = fragment.partition("#")
        key = f"{_joined(dirname(page.file), unquote(path))}#{unquote(part)}"
        known = self._by_path.get(_key(key)) if part else None
        return (known and ResolvedLink(LinkEnd.PAGE, self.titles[known], inside)) or None

    def _ways(self, page: PageName, path: str) -> Iterator[str]:
        """The keys that a path may stand for, the likeliest first."""
        folders = [dirname(page.file)]
        stem = splitext(page.file)[0]
        if basename(stem).casefold() not in FOLDER_PAGES:
            folders.append(stem)  # a site that serves page.md as page/
        for name in dict.fromkeys((unquote(path), path)):
            for folder in folders:
                whole = _joined(folder, name)
                yield _key(whole)
                bare, suffix = _split_suffix(whole)
                if suffix in self._suffixes:  # setup.html, made from setup.md
                    yield _key(bare)
                    if basename(bare).casefold() in FOLDER_PAGES:
                        yield _key(dirname(bare))


def _joined(folder: str, name: str) -> str:
    """A path from the root of the source; one that begins with ``/`` counts from there."""
    if name.startswith("/"):
        return normpath(name).lstrip("/")
    return normpath(join(folder, name))


def _key(path: str) -> str:
    return path.strip("/").casefold() or "."


def _label_key(label: str) -> str:
    return " ".join(label.split()).casefold()


def _split_suffix(name: str) -> tuple[str, str]:
    stem, suffix = splitext(name)
    return (name, "") if not suffix or NOT_A_SUFFIX.match(suffix) else (stem, suffix.lower())


def _stems(path: str) -> Iterator[str]:
    """A page's path without its suffix; that of a folder's page is the folder as well."""
    if "#" in path:
        return
    stem = splitext(path)[0]
    if basename(stem).casefold() in FOLDER_PAGES:
        yield dirname(stem) or "."
    yield stem
