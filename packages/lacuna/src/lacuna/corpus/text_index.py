"""The text index of a store: tantivy's files, and the words that it sees in a text.

The index holds nothing that the database does not: it can always be rebuilt from there.
"""

from __future__ import annotations

import json
import shutil
import threading
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from functools import cache
from pathlib import Path
from typing import NamedTuple

import tantivy

from lacuna.corpus.integrity import INDEX as FOLDER
from lacuna.corpus.integrity import IndexPlace, telling_damage
from lacuna.errors import LacunaError
from lacuna.text import INDEX_STOP_WORDS

META = "meta.json"
TEXT = "text"
WORDS = "words"
HEAP = 64 << 20
LONGEST_WORD = 100
"""Bytes; what is longer is no word, and tantivy has a limit of its own above it."""
LONGEST_HEADING = 1000
"""Characters of a title or heading: every passage below it is found by them, and pays for them."""


class IndexedPassage(NamedTuple):
    """The form of one passage for the index."""

    id: int
    document: int
    title: str
    section: tuple[str, ...]
    text: str


class Token(NamedTuple):
    """A word as the index has it, and where it stands in the text."""

    term: str
    position: int
    start: int
    end: int


class Analyzer:
    """Cuts a text into the terms that are indexed: lower case, no stop words, English stems."""

    def __init__(self) -> None:
        self._per_thread = threading.local()

    def terms(self, text: str) -> list[str]:
        """The terms of a text, in order, with repetition."""
        return self._analyzer().analyze(valid(text))

    def tokens(self, text: str) -> list[Token]:
        """The terms with their places."""
        return [
            Token(token.text, token.position, token.char_offset_from, token.char_offset_to)
            for token in self._analyzer().pre_tokenize(valid(text)).tokens
        ]

    def _analyzer(self) -> tantivy.TextAnalyzer:
        # One for each thread: its filters keep state while they run.
        try:
            analyzer: tantivy.TextAnalyzer = self._per_thread.analyzer
        except AttributeError:
            analyzer = self._per_thread.analyzer = build_analyzer()
        return analyzer


def build_analyzer() -> tantivy.TextAnalyzer:
    """The chain of filters; changing it needs a new store format."""
    return (
        tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.simple())
        .filter(tantivy.Filter.remove_long(LONGEST_WORD))
        .filter(tantivy.Filter.lowercase())
        .filter(tantivy.Filter.custom_stopword(list(INDEX_STOP_WORDS)))
        .filter(tantivy.Filter.stemmer("english"))
        .build()
    )


@cache
def schema() -> tantivy.Schema:
    """Nothing is stored: documents come from the database, by the passage's number.

    The numbers are signed, because tantivy-py looks for signed ones when it deletes.
    """
    return (
        tantivy.SchemaBuilder()
        .add_integer_field("passage", fast=True)
        .add_integer_field("document", indexed=True)
        .add_text_field("section", tokenizer_name="raw", index_option="basic")
        .add_text_field(TEXT, tokenizer_name=WORDS)
        .build()
    )


def is_there(folder: Path) -> bool:
    """Tell if the folder of a store has a text index."""
    return (folder / FOLDER / META).is_file()


