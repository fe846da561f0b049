"""HotpotQA's settings: ten paragraphs, the gold ones alone, their sentences alone, or a corpus.

Where the gold sentences are read alone, predictions find their way back to the whole paragraphs.
"""

from __future__ import annotations

from dataclasses import replace

from lacuna.answer_mode import AnswerMode
from lacuna.corpus.excerpt import Cutter, Excerpt
from lacuna.datasets.hotpotqa.hotpotqa_format import document_of
from lacuna.datasets.setting import Setting, by_name
from lacuna.errors import LacunaError
from lacuna.types import Evidence, Prediction, Question, SupportingFact


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
    excerpts = _gold_sentences(question).values()
    return replace(question, documents=tuple(excerpt.document for excerpt in excerpts))


def _widened(question: Question, prediction: Prediction) -> Prediction:
    """A prediction for the narrowed question, with the places of the question itself."""
    excerpts = _gold_sentences(question)

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


def _gold_sentences(question: Question) -> dict[str, Excerpt]:
    """The supporting sentences of each paragraph, by its title.

    A fact that points to no sentence is passed over; of two paragraphs with one title, the first
    counts.
    """
    wanted = set(_supporting_facts(question))
    by_title: dict[str, Excerpt] = {}
    for document in question.documents:
        count = len(document.sentences)
        numbers = [n for n in range(count) if SupportingFact(document.title, n) in wanted]
        if numbers and document.title not in by_title:
            by_title[document.title] = Cutter(document).cut_sentences(numbers, _gap)
    return by_title


def _gap(text: str, sentence: str) -> str:
    """The blank that HotpotQA's format puts between a text and its next sentence, if any."""
    joined = document_of("", (text, sentence))
    return joined.text[len(text) : joined.sentences[1].start]


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
