"""Questions that one passage may not answer.

SQuAD 2.0's answerable training questions all stand in SQuAD 1.1's dev file, so only its
unanswerable ones can be learned from. Beside them stand questions of SQuAD 1.1, as they are,
changed so that the same passage does not answer them, and asked of a wrong passage of the same
article, so that neither a topic nor a passage by itself means "none".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from random import Random

from lacuna.train.data.contradictions import Names, Setting, changed
from lacuna.train.data.data_folder import DEV
from lacuna.train.data.sources import training_questions
from lacuna.train.labels import occurrences
from lacuna.types import Answer, AnswerKind, Document, Gold, Question

CHANGED = 0.5
"""The share of SQuAD 1.1's questions that are changed where a change is found."""
WRONG = 0.036
"""The share that is asked of a wrong passage."""
PLAIN = 0.12
"""The share that is asked as it is, beside those that stand beside their changed form."""
REAL_TIMES = 2
"""How often each question that people made unanswerable is seen: they are the best there are."""
ANSWERABLE = "an answerable question that stands in a dev file"


def doubtful_questions(folder: Path, seed: int, left_out: Counter[str]) -> Iterator[Question]:
    """Unanswerable questions and about as many answerable ones."""
    evaluated = [name for name in DEV if name != "squad1"]
    for question in training_questions(
        "squad2", folder, seed=seed, left_out=left_out, evaluated=evaluated
    ):
        if question.gold and question.gold.answers[0].kind is AnswerKind.NONE:
            yield question
            for time in range(1, REAL_TIMES):
                yield replace(question, id=f"{question.id}/again-{time}")
        else:
            left_out[ANSWERABLE] += 1
    yield from contrasted(training_questions("squad1", folder, seed=seed), seed)


def contrasted(questions: Iterable[Question], seed: int) -> Iterator[Question]:
    """Questions with an answer; most beside one over the same passage that has none."""
    random = Random(seed)
    for _, group in groupby(questions, key=_title):
        article = list(group)
        names = Names(article)
        passages = list({q.context.text: q.context for q in article if q.context}.values())
        for question in article:
            chance = random.random()
            kept = replace(question, id=f"doubt/{question.id}")
            if chance < CHANGED:
                if (other := unanswerable(question, names, random)) is not None:
                    yield kept
                    yield other
            elif chance < CHANGED + WRONG:
                if (wrong := near_miss(question, passages)) is not None:
                    yield wrong
            elif chance < CHANGED + WRONG + PLAIN:
                yield kept


def unanswerable(question: Question, names: Names, random: Random) -> Question | None:
    """The question changed so that its passage does not answer it, where a change fits."""
    setting = Setting.of(question, names)
    found = setting and changed(setting, random)
    if not found:
        return None
    move, text = found
    gold = Gold((Answer.none(),))
    return replace(question, id=f"doubt/{question.id}/{move}", text=text, gold=gold)


def _title(question: Question) -> str:
    return question.context.title if question.context else ""


def near_miss(question: Question, passages: Iterable[Document]) -> Question | None:
    """The question asked of the passage that shares most words with it and has no answer."""
    assert question.gold is not None
    texts = [text for answer in question.gold.answers for text in answer.texts]
    words = _words(question.text)
    wrong = [
        passage
        for passage in passages
        if passage != question.context
        and not any(next(occurrences(passage.text, text), None) for text in texts)
    ]
    if not wrong:
        return None
    nearest = max(wrong, key=lambda passage: len(words & _words(passage.text)))
    gold = Gold((Answer.none(),))
    return replace(question, id=f"doubt/{question.id}/wrong", context=nearest, gold=gold)


def _words(text: str) -> set[str]:
    return {word for word in text.casefold().split() if len(word) > 3}
