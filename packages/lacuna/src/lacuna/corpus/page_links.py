"""From the pages of a source to documents: titles told apart, and links that lead to titles."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from posixpath import basename, dirname, join, normpath, splitext
from urllib.parse import unquote

from lacuna.corpus.page import LinkKind, Page, WrittenLink
from lacuna.corpus.store import Redirect, SourceItem
from lacuna.corpus.titles import FOLDER_PAGES, folded, split_fragment, title_of_path
from lacuna.types import Document, Link, Section

SEPARATOR = re.compile(r"\s+[—–|·»:-]+\s+|:\s+")
LAST_WORDS = re.compile(r"(?<=\S) \S+ \S+$")
SHARED_BY = 0.6
"""Of the pages; a part of the title that so many begin or end with says nothing about one."""
FEWEST = 5
"""Pages that such a share is told from."""
MOST_CUTS = 4

Taken = Callable[[str], bool]


def unique_titles(
    called: Mapping[str, str], taken: Taken = lambda _: False, source: str = ""
) -> dict[str, str]:
    """A title for every page, from what it calls itself; both by the page's path.

    Pages of the same title are told apart by what differs in their paths, and one whose title is
    ``taken`` outside of the source by the name of the source.

    >>> unique_titles({"2023/notes.txt": "notes", "2024/notes.txt": "notes", "a.txt": "Plan"})
    {'2023/notes.txt': 'notes (2023)', '2024/notes.txt': 'notes (2024)', 'a.txt': 'Plan'}
    """
    trimmed = _without_shared(called)
    alike: dict[str, list[str]] = defaultdict(list)
    for path, title in trimmed.items():
        alike[title].append(path)
    alone = {title for title, paths in alike.items() if len(paths) == 1 and not taken(title)}
    used = set(alone)
    titles: dict[str, str] = {}
    for path, title in trimmed.items():
        if title in alone:
            titles[path] = title
            continue
        others = alike[title]
        label = _difference(path, others) if len(others) > 1 else source
        titles[path] = _unused(title, label, path, lambda name: name in used or taken(name))
        used.add(titles[path])
    return titles


def _unused(title: str, label: str, path: str, is_used: Taken) -> str:
    for told_by in (label, path):
        if told_by and not is_used(named := f"{title} ({told_by})"):
            return named
    number = 2
    while is_used(named := f"{title} ({path}, {number})"):
        number += 1
    return named


def _difference(path: str, others: Iterable[str]) -> str:
    """The part of a path that none of the others has in its place."""
    mine = _steps(path)
    lists = [_steps(other) for other in others]
    shortest = min(map(len, lists))
    first = 0
    while first < shortest - 1 and len({steps[first] for steps in lists}) == 1:
        first += 1
    last = 0
    while last < shortest - 1 - first and len({steps[-1 - last] for steps in lists}) == 1:
        last += 1
    return "/".join(mine[first : len(mine) - last])


def _steps(path: str) -> list[str]:
    file, mark, part = path.partition("#")
    steps = splitext(file)[0].split("/")
    if len(steps) > 1 and steps[-1].casefold() in FOLDER_PAGES and not mark:
        steps.pop()
    return [*steps, part] if mark else steps


def _without_shared(called: Mapping[str, str]) -> dict[str, str]:
    titles = dict(called)
    if len(titles) < FEWEST:
        return titles
    for _ in range(MOST_CUTS):
        ends = Counter(part for title in titles.values() for part in _end_parts(title))
        shared = {part for part, count in ends.items() if count >= SHARED_BY * len(titles)}
        if not shared:
            break
        titles = {path: _cut(title, shared) for path, title in titles.items()}
    return titles


def _end_parts(title: str) -> set[tuple[str, str]]:
    """The parts that a title may share: its first and its last part, with separators; its last two
    words."""
    separators = list(SEPARATOR.finditer(title))
    if separators:
        return {
            ("begins", title[: separators[0].end()]),
            ("ends", title[separators[-1].start() :]),
        }
    words = LAST_WORDS.search(title)
    return {("ends", words[0])} if words else set()


def _cut(title: str, shared: set[tuple[str, str]]) -> str:
    for kind, part in _end_parts(title):
        if (kind, part) in shared:
            rest = title.removeprefix(part) if kind == "begins" else title.removesuffix(part)
            title = rest.strip() or title
    return title


ELSEWHERE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:|//")
NOT_A_SUFFIX = re.compile(r"\.\d|\.[^.]{9,}$|\.$|\s")
"""Ends of names that look like suffixes and are none: ``v1.2``, ``Mr. Smith``."""
SLUG = re.compile(r"[^\W_]+(?:[-_][^\W_]+)+")
"""The last step of an address that says what a page is about: ``set-up-a-boat``."""
MOST_STEPS = 3
"""From a page that only leads on to the next such page, and so forth."""
MEDIA = (".jpg", ".jpeg", ".png", ".gif", ".svg", ".webp", ".ogg", ".mp3", ".mp4")
"""The media that offline wikis make pages of: ``ferry.jpg.htm`` shows a picture and says
nothing."""


class LinkEnd(StrEnum):
    """The outcome of a link."""

    PAGE = "page"
    MISSING = "missing"
    FILE = "file"
    """A file that is no document, such as a picture."""
    OUTSIDE = "outside"
    """An address, or a path that leads out of the source."""
    SAME_PAGE = "same page"


@dataclass(frozen=True, slots=True)
class ResolvedLink:
    """The target of a link: the title of a page, or a name for what is not there and the reason."""

    end: LinkEnd
    title: str = ""
    fragment: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class PageName:
    """A name of a page; see ``Page``."""

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
        """Find where a link of a page leads."""
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
        if (known := self._mounted(path)) is not None:
            return ResolvedLink(LinkEnd.PAGE, self.titles[known], fragment)
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

    def _mounted(self, path: str) -> str | None:
        """The one page that a site serves under a path whose first steps are the site's own.

        A single step counts where it is a name of several words, which no two pages share.
        """
        steps = _key(unquote(path)).split("/")
        bare, suffix = _split_suffix(steps[-1])
        if suffix in self._suffixes:
            steps[-1] = bare
        elif suffix:
            return None
        for start in range(1 if path.startswith("/") else len(steps) - 1, len(steps)):
            end = "/".join(steps[start:])
            if "/" not in end and not SLUG.fullmatch(end):
                return None
            if known := self._by_path.get(end) or self._by_last.get(end):
                return known
        return self._by_name.get(folded(bare))

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


@dataclass(frozen=True, slots=True)
class LinkCounts:
    """The outcomes of the links of a page, or of many."""

    resolved: int = 0
    missing: int = 0
    outside: int = 0


def linked(
    document: Document, name: PageName, links: Sequence[WrittenLink], names: PageNames
) -> Document:
    """The document of a page as one of a set."""
    resolved = resolve_all(name, links, names)
    kept = (
        Link(link.start, link.end, end.title, end.fragment)
        for link, end in zip(links, resolved, strict=True)
        if end.end in (LinkEnd.PAGE, LinkEnd.MISSING)
    )
    return with_title(replace(document, links=tuple(kept)), names.titles[name.path])


def resolve_all(
    name: PageName, links: Sequence[WrittenLink], names: PageNames
) -> list[ResolvedLink]:
    """Find where the links of a page lead; one that is written several times is looked up once."""
    known: dict[tuple[str, str], ResolvedLink] = {}
    resolved = []
    for link in links:
        key = (link.kind, link.target)
        if key not in known:
            known[key] = names.resolve(name, link)
        resolved.append(known[key])
    return resolved


def count_links(resolved: Sequence[ResolvedLink]) -> LinkCounts:
    """Count the links of a page by where they lead; those to files and to itself are left out."""
    ends = [link.end for link in resolved]
    return LinkCounts(
        ends.count(LinkEnd.PAGE), ends.count(LinkEnd.MISSING), ends.count(LinkEnd.OUTSIDE)
    )


def with_title(document: Document, title: str) -> Document:
    """The document under another title, which its sections begin with."""
    if title == document.title:
        return document
    sections = tuple(
        Section((title, *section.path[1:]), section.start, section.end)
        for section in document.sections
    )
    return replace(document, title=title, sections=sections)


def from_root(page: Page, root: str) -> Page:
    """The page of a source that lies there."""
    document, origin = page.document, page.document.origin
    if origin is None:
        return page
    return replace(page, document=replace(document, origin=replace(origin, root=root)))


def linked_pages(pages: Sequence[Page], suffixes: tuple[str, ...]) -> Iterator[SourceItem]:
    """The documents of a whole set of pages, and the other names that lead to them."""
    names = PageNames(map(PageName.of, pages), suffixes=suffixes)
    for page in pages:
        if page.leads_to:
            continue
        name = PageName.of(page)
        yield linked(page.document, name, page.links, names)
        title = names.titles[page.path]
        yield from (Redirect(alias, title) for alias in names.aliases(name))
