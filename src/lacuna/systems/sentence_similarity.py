"""QuAC's text similarity baseline: the sentence of the section that is most like the question.

The paper's encoder is InferSent. Here it is the sum of the term vectors that come along, or any
pretrained encoder that is named. As in the paper, "no answer" is never given.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from lacuna.answer_mode import AnswerMode
from lacuna.datasets.base import Dataset
from lacuna.datasets.quac.baselines.section_sentences import sentences_of_section, span_prediction
from lacuna.errors import LacunaError
from lacuna.models.protocol import Progress
from lacuna.models.sentence_vectors import SentenceEncoder
from lacuna.retrieve.term_vectors import Floats
from lacuna.types import Answer, Document, Prediction, Question, Span

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
