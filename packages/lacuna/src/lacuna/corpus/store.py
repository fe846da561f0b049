"""The interface of corpora, wherever they are kept."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np

from lacuna.corpus.address import address_of
from lacuna.corpus.integrity import DATABASE
from lacuna.corpus.rows import NUMBER
from lacuna.corpus.titles import did_you_mean
from lacuna.errors import LacunaError, needs, shown
from lacuna.types import Document

if TYPE_CHECKING:
    import sqlite3

    from lacuna.corpus.embedded_store import EmbeddedStore
    from lacuna.corpus.graph import Graph
    from lacuna.corpus.writer import Writer
    from lacuna_scale.lance.store import LanceStore


@dataclass(frozen=True, slots=True)
class Redirect:
    """A title that stands for another one."""

    title: str
    target: str
    fragment: str = ""


@dataclass(frozen=True, slots=True)
class Skipped:
    """A page or file that gave no document, and why; always counted and reported."""

    where: str
    reason: str
    lacks: str = ""
    """The module that reading it needs and that is not installed; with it, it can be read."""
    again: bool = False
    """True if the disk failed: the next run tries again, and what was known stays till then."""


SourceItem = Document | Redirect | Skipped


# What a search asks of a store: which passages may be meant, and the terms of each.
#
# Every engine has its own way of scoring. It is asked for more passages than wanted, and those are
# scored once more in one place, ``retrieve/``, so that a corpus answers alike wherever it is kept.


FIELDS = ("title", "heading", "body")
Averages = tuple[float, float, float]
"""The mean number of terms in each field of a passage."""


@dataclass(frozen=True, slots=True)
class WantedPassages:
    """Passages with one of the terms, or all; ``phrases`` must stand in them as they are.

    ``documents`` (titles; None for all of them) and ``section`` (its headings, outermost first) say
    where to look.
    """

    terms: Sequence[str]
    all_words: bool = False
    phrases: Sequence[str] = ()
    documents: Sequence[str] | None = None
    section: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class PassageRows:
    """Passages in the order they were added: their terms as bytes, those of the title first.

    ``begins`` says which are the first of their documents.
    """

    ids: Sequence[int]
    blobs: Sequence[bytes]
    title_terms: Sequence[int]
    heading_terms: Sequence[int]
    begins: Sequence[bool]
    number: np.dtype[np.unsignedinteger[Any]] = NUMBER
    """The number of each term in the bytes."""


class PassagePlace(NamedTuple):
    """The place of a passage; the headings are those of ``text_index.joined``."""

    title: str
    start: int
    end: int
    section: str


class PassageView(ABC):
    """The passages of a store at one generation."""

    count: int
    average: Averages

    @abstractmethod
    def having(self, terms: Sequence[str]) -> list[int]:
        """The number of passages that have each of the terms, in any field."""

    @abstractmethod
    def candidates(self, wanted: WantedPassages, most: int) -> PassageRows:
        """About so many passages that the engine finds best."""

    @abstractmethod
    def places(self, passages: Sequence[int]) -> dict[int, PassagePlace]:
        """The places of some of the passages just found."""

    @abstractmethod
    def numbers(self, terms: Sequence[str]) -> list[int]:
        """The numbers that the terms have in ``PassageRows.blobs``; 0 for what no passage has."""

    @abstractmethod
    def terms(self, numbers: Sequence[int]) -> list[tuple[int, str]]:
        """The terms of some numbers; a number means the same term for ever."""


class PassageIndex(ABC):
    """The passages of a store as they are now."""

    @abstractmethod
    def reading(self) -> AbstractContextManager[PassageView]:
        """The newest state, which stands still in the block."""


# What a corpus can be asked for, wherever it is kept.
#
# ``Store`` is what all of Lacuna reads a corpus through. The embedded one (``embedded_store``) is
# a folder with a database and a text index; ``lance/`` keeps the same on a shared disk or in an
# object store. ``corpus/open.py`` opens either by its place.


@dataclass(frozen=True, slots=True)
class StoreInfo:
    """The size of a store."""

    documents: int
    redirects: int
    skipped: int
    passages: int
    bytes_on_disk: int


@dataclass(frozen=True, slots=True)
class SourceInfo:
    """A folder, archive or file that was read, and what became of its files and links."""

    root: str
    files: int
    """The number that was read; 0 of a source that is one large file."""
    documents: int
    skipped: int
    resolved: int
    """Links that lead to a document of the source."""
    missing: int
    """Links whose document is not there."""
    outside: int
    """Links that lead out of the source, most often to a web page."""


class Lead(NamedTuple):
    """The first paragraph of a document."""

    title: str
    start: int
    end: int


class Store(ABC):
    """Documents by title, their links, and their passages."""

    follows_sources = True
    """True if it is brought in step with its sources while it is open (``refresh_store``)."""

    @classmethod
    def create(cls, folder: Path) -> EmbeddedStore:
        """Open the embedded store in a folder; make an empty one if there is none."""
        from lacuna.corpus.embedded_store import EmbeddedStore

        return EmbeddedStore.create(folder)

    @classmethod
    def open(cls, folder: Path) -> EmbeddedStore:
        """Open an embedded store that is there."""
        from lacuna.corpus.embedded_store import EmbeddedStore

        return EmbeddedStore.open(folder)

    @property
    @abstractmethod
    def place(self) -> str:
        """The place where it is kept: a folder or an address."""

    @property
    @abstractmethod
    def is_there(self) -> bool:
        """True if it still is: someone may delete it while it is open."""

    @abstractmethod
    def reach(self) -> None:
        """Raise where it cannot be read now; it may take as long as the place takes to answer."""

    @property
    @abstractmethod
    def derived(self) -> Path:
        """A folder of this machine for what is derived from the store (``cached_arrays``)."""

    @abstractmethod
    def close(self) -> None:
        """Close the files; the store cannot be used after that."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    @property
    @abstractmethod
    def generation(self) -> int:
        """A number that grows with every commit."""

    @property
    @abstractmethod
    def token(self) -> str:
        """A word that is another one after every commit, whatever became of the store."""

    @abstractmethod
    def reading(self) -> AbstractContextManager[None]:
        """Read one generation in the block, while others may write."""

    @property
    @abstractmethod
    def behind(self) -> int:
        """The number of documents that the text index does not know yet, or no longer has reason to
        know."""

    @abstractmethod
    def __len__(self) -> int: ...

    @abstractmethod
    def __iter__(self) -> Iterator[Document]:
        """All documents in the order they were added, a few at a time."""

    @abstractmethod
    def titles(self) -> Iterator[str]:
        """All titles, in the order in which the documents were added."""

    @abstractmethod
    def titles_with(self, part: str, limit: int) -> list[str]:
        """Titles that have this in their folded form, the likeliest first (``search_titles``)."""

    @abstractmethod
    def redirects(self) -> Iterator[Redirect]:
        """All titles that stand for others."""

    @abstractmethod
    def skipped(self) -> Iterator[Skipped]:
        """Pages and files that gave no document, and why."""

    @abstractmethod
    def skipped_count(self) -> int:
        """The number of pages and files that gave no document."""

    @abstractmethod
    def sources(self) -> list[SourceInfo]:
        """The sources that the documents were read from."""

    @abstractmethod
    def source_rows(self) -> AbstractContextManager[sqlite3.Connection]:
        """A database with the rows of sources, files and pages, and the documents of pages."""

    def __contains__(self, title: object) -> bool:
        return isinstance(title, str) and self.resolve(title) is not None

    @abstractmethod
    def resolve(self, title: str) -> str | None:
        """The title of the document that is meant, or None.

        Exact titles go first, then redirects, then titles that differ in case, underscores or
        URL-quoting. A loop of redirects leads nowhere.
        """

    @abstractmethod
    def known(self, names: Iterable[str]) -> dict[str, str]:
        """The ones among many names that are titles or redirects, with the title that each leads
        to."""

    @abstractmethod
    def document(self, title: str) -> Document:
        """The document of that title, however it is written."""

    @abstractmethod
    def numbers(self) -> Iterator[int]:
        """The numbers of all documents, in the order in which they were added."""

    @abstractmethod
    def number(self, title: str) -> int | None:
        """The number of the document of exactly this title."""

    @abstractmethod
    def leads(self, numbers: Iterable[int]) -> Mapping[int, Lead]:
        """The first paragraphs of the documents with these numbers, as far as they are there."""

    def no_such(self, title: str) -> LacunaError:
        """The error for a title that is not there, with the titles that come close."""
        close = did_you_mean(title, self.titles())
        hint = " or ".join(repr(other) for other in close)
        return LacunaError(
            f"The corpus has no document {shown(title)}."
            + (f" Did you mean {hint}?" if hint else " It has no title like it.")
        )

    @abstractmethod
    def graph(self) -> Graph:
        """The links between the documents, as of now."""

    @abstractmethod
    def passages(self) -> PassageIndex:
        """The passages of the documents, for those who search."""

    @abstractmethod
    def writer(self) -> AbstractContextManager[Writer]:
        """Add, replace and remove documents; use it in a ``with`` block."""

    @abstractmethod
    def info(self) -> StoreInfo:
        """The size of the store."""


def is_store(folder: Path) -> bool:
    """Tell if ``lacuna index`` has made a corpus of this folder."""
    return (folder / DATABASE).is_file()


def is_corpus(place: Path) -> bool:
    """Tell if a place is a corpus of its own, rather than documents that are to be indexed."""
    return address_of(place) is not None or is_store(place)


def store_at(place: Path) -> Store:
    """Open a corpus that is there."""
    address = address_of(place)
    return Store.open(place) if address is None else lance_store(address)


def new_store_at(place: Path) -> Store:
    """Open a corpus to write to it; make an empty one if there is none."""
    address = address_of(place)
    return Store.create(place) if address is None else lance_store(address, must_exist=False)


def lance_store(address: str, *, must_exist: bool = True) -> LanceStore:
    """The store at an address."""
    with needs("scale", address):
        from lacuna_scale.lance.store import LanceStore
    return LanceStore(address, must_exist=must_exist)
