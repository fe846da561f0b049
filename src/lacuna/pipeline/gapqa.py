"""GapQA's way from a question to its answer: key span, search, reading, choice."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence

from lacuna.errors import LacunaError
from lacuna.models.gapqa.choice_gaps import ChoiceGap, GapResult
from lacuna.models.gapqa.gapqa_reader import GapQAReader
from lacuna.pipeline.gapqa_protocol import Progress
from lacuna.pipeline.gapqa_search import search
from lacuna.retrieve.knowledge import KnowledgeBase
from lacuna.types import Answer, Evidence, Prediction, Question, Role, Span

AT_ONCE = 8
"""Questions that are read together: so many keep all cores busy, and progress is seen."""
FACT = "fact"


class GapQAPipeline:
    """Answers questions with choices and a core fact; several threads may ask at the same time."""

    def __init__(self, reader: GapQAReader, knowledge: KnowledgeBase) -> None:
        self._reader = reader
        self._knowledge = knowledge.narrowed(reader.folder.knowledge)

    def ask(self, question: Question) -> GapResult:
        """One answer."""
        return self.ask_many([question])[0]

    def ask_many(
        self, questions: Sequence[Question], *, progress: Progress | None = None
    ) -> list[GapResult]:
        """An answer each; all questions are checked before the first is read."""
        for question in questions:
            _check(question)
            self._reader.check(question)
        made: list[GapResult] = []
        for start in range(0, len(questions), AT_ONCE):
            some = questions[start : start + AT_ONCE]
            made += self._answer(some)
            if progress is not None:
                progress(len(some))
        return made

    def _answer(self, questions: Sequence[Question]) -> Iterator[GapResult]:
        begun = time.perf_counter()
        spans = self._reader.key_spans(questions)
        by_span = self._reader.folder.by_span
        known = [
            # A fact is no evidence for itself, whoever asks.
            search(self._knowledge.without([one.fact or ""]), one, span, by_span=by_span)
            for one, span in zip(questions, spans, strict=True)
        ]
        weighed = self._reader.score(questions, known)
        each = (time.perf_counter() - begun) * 1000 / len(questions)
        for question, span, choices in zip(questions, spans, weighed, strict=True):
            yield GapResult(question, span, choices, each, _prediction(span, choices))


def _prediction(span: Span, choices: Sequence[ChoiceGap]) -> Prediction:
    best = max(choices, key=lambda one: one.probability)
    return Prediction(
        Answer.choice(best.choice.label, best.choice.text),
        evidence=(Evidence(FACT, span.start, span.end, Role.KEY_SPAN),),
        confidence=best.probability,
    )


def _check(question: Question) -> None:
    which = f"Question {question.id!r}" if question.id else "The question"
    if not question.text.strip():
        raise LacunaError(f"{which} is empty. Write one.")
    if not (question.fact and question.fact.strip()):
        raise LacunaError(f"{which} has no core fact, and GapQA begins at one. Give a fact.")
    if len(question.choices) < 2:
        raise LacunaError(f"{which} has fewer than two choices. Give two or more.")
    for choice in question.choices:
        if not choice.text.strip():
            raise LacunaError(f"{which}: choice {choice.label} is empty. Write something there.")
