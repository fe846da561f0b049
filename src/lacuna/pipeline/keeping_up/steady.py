"""Answers over a corpus that may change while a question is on its way."""

from __future__ import annotations

from lacuna.corpus.store import Store
from lacuna.models.protocol import Reader
from lacuna.pipeline.config import PipelineConfig
from lacuna.pipeline.dialog import DialogAnswerer
from lacuna.pipeline.query import Query
from lacuna.pipeline.result import Result
from lacuna.pipeline.trace import OnStep


class SteadyPipeline:
    """A pipeline that asks once more where the corpus changed meanwhile.

    A question goes from passages to documents and back to their sentences; if a document changed in
    between, offsets would no longer fit, or it would be gone.
    """

    def __init__(self, pipeline: DialogAnswerer) -> None:
        self._pipeline = pipeline

    @property
    def store(self) -> Store:
        """The corpus."""
        return self._pipeline.store

    @property
    def reader(self) -> Reader:
        """The reader."""
        return self._pipeline.reader

    @property
    def config(self) -> PipelineConfig:
        """The numbers that it goes by."""
        return self._pipeline.config

    def ask(self, query: Query, *, on_step: OnStep | None = None) -> Result:
        """One answer, from one state of the corpus."""
        before = self.store.generation
        try:
            result = self._pipeline.ask(query, on_step=on_step)
        except Exception:
            if self.store.generation == before:
                raise
        else:
            if self.store.generation == before:
                return result
        return self._pipeline.ask(query, on_step=on_step)