class SearchIndex:
    """The text index of a store, for those who search it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        with self.telling_damage():
            self._place = IndexPlace(folder / FOLDER)
            self._index = _configured(tantivy.Index.open(self._place.path))

    def newest(self) -> tantivy.Searcher:
        """The index as it is now."""
        with self.telling_damage():
            self._place.follow()
            self._index.reload()
            return self._index.searcher()

    def has_deleted(self) -> bool:
        """Tell if the files hold passages that are gone; tantivy drops them when it merges."""
        with self.telling_damage():
            meta = json.loads((Path(self._place.path) / META).read_bytes())
            return any(segment.get("deletes") for segment in meta["segments"])

    def telling_damage(self) -> AbstractContextManager[None]:
        """For all that is done with the index: what tantivy cannot make sense of is damage."""
        return telling_damage(self._folder, "its text index cannot be read")


def passage_numbers(index: SearchIndex) -> set[int]:
    """The numbers of all passages that an index has."""
    searcher = index.newest()
    with index.telling_damage():
        if not searcher.num_docs:
            return set()
        hits = searcher.search(tantivy.Query.all_query(), searcher.num_docs, count=False).hits
        numbers = searcher.fast_field_values("passage", [address for _, address in hits])
    return {number for number in numbers if isinstance(number, int)}


def _configured(index: tantivy.Index) -> tantivy.Index:
    index.register_tokenizer(WORDS, build_analyzer())
    # Stores are read by many processes: each looks again when it sees a new generation.
    index.config_reader(reload_policy="manual")
    return index


class IndexWriter:
    """Brings the text index in step with the database; doing so twice changes nothing."""

    def __init__(self, folder: Path, *, create: bool = False) -> None:
        self._folder = folder
        if create:
            shutil.rmtree(folder / FOLDER, ignore_errors=True)
            (folder / FOLDER).mkdir()
        self._place = IndexPlace(folder / FOLDER)
        with telling_damage(folder, "its text index cannot be opened"):
            path = self._place.path
            index = tantivy.Index(schema(), path) if create else tantivy.Index.open(path)
        try:
            self._writer = _configured(index).writer(HEAP, 1)
        except ValueError as error:
            raise self._failed(error) from error

    def replace(self, gone: Iterable[int], passages: Iterable[IndexedPassage]) -> None:
        """Forget documents, take in passages, and commit both together."""
        try:
            for document in gone:
                self._writer.delete_documents_by_term("document", document)
            for passage in passages:
                self._writer.add_document(_entry(passage))
            self._writer.commit()
        except (ValueError, OSError) as error:
            raise self._failed(error) from error

    def clear_leftovers(self) -> None:
        """Delete what a killed writer had begun; tantivy would stumble over files of that name."""
        try:
            self._writer.garbage_collect_files()
        except (ValueError, OSError) as error:
            raise self._failed(error) from error

    def close(self) -> None:
        """Wait for merges; the writer cannot be used after that."""
        try:
            self._writer.wait_merging_threads()
        except (ValueError, OSError) as error:
            raise self._failed(error) from error

    def abandon(self) -> None:
        """Let go of the index at once, so that another writer can have it."""
        self.__dict__.pop("_writer", None)

    def _failed(self, error: Exception) -> LacunaError:
        return LacunaError(
            f"the text index of {self._folder} could not be written: {error}. Is the disk full? "
            "The documents committed so far are kept; make room and run it again."
        )


SECTION_MARK = "\x1f"


def joined(path: Sequence[str]) -> str:
    """The headings above a passage as one text."""
    return valid(SECTION_MARK.join(map(searched, path)))


def heading_text(title: str, path: Sequence[str]) -> str:
    """The headings as words to be searched; the outermost is most often the title itself."""
    return " ".join(map(searched, path[1:] if path and path[0] == title else path))


def searched(heading: str) -> str:
    """The words of a title or heading by which the passages below it are found."""
    return heading[:LONGEST_HEADING]


def section_keys(path: Sequence[str]) -> list[str]:
    """The keys of a passage: its section and every section around that one."""
    return [joined(path[: depth + 1]).casefold() for depth in range(len(path))]


def _entry(passage: IndexedPassage) -> tantivy.Document:
    entry = tantivy.Document()
    entry.add_integer("passage", passage.id)
    entry.add_integer("document", passage.document)
    for key in section_keys(passage.section):
        entry.add_text("section", key)
    # Values of one field: tantivy is quick at one, and leaves a gap that no phrase spans.
    entry.add_text(TEXT, valid(searched(passage.title)))
    if headings := heading_text(passage.title, passage.section):
        entry.add_text(TEXT, valid(headings))
    entry.add_text(TEXT, valid(passage.text))
    return entry


def valid(text: str) -> str:
    """Half surrogates replaced, one character for one, so that offsets stay true."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace").decode("utf-8")
    return text
