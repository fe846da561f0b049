"""What every stage works with: the corpus, its search, its windows, and the reader."""

from __future__ import annotations

from dataclasses import dataclass

from lacuna.corpus.store import Store
from lacuna.models.answer_mode import AnswerMode
from lacuna.models.reader.reader import Reader
from lacuna.pipeline.budget import Budget
from lacuna.retrieve.bm25 import Bm25Retriever
from lacuna.retrieve.window_index import WindowIndex


@dataclass(frozen=True, slots=True)
class Components:
    """Shared by all questions."""

    store: Store
    reader: Reader
    windows: WindowIndex
    retriever: Bm25Retriever
    budget: Budget
    mode: AnswerMode
