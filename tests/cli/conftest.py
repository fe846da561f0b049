"""A pipeline that says what it is told to, over real corpora."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import gap_filler
import pytest

from lacuna.answers import AnswerMode
from lacuna.corpus.store import Store
from lacuna.errors import LacunaError
from lacuna.pipeline import open_corpus as opening
from lacuna.pipeline.config import PipelineConfig
from lacuna.pipeline.query import Query
from lacuna.pipeline.result import Candidate, OnStep, Quote, Result, Stage, Step
from lacuna.types import Answer, Evidence, Gap, Prediction, Question, Span


class Model:
    """Never finds an answer where the talk is."""

    @classmethod
    def load(cls, model: str | Path = "small", *, threads: int | None = None) -> Model:
        if model != "small":
            raise LacunaError(f"There is no model {model}.")
        return cls()

    def read(
        self,
        questions: Sequence[Question],
        *,
        mode: AnswerMode = AnswerMode.ASK,
        progress: object = None,
    ) -> list[Prediction]:
        return [Prediction(Answer.none(), confidence=0.1) for _ in questions]


class Asker:
    """Answers "34 years" to all that is asked of a known title or passage; else none."""

    asked: tuple[Query, ...] = ()
    configs: tuple[PipelineConfig, ...] = ()
    retrievers: tuple[str, ...] = ()
    stores: tuple[Store, ...] = ()

    def __init__(
        self, store: Store, reader: Model, *, retriever: object, config: PipelineConfig
    ) -> None:
        self.store, self.reader, self.config = store, reader, config
        Asker.configs += (config,)
        Asker.stores += (store,)
        Asker.retrievers += (type(retriever).__name__,)

    def ask(self, asked: Query, *, on_step: OnStep | None = None) -> Result:
        Asker.asked += (asked,)
        if asked.title is not None:
            self.store.document(asked.title)
        candidate = Candidate("Ada Quill", 0.5, True, asked.question)
        steps = (Step(Stage.READ, 0, "Two windows were read.", (candidate,), 12.3),)
        if on_step is not None:
            on_step(steps[0])
        prediction, quotes = self._none(asked)
        if asked.title is not None or asked.context is not None:
            prediction, quotes = self._age()
        return Result(asked.question, asked.context, prediction, quotes, steps, measured=True)

    def _age(self) -> tuple[Prediction, tuple[Quote, ...]]:
        text = "She built the Marrow\nin 1931\x1b[2J."
        place = Evidence("Ada Quill", 24, 28)
        answer = Answer.number(34, "", place, unit="years", expression="1931 − 1897")
        quote = Quote("Ada Quill", ("Ada Quill", "Ships"), text, 0, 33, (Span(24, 28),), Span(0, 3))
        return Prediction(answer, confidence=0.876), (quote,)

    def _none(self, asked: Query) -> tuple[Prediction, tuple[Quote, ...]]:
        missing = f"Nothing answers “{asked.question}”"
        places = tuple(f"Place {number}" for number in range(8))
        nearest = Evidence("Carrow Fell", 0, 20)
        gap = Gap(missing, places, ("Bram Orde",), nearest)
        return Prediction(Answer.none(), gaps=(gap,), confidence=0.5), ()


@pytest.fixture
def pipeline(monkeypatch: pytest.MonkeyPatch) -> type[Asker]:
    """In the place of the real one, wherever a verb opens a corpus."""
    monkeypatch.setattr(opening, "Pipeline", Asker)
    monkeypatch.setattr(opening, "open_reader", Model.load)
    monkeypatch.setattr(Asker, "asked", ())
    monkeypatch.setattr(Asker, "configs", ())
    monkeypatch.setattr(Asker, "retrievers", ())
    monkeypatch.setattr(Asker, "stores", ())
    return Asker


@pytest.fixture
def gapqa(monkeypatch: pytest.MonkeyPatch) -> type[gap_filler.GapAsker]:
    """In the place of GapQA's model, wherever a verb opens it."""
    monkeypatch.setattr("lacuna.pipeline.gapqa.GapQAReader", gap_filler.GapReader)
    monkeypatch.setattr("lacuna.pipeline.gapqa.GapQAPipeline", gap_filler.GapAsker)
    monkeypatch.setattr(gap_filler.GapReader, "loaded", ())
    monkeypatch.setattr(gap_filler.GapAsker, "asked", ())
    return gap_filler.GapAsker
