"""Bring a store in step with its sources: what changed is read, what went is taken out.

A source of pages is read in two steps. First every file that changed is parsed, and what it says
is kept in the store as pages. Then, when the names of all pages are known, those become documents
whose links lead to titles. Both steps commit as they go: an interrupted run goes on where it was,
and the outcome is that of reading everything at once.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import replace
from functools import partial
from hashlib import blake2b
from pathlib import Path

from lacuna.corpus.database import Root, SourceRows, root_of
from lacuna.corpus.formats.base import page_suffixes
from lacuna.corpus.formats.detect import detect_source
from lacuna.corpus.formats.entries import SourceFile, file_state, paths_in
from lacuna.corpus.formats.isolation import read_ahead
from lacuna.corpus.integrity import readable
from lacuna.corpus.page_links import PageName, PageNames, count_links, linked, resolve_all
from lacuna.corpus.page_source import BegunFile, PageRows, PageSource, StoreSource, link_digest
from lacuna.corpus.store import Redirect, Skipped, Store, is_corpus, store_at
from lacuna.corpus.titles import is_valid
from lacuna.corpus.writer import Added, Progress, Writer
from lacuna.errors import LacunaError
from lacuna.plugins import PluginGroup, plugin_names
from lacuna.version import __version__

READING = "3"
"""Raised when the same file gives other pages than before, so that all are read again."""


def refresh_store(store: Store, progress: Progress | None = None) -> bool:
    """Read what has changed in the sources of a store; whether anything had.

    A source that is gone, such as a disk that is not there, leaves its documents as they are. One
    that cannot be read keeps no other from being read; what is wrong with it is said at the end.
    """
    if not store.follows_sources:
        return False
    with store.source_rows() as rows:
        sources = [(root, chosen or None) for root, chosen in SourceRows(rows).roots()]
    there = [source for source in sources if source[0].is_absolute() and source[0].exists()]
    # Most often nothing has changed, and opening a writer to find that out would cost too much.
    changed = False
    problems: list[LacunaError] = []
    for source in there:
        if is_current(store, *source):
            continue
        try:
            with store.writer() as writer:
                changed |= refresh_source(writer, *source, progress).changed
        except LacunaError as problem:
            problems.append(problem)
    if problems:
        raise problems[0]
    return changed


def refresh_source(
    writer: Writer, path: Path, source_format: str | None = None, progress: Progress | None = None
) -> Added:
    """Read a source into a store, or what has changed in it since the last time."""
    root, state = root_of(path), source_state(path, source_format)
    if writer.sources.is_finished(root, state):
        return Added()
    detected = StoreSource(path) if is_corpus(path) else detect_source(path, source_format)
    if isinstance(detected, StoreSource) or detected.dump is None:
        return _PageRefresh(writer, detected, root, source_format or "", state).run(progress)
    assert detected.dump.read is not None
    return writer.add(detected.dump.read(path), source=root, state=state, progress=progress)


def add_store(writer: Writer, folder: Path, name: str) -> Added:
    """Read all documents of another store; a title that is taken gets the ``name`` behind it."""
    state = source_state(folder, None)
    return _PageRefresh(writer, StoreSource(folder), root_of(folder), "", state, name).run(None)


def check_source(path: Path, source_format: str | None = None) -> None:
    """Refuse what cannot be read, with the reason."""
    if not is_corpus(path):
        detect_source(path, source_format)


def is_current(store: Store, path: Path, source_format: str | None = None) -> bool:
    """Tell if a store has a source in its present state."""
    with store.source_rows() as rows:
        return SourceRows(rows).is_finished(root_of(path), source_state(path, source_format))


def source_state(path: Path, source_format: str | None) -> str:
    """A name for the present state of a source: of its file, or of all files of a folder."""
    if is_corpus(path):
        with store_at(path) as store:
            return f"{READING} {store.token} {store.generation}"
    digest = blake2b(_how(source_format or "").encode(), digest_size=12)
    for file in sorted(paths_in(path, bool)) if path.is_dir() else [path]:
        digest.update(os.fsencode(file.relative_to(path)) + b"\n")
        try:
            digest.update(file_state(file.stat()).encode())
        except OSError:
            digest.update(b"cannot be read")
    return digest.hexdigest()


def _how(source_format: str) -> str:
    """The settings that decide how a file is read, besides its content."""
    how = (READING, __version__, source_format, *plugin_names(PluginGroup.FORMATS))
    return blake2b(" ".join(how).encode(), digest_size=8).hexdigest()


class _PageRefresh:
    """One run over a source of pages."""

    def __init__(
        self,
        writer: Writer,
        source_of_pages: PageSource,
        root: Root,
        source_format: str,
        state: str,
        name: str = "",
    ) -> None:
        self._writer = writer
        self._name = name or readable(Path(source_of_pages.path.resolve().name))
        self._source_of_pages = source_of_pages
        self._state = state
        self._how = _how(source_format)
        with writer.clear_errors():
            writer.begin()
            self._source = writer.sources.number(root, source_format)
        self._pages = PageRows(writer.database, self._source)
        self._added = Added()
        self._lacking: set[str] = set()
        self._state_is_known = True

    def run(self, progress: Progress | None) -> Added:
        before = set(self._pages.names())
        self._read_files(progress or (lambda _: None))
        with self._writer.clear_errors():
            after = set(self._pages.names())
            self._link(self._names(after), relink=before != after)
            self._writer.begin()
            state = self._state if self._state_is_known else ""
            self._writer.sources.finish(self._source, state, self._lacking)
        self._writer.commit()
        self._added = replace(self._added, skipped=self._pages.skipped_count())
        if progress:
            progress(self._added)
        return self._added

    def _read_files(self, progress: Progress) -> None:
        known = self._pages.file_states()
        gone = set(known)
        no_longer_skipped = self._pages.skipped_places()
        files = self._source_of_pages.files()
        with closing(read_ahead(files, partial(self._begin, known))) as ahead:
            for file, begun in ahead:
                with self._writer.clear_errors():
                    if isinstance(file, Skipped):
                        self._skip(file)
                        no_longer_skipped.discard(file.where)
                    else:
                        gone.discard(file.name)
                        no_longer_skipped.discard(file.name)
                        self._write(file, begun)
                self._writer.commit_if_large()
                progress(self._added)
        with self._writer.clear_errors():
            self._writer.begin()
            for name in gone:
                self._remove_pages(self._pages.paths_of(name))
                self._pages.remove_file(name)
            for place in no_longer_skipped:
                self._pages.remove_skipped(place)

    def _begin(
        self, known: Mapping[str, tuple[str, bytes]], file: SourceFile | Skipped
    ) -> BegunFile:
        """Load a file and let it be read, unless that is known to give what it gave before."""
        if isinstance(file, Skipped):
            return BegunFile()
        before = known.get(file.name)
        state = file.state and f"{self._how} {file.state}"
        if before is not None and state and before[0] == state:
            return BegunFile(state, unchanged=True)
        entry = self._source_of_pages.load(file)
        if isinstance(entry, Skipped):
            return BegunFile(state, items=(entry,))
        digest = blake2b(entry.data, digest_size=16, key=self._how.encode()).digest()
        if before is not None and before[1] == digest:
            return BegunFile(state, digest, unchanged=True)
        return BegunFile(state, digest, reading=self._source_of_pages.begin(entry))

    def _write(self, file: SourceFile, begun: BegunFile) -> None:
        if begun.unchanged:
            self._added = replace(self._added, before=self._added.before + 1)
            if begun.digest:  # its times are others, but not its content
                self._writer.begin()
                self._pages.note_file(file.name, begun.state, begun.digest)
            return
        self._writer.begin()
        self._pages.remove_file(file.name)
        match begun.items:
            case [Skipped(again=True) as failed]:
                self._skip(failed, file.name)
                self._pages.note_file(file.name, "", b"")
                self._state_is_known = False
                return
        old = self._pages.paths_of(file.name)
        for item in begun.items:
            if isinstance(item, Skipped):
                self._skip(item, file.name)
            else:
                self._pages.put(item)
                self._writer.count(item.document)
                self._added = replace(
                    self._added,
                    documents=self._added.documents + (not item.leads_to),
                    replaced=self._added.replaced + (item.path in old),
                )
                old.discard(item.path)
        self._remove_pages(old)
        if lacking := {item.lacks for item in begun.items if isinstance(item, Skipped)} - {""}:
            self._lacking |= lacking
            self._pages.note_file(file.name, "", b"")  # its next reading may give more
        else:
            self._pages.note_file(file.name, begun.state, begun.digest)

    def _skip(self, skipped: Skipped, file: str = "") -> None:
        self._writer.skip(skipped, self._source, file)
        self._added = replace(self._added, skipped=self._added.skipped + 1)

    def _remove_pages(self, paths: set[str]) -> None:
        for path in paths:
            self._writer.rows.remove_page(self._source, path)
            self._pages.remove(path)
        self._added = replace(self._added, removed=self._added.removed + len(paths))

    def _names(self, pages: set[PageName]) -> PageNames:
        files = self._pages.file_states()
        return PageNames(
            pages,
            suffixes=page_suffixes(),
            files=files.__contains__,
            taken=self._taken(),
            source=self._name,
        )

    def _taken(self) -> Callable[[str], bool]:
        """Tell if a document of another source has a title."""
        find = "SELECT 1 FROM documents WHERE title = ? AND source != ?"

        def taken(title: str) -> bool:
            if not is_valid(title):
                return False
            row = self._writer.database.execute(find, (title, self._source)).fetchone()
            return row is not None

        return taken

    def _link(self, names: PageNames, *, relink: bool) -> None:
        """Make documents of the pages that were parsed, and of those whose links lead elsewhere."""
        by_path = {name.path: name for name in names}
        waiting = dict.fromkeys(self._pages.waiting())
        if relink:
            for page in self._pages.stored():
                resolved = resolve_all(page.name, page.links, names)
                if page.linked != link_digest(names.titles[page.name.path], resolved):
                    waiting.setdefault(page.name.path)
        for path in waiting:
            self._put(by_path[path], names)
            self._writer.commit_if_large()
        if relink:
            self._writer.begin()
            self._put_redirects(names)

    def _put(self, name: PageName, names: PageNames) -> None:
        self._writer.begin()
        links = self._pages.links_of(name.path)
        resolved = resolve_all(name, links, names)
        document = linked(self._pages.document(name.path), name, links, names)
        self._writer.put(document, self._source, name.path)
        digest = link_digest(names.titles[name.path], resolved)
        self._pages.has_become(name.path, digest, count_links(resolved))

    def _put_redirects(self, names: PageNames) -> None:
        self._writer.database.execute("DELETE FROM redirects WHERE source = ?", (self._source,))
        count = 0
        for name in names:
            title = names.titles[name.path]
            for alias in names.aliases(name):
                if is_valid(alias):
                    count += self._writer.redirect(Redirect(alias, title), self._source)
        self._added = replace(self._added, redirects=count)
