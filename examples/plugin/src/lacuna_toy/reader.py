"""A reader: it answers with the sentence that has most words of the question."""

from __future__ import annotations

from collections.abc import Sequence

from lacuna.answers import AnswerMode
from lacuna.corpus.page_builder import sentence_spans
from lacuna.errors import LacunaError
from lacuna.models.registry import Progress, Reader
from lacuna.text import STOP_WORDS, words
from lacuna.types import Answer, Evidence, Prediction, Question, Span


def open_echo(model: str, *, threads: int | None = None) -> Reader:
    """``echo``, or ``echo:2``: what stands behind the colon comes as ``model``."""
    if model and not (model.isdecimal() and int(model)):
        raise LacunaError(f"echo:{model} is no reader. Write a number of words, such as echo:2.")
    return EchoReader(least=int(model or 1))


class EchoReader:
    """Answers where a sentence has at least so many words of the question."""

    def __init__(self, least: int = 1) -> None:
        self._least = least

    def read(
        self,
        questions: Sequence[Question],
        *,
        mode: AnswerMode = AnswerMode.ASK,
        progress: Progress | None = None,
    ) -> list[Prediction]:
        """One prediction for each question, in their order."""
        predictions = [self._prediction(question) for question in questions]
        if progress is not None:
            progress(len(questions))
        return predictions

    def _prediction(self, question: Question) -> Prediction:
        asked = set(words(question.text)) - STOP_WORDS
        best, most = Prediction(Answer.none()), self._least - 1
        for document in filter(None, (question.context, *question.documents)):
            for start, end in sentence_spans(document.text, [Span(0, len(document.text))]):
                sentence = document.text[start:end]
                shared = len(asked & set(words(sentence)))
                if shared > most:
                    place = Evidence(document.title, start, end)
                    answer = Answer.span(sentence, place)
                    best = Prediction(answer, (place,), confidence=shared / len(asked))
                    most = shared
        return best
