"""A small linked corpus, and a reader and a retriever that say what they are told to."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from lacuna.answers import AnswerMode
from lacuna.corpus.store import Store
from lacuna.models.calibration import AnswerScorer, Tuning
from lacuna.models.reader.reader import LinkScores, ScoredAnswer
from lacuna.models.registry import Progress
from lacuna.pipeline.config import PipelineConfig
from lacuna.pipeline.state import Components
from lacuna.retrieve.registry import Hit
from lacuna.retrieve.windows import WindowIndex, with_sentences
from lacuna.types import Answer, Document, Evidence, Link, Prediction, Question

TEXTS = {
    "Marrow": "The Marrow is a ferry. She was built by Ada Quill in 1931. She sails to Osk.",
    "Ada Quill": "Ada Quill was a shipbuilder. She was born in Port Ellery in 1897.",
    "Port Ellery": "Port Ellery is a town of 2,300 people.",
}
LINKS = {"Marrow": ("Ada Quill", "Osk"), "Ada Quill": ("Port Ellery",)}


def document(title: str) -> Document:
    """A document of the corpus; Osk is linked to, but is not there."""
    text = TEXTS[title]
    places = ((name, text.index(name)) for name in LINKS.get(title, ()))
    links = tuple(Link(at, at + len(name), name) for name, at in places)
    return with_sentences(Document(title, text, links=links))


def make_store(folder: Path) -> Store:
    """The corpus."""
    store = Store.create(folder)
    with store.writer() as writer:
        writer.add([document(title) for title in TEXTS])
    return store


class FakeReader:
    """Finds the words that it was given, wherever they stand in what it reads."""

    def __init__(self, *answers: str, margin: float = 5.0) -> None:
        self.answers = answers
        self.margin = margin
        self.relevant: dict[str, float] = {}
        self.link_score: dict[str, float] = {}
        self.alone = ScoredAnswer(Prediction(), 0.0, -math.inf)
        self.largest = 10_000
        self.read_questions: list[Question] = []
        self.modes: list[AnswerMode] = []
        self.titles: list[str] = []
        self.scorer: AnswerScorer | None = None

    def read(
        self,
        questions: Sequence[Question],
        *,
        mode: AnswerMode = AnswerMode.ASK,
        progress: Progress | None = None,
    ) -> list[Prediction]:
        """The first of its answers that stands in a text, or none."""
        return [scored.decide(Tuning()) for scored in self.score(questions, mode=mode)]

    def score(
        self, questions: Sequence[Question], *, mode: AnswerMode = AnswerMode.ASK
    ) -> list[ScoredAnswer]:
        """The same, as sure as it was told to be."""
        self.read_questions += questions
        return [self._score(question) for question in questions]

    def read_alone(
        self,
        asked: Sequence[tuple[str, Sequence[Document]]],
        *,
        mode: AnswerMode = AnswerMode.ASK,
    ) -> list[list[ScoredAnswer]]:
        """As told; the relevance goes by title, a document that nothing was said of gets 0."""
        self.modes.append(mode)
        self.titles += [one.title for _, some in asked for one in some]
        return [
            [
                replace(
                    self._score(Question("", question, documents=(one,))),
                    relevance=self.relevant.get(one.title, 0.0),
                )
                for one in some
            ]
            for question, some in asked
        ]

    def answer_scorer(self, mode: AnswerMode) -> AnswerScorer | None:
        """None, unless one was given."""
        return self.scorer

    def link_scores(
        self, questions: Sequence[Question], *, mode: AnswerMode = AnswerMode.ASK
    ) -> list[LinkScores]:
        """By the link's target; one that nothing was said of gets -1."""
        contexts = (question.context for question in questions)
        links = (context.links if context else () for context in contexts)
        return [
            LinkScores([self.link_score.get(link.target, -1.0) for link in some], self.alone)
            for some in links
        ]

    def fits(self, question: Question, *, mode: AnswerMode = AnswerMode.ASK) -> bool:
        """Whether the texts are short enough together."""
        texts = (*((question.context,) if question.context else ()), *question.documents)
        return sum(len(text.text) for text in texts) <= self.largest

    def tuning(self, mode: AnswerMode, *, over_corpus: bool = False) -> Tuning:
        """Nothing was fitted."""
        return Tuning()

    def _score(self, question: Question) -> ScoredAnswer:
        texts = (*((question.context,) if question.context else ()), *question.documents)
        for answer in self.answers:
            for text in texts:
                if (start := text.text.find(answer)) >= 0:
                    place = Evidence(text.title, start, start + len(answer))
                    prediction = Prediction(Answer.span(answer, place), (place,))
                    return ScoredAnswer(prediction, 0.0, self.margin)
        return ScoredAnswer(Prediction(), 0.0, -math.inf)


class FakeRetriever:
    """Finds whole documents, in the order of the titles that it was given."""

    def __init__(self, *titles: str) -> None:
        self.titles = titles
        self.queries: list[str] = []

    def search(self, query: str, k: int = 10) -> list[Hit]:
        """The same for every query."""
        self.queries.append(query)
        return [Hit(title, 1.0, 0, len(TEXTS[title])) for title in self.titles[:k]]


def make_components(
    store: Store,
    reader: FakeReader,
    retriever: FakeRetriever | None = None,
    config: PipelineConfig = PipelineConfig(),  # noqa: B008 - it is frozen
    mode: AnswerMode = AnswerMode.ASK,
) -> Components:
    """What a stage works with."""
    windows, searcher = WindowIndex(store), retriever or FakeRetriever()
    return Components(store, reader, windows, searcher, config, mode, reader.scorer)
