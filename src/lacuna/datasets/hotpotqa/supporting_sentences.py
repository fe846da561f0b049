"""HotpotQA with its gold sentences alone, and the way back to the paragraphs they stand in."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, replace

from lacuna.datasets.hotpotqa.parts import document_of
from lacuna.errors import LacunaError
from lacuna.types import Document, Evidence, Prediction, Question, SupportingFact


@dataclass(frozen=True, slots=True)
class _Narrowed:
    """A paragraph, and a document of some of its sentences."""

    whole: Document
    numbers: tuple[int, ...]
    kept: Document

    def fact(self, fact: SupportingFact) -> SupportingFact:
        """A sentence of ``kept`` by its number in ``whole``."""
        return SupportingFact(fact.title, self.numbers[fact.sentence])

    def evidence(self, evidence: Evidence) -> Evidence:
        """A stretch of ``kept`` by its place in ``whole``."""
        start = self._position(evidence.start, evidence.start)
        end = self._position(evidence.end, max(evidence.start, evidence.end - 1))
        return replace(evidence, start=start, end=max(start, end))

    def _position(self, position: int, within: int) -> int:
        """Where a position falls, told from the sentence that holds ``within``."""
        starts = [span.start for span in self.kept.sentences]
        index = max(bisect_right(starts, within) - 1, 0)
        sentence = self.whole.sentences[self.numbers[index]]
        return min(sentence.start + position - starts[index], sentence.end)


def supporting_facts(question: Question) -> tuple[SupportingFact, ...]:
    """The gold sentences of a question; an error where the file does not name them."""
    facts = question.gold.supporting_facts if question.gold else None
    if facts is None:
        raise LacunaError(
            f"Question {question.id!r} has no supporting_facts, which this setting chooses its "
            "text by. Give a file that has them, or use the setting distractor."
        )
    return facts


def narrowed(question: Question) -> Question:
    """The question over nothing but its supporting sentences."""
    return replace(question, documents=tuple(pair.kept for pair in _narrow(question).values()))


def widened(question: Question, prediction: Prediction) -> Prediction:
    """A prediction for the narrowed question, with the places of the question itself."""
    pairs = _narrow(question)

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


def _narrow(question: Question) -> dict[str, _Narrowed]:
    """By title; facts that no sentence answers to are passed over, as are titles said twice."""
    wanted = set(supporting_facts(question))
    found: dict[str, _Narrowed] = {}
    for document in question.documents:
        count = len(document.sentences)
        numbers = tuple(n for n in range(count) if SupportingFact(document.title, n) in wanted)
        if numbers and document.title not in found:
            kept = document_of(document.title, (document.sentence(n) for n in numbers))
            found[document.title] = _Narrowed(document, numbers, kept)
    return found
