"""The documents that agents may read, and what answers over them."""

from __future__ import annotations

from dataclasses import dataclass, field

from lacuna.agents.addresses import title_in
from lacuna.corpus.store import Store
from lacuna.corpus.titles import is_valid, search_titles
from lacuna.errors import LacunaError, shown
from lacuna.pipeline.query import Answerer
from lacuna.retrieve.bm25 import Bm25Retriever
from lacuna.types import Document

NEAREST = 5
"""Titles that are offered for one that is not there."""


@dataclass(frozen=True, slots=True)
class Library:
    """An open corpus; several threads may use it."""

    answerer: Answerer
    local: bool
    """Whether whoever asks sits where its files are, and may be told where."""
    retriever: Bm25Retriever = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "retriever", Bm25Retriever(self.store))

    @property
    def store(self) -> Store:
        """The documents."""
        return self.answerer.store

    def title(self, name: str) -> str:
        """The title that a name or an address stands for; the error tells the nearest ones."""
        wanted = title_in(name) or name
        title = self.store.resolve(wanted)
        if title is None:
            raise self._no_such(wanted)
        return title

    def document(self, name: str) -> Document:
        """The document of that name or address."""
        return self.store.document(self.title(name))

    def _no_such(self, wanted: str) -> LacunaError:
        near = search_titles(self.store, wanted, NEAREST) if is_valid(wanted) else []
        if not near:
            hits = self.retriever.search(wanted, NEAREST)
            near = list(dict.fromkeys(hit.title for hit in hits))
        listed = ", ".join(map(repr, near))
        hint = f"The nearest titles are: {listed}." if near else "No title comes near to it."
        return LacunaError(
            f"There is no document {shown(wanted)}. {hint} list_documents and search find others."
        )
