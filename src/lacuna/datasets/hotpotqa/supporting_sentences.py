"""HotpotQA with its gold sentences alone, and the way back to the paragraphs they stand in."""

from __future__ import annotations

from dataclasses import replace

from lacuna.corpus.excerpt import Cutter, Excerpt
from lacuna.datasets.hotpotqa.parts import document_of
from lacuna.errors import LacunaError
from lacuna.types import Evidence, Prediction, Question, SupportingFact


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
    excerpts = _excerpts(question).values()
    return replace(question, documents=tuple(excerpt.document for excerpt in excerpts))


def widened(question: Question, prediction: Prediction) -> Prediction:
    """A prediction for the narrowed question, with the places of the question itself."""
    excerpts = _excerpts(question)

    def place(evidence: tuple[Evidence, ...]) -> tuple[Evidence, ...]:
        return tuple(
            excerpts[piece.document].evidence(piece) if piece.document in excerpts else piece
            for piece in evidence
        )

    answer, facts = prediction.answer, prediction.supporting_facts
    return replace(
        prediction,
        answer=answer and replace(answer, found_at=place(answer.found_at)),
        evidence=place(prediction.evidence),
        supporting_facts=facts
        and tuple(
            SupportingFact(fact.title, excerpts[fact.title].sentences[fact.sentence])
            for fact in facts
        ),
    )


def _excerpts(question: Question) -> dict[str, Excerpt]:
    """By title; facts that name no sentence are passed over, and so are titles given twice."""
    wanted = set(supporting_facts(question))
    excerpts: dict[str, Excerpt] = {}
    for document in question.documents:
        count = len(document.sentences)
        numbers = [n for n in range(count) if SupportingFact(document.title, n) in wanted]
        if numbers and document.title not in excerpts:
            excerpts[document.title] = Cutter(document).cut_sentences(numbers, _gap)
    return excerpts


def _gap(text: str, sentence: str) -> str:
    """The blank that HotpotQA's format puts between a text and its next sentence, if any."""
    joined = document_of("", (text, sentence))
    return joined.text[len(text) : joined.sentences[1].start]
