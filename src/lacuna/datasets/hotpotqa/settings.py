"""HotpotQA's settings: ten paragraphs, the gold ones alone, their sentences alone, or a corpus.

Where the gold sentences are read alone, predictions find their way back to the whole paragraphs.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, replace

from lacuna.answer_mode import AnswerMode
from lacuna.datasets.hotpotqa.hotpotqa_format import document_of
from lacuna.datasets.setting import Setting, by_name
from lacuna.errors import LacunaError
from lacuna.types import Document, Evidence, Prediction, Question, SupportingFact


@dataclass(frozen=True, slots=True)
class _GoldSentences:
    """A paragraph, and a document of some of its sentences."""

    whole: Document
    numbers: tuple[int, ...]
    part: Document

    def fact(self, fact: SupportingFact) -> SupportingFact:
        """A sentence of ``part`` by its number in ``whole``."""
        return SupportingFact(fact.title, self.numbers[fact.sentence])

    def evidence(self, evidence: Evidence) -> Evidence:
        """A stretch of ``part`` by its place in ``whole``."""
        start = self._position(evidence.start, evidence.start)
        end = self._position(evidence.end, max(evidence.start, evidence.end - 1))
        return replace(evidence, start=start, end=max(start, end))

    def _position(self, position: int, within: int) -> int:
        """Where a position falls, told from the sentence that holds ``within``."""
        starts = [span.start for span in self.part.sentences]
        index = max(bisect_right(starts, within) - 1, 0)
        sentence = self.whole.sentences[self.numbers[index]]
        return min(sentence.start + position - starts[index], sentence.end)


def _supporting_facts(question: Question) -> tuple[SupportingFact, ...]:
    """The gold sentences of a question; an error where the file does not name them."""
    facts = question.gold.supporting_facts if question.gold else None
    if facts is None:
        raise LacunaError(
            f"Question {question.id!r} has no supporting_facts, which this setting chooses its "
            "text by. Give a file that has them, or use the setting distractor."
        )
    return facts


def _narrowed(question: Question) -> Question:
    """The question over nothing but its supporting sentences."""
    documents = tuple(pair.part for pair in _gold_sentences(question).values())
    return replace(question, documents=documents)


def _widened(question: Question, prediction: Prediction) -> Prediction:
    """A prediction for the narrowed question, with the places of the question itself."""
    pairs = _gold_sentences(question)

    def place(evidence: tuple[Evidence, ...]) -> tuple[Evidence, ...]:
        return tuple(
            pairs[piece.document].evidence(piece) if piece.document in pairs else piece
            for piece in evidence
        )

    answer, facts = prediction.answer, prediction.supporting_facts
    return replace(
        prediction,
        answer=answer and replace(answer, found_at=place(answer.found_at)),
        evidence=place(prediction.evidence),
        supporting_facts=facts and tuple(pairs[fact.title].fact(fact) for fact in facts),
    )


def _gold_sentences(question: Question) -> dict[str, _GoldSentences]:
    """The supporting sentences of each paragraph, by its title.

    A fact that points to no sentence is passed over; of two paragraphs with one title, the first
    counts.
    """
    wanted = set(_supporting_facts(question))
    by_title: dict[str, _GoldSentences] = {}
    for document in question.documents:
        count = len(document.sentences)
        numbers = tuple(n for n in range(count) if SupportingFact(document.title, n) in wanted)
        if numbers and document.title not in by_title:
            part = document_of(document.title, (document.sentence(n) for n in numbers))
            by_title[document.title] = _GoldSentences(document, numbers, part)
    return by_title


def _gold_paragraphs(question: Question) -> Question:
    titles = {fact.title for fact in _supporting_facts(question)}
    documents = tuple(document for document in question.documents if document.title in titles)
    return replace(question, documents=documents)


def _question_alone(question: Question) -> Question:
    return replace(question, context=None, documents=())


SETTINGS = by_name(
    Setting("distractor", AnswerMode.HOP),
    Setting("gold-only", AnswerMode.HOP, _gold_paragraphs),
    Setting("supporting-facts-only", AnswerMode.HOP, _narrowed, _widened),
    Setting("fullwiki", AnswerMode.HOP, _question_alone, over_corpus=True),
)
