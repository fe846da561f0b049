"""The papers' simpler systems: baselines, IIRC's followed links, HotpotQA's full wiki."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from lacuna.answers import AnswerMode
from lacuna.datasets import every_dataset
from lacuna.datasets.base import (
    AnswersQuestion,
    AnswerTrace,
    Baseline,
    Dataset,
    Setting,
    trace_of_given,
)
from lacuna.datasets.baselines import sentences_of_section, span_prediction
from lacuna.errors import BadField, ItemError, LacunaError
from lacuna.evaluation.kept_answers import KeptAnswer
from lacuna.evaluation.system import AT_ONCE, chunks, read_arranged
from lacuna.evaluation.system import Progress as WorkProgress
from lacuna.metrics.metric import Metric
from lacuna.metrics.report import Report, ScoreTable
from lacuna.models.registry import Progress, Reader
from lacuna.retrieve.registry import Hit, Retriever
from lacuna.types import Answer, Document, Gold, Prediction, Question, Span

if TYPE_CHECKING:
    from lacuna.corpus.store import Store
    from lacuna.models.sentence_vectors import SentenceEncoder
    from lacuna.retrieve.hybrid import Floats

DATASET = "quac"


class SentenceSimilarityReader:
    """Answers with the sentence whose vector has the highest cosine with the question's."""

    at_once = 256

    def __init__(self, encoder: SentenceEncoder) -> None:
        self._encoder = encoder

    def read(
        self,
        questions: Sequence[Question],
        *,
        mode: AnswerMode = AnswerMode.ASK,
        progress: Progress | None = None,
    ) -> list[Prediction]:
        """One prediction for each question."""
        if not questions:
            return []
        sections = {question.context.text: question.context for question in questions
                    if question.context is not None}  # fmt: skip
        vectors = self._sentence_vectors(sections.values())
        asked = self._encoder.vectors([question.text for question in questions])
        predictions = []
        for question, vector in zip(questions, asked, strict=True):
            section = question.context
            spans = sentences_of_section(section.text) if section else ()
            if section is None or not spans:
                predictions.append(Prediction(Answer.none()))
                continue
            best = int(np.argmax(vectors[section.text] @ vector))
            predictions.append(span_prediction(section, spans[best]))
        if progress is not None:
            progress(len(questions))
        return predictions

    def _sentence_vectors(self, sections: Iterable[Document]) -> dict[str, Floats]:
        """The vectors of each section's sentences, by its text."""
        spans: dict[str, tuple[Span, ...]] = {
            section.text: sentences_of_section(section.text) for section in sections
        }
        texts = [text[start:end] for text, some in spans.items() for start, end in some]
        if not texts:
            return {}
        parts = np.split(
            self._encoder.vectors(texts), np.cumsum([len(some) for some in spans.values()])[:-1]
        )
        return dict(zip(spans, parts, strict=True))


def check_similarity(dataset: Dataset) -> None:
    """Refuse what has no section to choose a sentence of."""
    if dataset.name != DATASET:
        raise LacunaError(
            f"The system sentence-similarity chooses a sentence of {DATASET}'s sections. Give that "
            f"as the dataset, or another --system for {dataset.name}."
        )


class BaselineReader:
    """A baseline where a reader is expected, so that dialogs can go on with its own answers.

    ``gold`` is what an upper bound is told, by the ids of the questions.
    """

    def __init__(self, answer: AnswersQuestion, gold: Mapping[str, Gold | None]) -> None:
        self._answer = answer
        self._gold = gold

    def read(
        self,
        questions: Sequence[Question],
        *,
        mode: AnswerMode = AnswerMode.ASK,
        progress: Progress | None = None,
    ) -> list[Prediction]:
        """One prediction for each question."""
        predictions = [
            self._answer(replace(question, gold=self._gold.get(question.id)))
            for question in questions
        ]
        if progress is not None:
            progress(len(questions))
        return predictions


def is_baseline(name: str) -> bool:
    """Tell if some dataset has a baseline of that name."""
    return any(baseline.name == name for each in every_dataset() for baseline in each.baselines)


def find_baseline(name: str, dataset: Dataset) -> Baseline:
    """The baseline of a dataset; an error that names those it has."""
    for baseline in dataset.baselines:
        if baseline.name == name:
            return baseline
    others = [each.name for each in every_dataset() if any(b.name == name for b in each.baselines)]
    own = ", ".join(baseline.name for baseline in dataset.baselines) or "none"
    raise LacunaError(
        f"The baseline {name} is one of {' and '.join(others)}, not of {dataset.name}, whose "
        f"baselines are: {own}."
    )


