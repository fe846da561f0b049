"""What a search asks of a store: which passages may be meant, and the terms of each.

Every engine has its own way of scoring. It is asked for more passages than wanted, and those are
scored once more in one place, ``retrieve/``, so that a corpus answers alike wherever it is kept.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from lacuna.corpus.document_rows import NUMBER

FIELDS = ("title", "heading", "body")
Averages = tuple[float, float, float]
"""How many terms each field of a passage has, in the mean."""


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
    """How each term is written in the bytes."""


class PassagePlace(NamedTuple):
    """Where a passage stands; the headings are those of ``text_index.joined``."""

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
        """How many passages have each of the terms, in any field."""

    @abstractmethod
    def candidates(self, wanted: WantedPassages, most: int) -> PassageRows:
        """About so many passages that the engine finds best."""

    @abstractmethod
    def places(self, passages: Sequence[int]) -> dict[int, PassagePlace]:
        """Where some of the passages just found stand."""

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
