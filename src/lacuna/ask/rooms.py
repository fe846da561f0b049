"""What every stage works with: the corpus, its search, its windows, and the reader."""

from __future__ import annotations

from dataclasses import dataclass

from lacuna.ask.budget import Budget
from lacuna.corpus.store import Store
from lacuna.find.bm25 import Bm25Retriever
from lacuna.find.shelf import Shelf
from lacuna.read.reader import Reader
from lacuna.read.style import Style


@dataclass(frozen=True, slots=True)
class Rooms:
    """Shared by all questions."""

    store: Store
    reader: Reader
    shelf: Shelf
    retriever: Bm25Retriever
    budget: Budget
    style: Style