def check_baseline_needs(
    baseline: Baseline, training: str | None, dataset: Dataset, setting: Setting
) -> None:
    """Refuse what a baseline cannot use, and ask for what it lacks."""
    name = baseline.name
    if setting.over_corpus:
        raise LacunaError(
            f"The baseline {name} answers from what the file holds, and the setting {setting.name} "
            f"asks a corpus. Take another setting, such as {dataset.setting().name}."
        )
    if baseline.learns and training is None:
        raise LacunaError(
            f"The baseline {name} learns from training questions. Name their file behind a colon: "
            f"--system {name}:TRAIN, a file of {dataset.name} with answers."
        )
    if training is not None and not baseline.learns:
        raise LacunaError(
            f"The baseline {name} learns nothing, so {training} has no use. Write --system {name}."
        )


def check_other_file(training: str, file: Path) -> None:
    """Refuse to judge a baseline by the very questions that it learns from."""
    path = Path(training)
    if path.exists() and file.exists() and path.samefile(file):
        raise LacunaError(
            f"{training} is the file that is to be answered: a baseline that has seen the answers "
            "tells nothing. Give another file to learn from."
        )


def open_baseline(
    baseline: Baseline, training: str | None, dataset: Dataset, questions: Iterable[Question]
) -> BaselineReader:
    """Let a baseline learn what it has to, and tell an upper bound the gold of the questions."""
    gold = {question.id: question.gold for question in questions} if baseline.upper_bound else {}
    if training is None:
        return BaselineReader(baseline.open(()), gold)
    return BaselineReader(baseline.open(_with_answers(dataset, Path(training))), gold)


def _with_answers(dataset: Dataset, path: Path) -> Iterator[Question]:
    """The training questions that have an answer; there must be one, and no item may be broken."""
    found = False
    with dataset.open(path) as reader:
        try:
            for question in reader.questions():
                if question.gold is not None and question.gold.answers:
                    found = True
                    yield question
        except ItemError as error:
            problem = BadField(error.field, error.expected, error.found)
            raise ItemError(path, error.item, problem, can_skip=False) from error
    if not found:
        raise LacunaError(
            f"{path} has no question with an answer, so there is nothing to learn from. Give a "
            f"file of {dataset.name} that holds the answers."
        )


ORACLE_LINKS = "oracle-links"
"""The setting that leaves the gold links alone: all of them are followed."""


class ChoosesLinks(Protocol):
    """A link model."""

    def chosen(self, questions: Sequence[Question]) -> list[tuple[str, ...]]:
        """The titles to follow for each question."""
        ...


class PredictsContext(Protocol):
    """A link model and a context model."""

    def predicted(
        self,
        questions: Sequence[Question],
        article_of: Callable[[str], Document | None],
        *,
        all_links: bool = False,
    ) -> list[Question]:
        """The questions with windows of the articles that were followed to."""
        ...


class ReadsStages(Protocol):
    """A reader of such a context."""

    @property
    def reads_context(self) -> bool:
        """True if it looks at linked texts at all."""
        ...

    def stages(self) -> PredictsContext:
        """The two stages before it."""
        ...

    def read(
        self, questions: Sequence[Question], *, mode: AnswerMode = AnswerMode.ASK
    ) -> list[Prediction]:
        """One prediction for each question."""
        ...


class FollowingSystem(ABC):
    """Says which documents it followed links to, besides its answers."""

    name: str

    def predict(
        self,
        questions: Iterable[Question],
        *,
        setting: Setting,
        progress: WorkProgress | None = None,
    ) -> dict[str, Prediction]:
        """The predictions by id, in the order of the questions."""
        answers = self.answers(questions, setting=setting, progress=progress)
        return {id_: answer.prediction for id_, answer in answers.items()}

    def answers(
        self,
        questions: Iterable[Question],
        *,
        setting: Setting,
        progress: WorkProgress | None = None,
    ) -> dict[str, KeptAnswer]:
        """The predictions with the titles that were followed to, by id."""
        answers: dict[str, KeptAnswer] = {}
        for chunk in chunks(questions, AT_ONCE):
            answered = self.follow(chunk, setting)
            answers |= zip((question.id for question in chunk), answered, strict=True)
            if progress is not None:
                progress(len(answers))
        return answers

    @abstractmethod
    def follow(self, questions: Sequence[Question], setting: Setting) -> list[KeptAnswer]:
        """The predictions for some questions."""


class LinkSystem(FollowingSystem):
    """A link model by itself: no answers, but links."""

    def __init__(self, links: ChoosesLinks, name: str) -> None:
        self.name = name
        self._links = links

    def follow(self, questions: Sequence[Question], setting: Setting) -> list[KeptAnswer]:
        none = Prediction(Answer.none())
        return [KeptAnswer(none, titles) for titles in self._links.chosen(questions)]


