"""What every stage works with: the corpus, its search, its windows, and the reader."""

from __future__ import annotations

from dataclasses import dataclass

from lacuna.answer_mode import AnswerMode
from lacuna.corpus.store import Store
from lacuna.models.reader.reader import ModelReader
from lacuna.pipeline.config import PipelineConfig
from lacuna.retrieve.bm25 import Bm25Retriever
from lacuna.retrieve.window_index import WindowIndex


@dataclass(frozen=True, slots=True)
class Components:
    """Shared by all questions."""

    store: Store
    reader: ModelReader
    windows: WindowIndex
    retriever: Bm25Retriever
    config: PipelineConfig
    mode: AnswerMode
