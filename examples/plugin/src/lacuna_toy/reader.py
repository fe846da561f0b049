"""A reader: it answers with the sentence that has most words of the question."""

from __future__ import annotations

from collections.abc import Sequence

from lacuna.answer_mode import AnswerMode
from lacuna.corpus.formats.sentences import sentence_spans
from lacuna.models.protocol import Progress, Reader
from lacuna.text import STOPWORDS, words
from lacuna.types import Answer, Evidence, Prediction, Question, Span


def open_echo(model: str, *, threads: int | None = None) -> Reader:
    """``echo``, or ``echo:loud``: what stands behind the colon comes as ``model``."""
    return EchoReader(loud=model == "loud")


class EchoReader:
    """Says again what it read."""

    def __init__(self, *, loud: bool = False) -> None:
        self._loud = loud

    def read(
        self,
        questions: Sequence[Question],
        *,
        mode: AnswerMode = AnswerMode.ASK,
        progress: Progress | None = None,
    ) -> list[Prediction]:
        """One prediction for each question, in their order."""
        predictions = []
        for question in questions:
            predictions.append(self._read(question))
            if progress is not None:
                progress(1)
        return predictions

    def _read(self, question: Question) -> Prediction:
        asked = set(words(question.text)) - STOPWORDS
        best, most = Prediction(Answer.none()), 0
        for document in (question.context, *question.documents):
            if document is None:
                continue
            for start, end in sentence_spans(document.text, [Span(0, len(document.text))]):
                text = document.text[start:end]
                if (shared := len(asked & set(words(text)))) > most:
                    place = Evidence(document.title, start, end)
                    answer = Answer.span(text.upper() if self._loud else text, place)
                    best = Prediction(answer, (place,), confidence=shared / len(asked))
                    most = shared
        return best