class LinkedArticlesSystem(FollowingSystem):
    """All three stages over the articles of a corpus."""

    def __init__(self, store: Store, reader: ReadsStages, name: str) -> None:
        self.name = name
        self._store, self._reader, self._stages = store, reader, reader.stages()

    def follow(self, questions: Sequence[Question], setting: Setting) -> list[KeptAnswer]:
        given = setting.name == ORACLE_LINKS
        asked = self._stages.predicted(questions, self._article, all_links=given)
        predictions = self._reader.read(asked, mode=setting.mode)
        return [
            KeptAnswer(
                prediction,
                tuple(document.title for document in question.documents),
                trace_of_given(question),
            )
            for question, prediction in zip(asked, predictions, strict=True)
        ]

    def _article(self, title: str) -> Document | None:
        known = self._store.resolve(title)
        return None if known is None else self._store.document(known)


PARAGRAPHS = 10
"""The number that a question comes with if nothing is searched."""


class FoundParagraphsSystem:
    """A reader of several paragraphs, over those that a retriever finds for a question."""

    def __init__(self, store: Store, retriever: Retriever, reader: Reader, name: str) -> None:
        self.name = name
        self._store, self._retriever, self._reader = store, retriever, reader

    def predict(
        self,
        questions: Iterable[Question],
        *,
        setting: Setting,
        progress: WorkProgress | None = None,
    ) -> dict[str, Prediction]:
        """The predictions by id, in the order of the questions."""
        return read_arranged(
            self._reader, questions, self._arranged, setting=setting, progress=progress
        )

    def _arranged(self, question: Question) -> Question:
        return replace(question, documents=self._found(question))

    def _found(self, question: Question) -> tuple[Document, ...]:
        hits = self._retriever.search(question.text, PARAGRAPHS)
        best: dict[str, Hit] = {}
        for hit in hits:
            best.setdefault(hit.title, hit)  # one paragraph of each document
        return tuple(map(self._paragraph, best.values()))

    def _paragraph(self, hit: Hit) -> Document:
        """A document up to the end of what was found, so that places and numbers stay its own."""
        document = self._store.document(hit.title)
        sentences = tuple(span for span in document.sentences if span.end <= hit.end)
        return Document(document.title, document.text[: hit.end], sentences)


ERRORS = "errors"
"""The labelling task of a dataset that has the paper's classes."""


@dataclass(frozen=True, slots=True)
class ErrorCounts:
    """Counts of each class, table by table; ``paper`` has the paper's shares in %.

    ``missing`` says why the paper's own classes could not be told, where that is so.
    """

    wrong: int
    tables: Mapping[str, Counter[str]]
    paper: Mapping[str, float | None]
    missing: tuple[str, ...] = ()

    def score_tables(self) -> Iterator[ScoreTable]:
        """One table for each way to tell errors apart."""
        for name, counts in self.tables.items():
            papers = [label for label in self.paper if label in counts or self._is_papers(counts)]
            own = [label for label, _ in counts.most_common() if label not in papers]
            beside = bool(papers)
            rows = tuple(
                (
                    label,
                    counts[label],
                    100 * counts[label] / counts.total(),
                    *((self.paper.get(label),) if beside else ()),
                )
                for label in (*papers, *own)
            )
            columns = (name, "wrong answers", "%", *(("paper, %",) if beside else ()))
            yield ScoreTable(f"Errors: {counts.total():,} of {self.wrong:,}", columns, rows)

    def as_json(self) -> dict[str, Any]:
        """Plain values."""
        return {"wrong": self.wrong, **{name: dict(some) for name, some in self.tables.items()}}

    def _is_papers(self, counts: Counter[str]) -> bool:
        return any(label in self.paper for label in counts)


def count_errors(
    dataset: Dataset,
    questions: Iterable[Question],
    arranged: Iterable[Question],
    predictions: Mapping[str, Prediction],
    traces: Mapping[str, AnswerTrace],
    report: Report,
    metric: Metric,
) -> ErrorCounts | None:
    """Tell the errors of a report apart; None where the dataset's paper has no classes.

    ``questions`` are as the file has them, ``arranged`` as the setting gave them to the system: a
    system without a trace of its own has read what these come with.
    """
    if not dataset.error_fields:
        return None
    task = next(task for task in dataset.labelling() if task.name == ERRORS)
    assert task.wrong_by is not None
    column = metric.measures.index(task.wrong_by)
    wrong = {score.id for score in report.scores if score.row[column] == 0}
    tables: dict[str, Counter[str]] = {}
    for question, given in zip(questions, arranged, strict=True):
        prediction = predictions.get(question.id)
        if question.id not in wrong or prediction is None:
            continue
        trace = traces.get(question.id) or trace_of_given(given)
        for name, label in dataset.errors(question, prediction, trace).items():
            tables.setdefault(name, Counter())[label] += 1
    papers = {each.name: each.paper for table in task.tables for each in table.categories}
    return ErrorCounts(
        len(wrong),
        tables,
        papers,
        tuple(
            f"There is no table of {name}: {why}."
            for name, why in dataset.error_fields.items()
            if wrong and name not in tables
        ),
    )
