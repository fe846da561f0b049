"""Questions that one passage may not answer.

SQuAD 2.0's answerable training questions all stand in SQuAD 1.1's dev file, so only its
unanswerable ones can be learned from. Beside them stand questions of SQuAD 1.1, as they are and
asked of a wrong passage of the same article, so that no topic by itself means "none".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import groupby, islice
from pathlib import Path

from lacuna.train.data_folder import DEV
from lacuna.train.labels import occurrences
from lacuna.train.sources import training_questions
from lacuna.types import Answer, AnswerKind, Document, Gold, Question

EVERY = 9
"""One in so many questions of SQuAD 1.1 is asked with doubt, and another one of a wrong passage."""
ANSWERABLE = "an answerable question that stands in a dev file"


def doubtful_questions(folder: Path, seed: int, left_out: Counter[str]) -> Iterator[Question]:
    """Unanswerable questions and as many answerable ones."""
    evaluated = [name for name in DEV if name != "squad1"]
    for question in training_questions(
        "squad2", folder, seed=seed, left_out=left_out, evaluated=evaluated
    ):
        if question.gold and question.gold.answers[0].kind is AnswerKind.NONE:
            yield question
        else:
            left_out[ANSWERABLE] += 1
    plain = training_questions("squad1", folder, seed=seed)
    for _, article in groupby(plain, key=_title):
        questions = list(article)
        for question in islice(questions, 0, None, EVERY):
            yield replace(question, id=f"doubt/{question.id}")
        passages = list({q.passage.text: q.passage for q in questions if q.passage}.values())
        for question in islice(questions, EVERY // 2, None, EVERY):
            if (wrong := near_miss(question, passages)) is not None:
                yield wrong


def _title(question: Question) -> str:
    return question.passage.title if question.passage else ""


def near_miss(question: Question, passages: Iterable[Document]) -> Question | None:
    """The question asked of the passage that shares most words with it and has no answer."""
    assert question.gold is not None
    texts = [text for answer in question.gold.answers for text in answer.texts]
    words = _words(question.text)
    wrong = [
        passage
        for passage in passages
        if passage != question.passage
        and not any(next(occurrences(passage.text, text), None) for text in texts)
    ]
    if not wrong:
        return None
    nearest = max(wrong, key=lambda passage: len(words & _words(passage.text)))
    gold = Gold((Answer.none(),))
    return replace(question, id=f"doubt/{question.id}/wrong", passage=nearest, gold=gold)


def _words(text: str) -> set[str]:
    return {word for word in text.casefold().split() if len(word) > 3}
