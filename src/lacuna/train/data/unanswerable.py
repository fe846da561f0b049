"""Questions that one text may not answer, half of them answerable.

SQuAD 2.0's answerable training questions are all in SQuAD 1.1's dev file, so only its unanswerable
ones can be learned from. SQuAD 1.1's questions are added as they are, changed so that the same text
does not answer them, and asked about a wrong text of the same article: neither a topic nor a text
by itself then means "no answer".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import groupby
from random import Random

from lacuna.train.data.contradictions import AnswerSentence, changed
from lacuna.train.data.names import NamesByKind
from lacuna.train.labels import occurrences
from lacuna.types import Answer, AnswerKind, Document, Gold, Question

CHANGED = 0.5
"""The share of SQuAD 1.1's questions that are changed, where a change is possible."""
WRONG = 0.036
"""The share that is asked about a wrong text."""
PLAIN = 0.12
"""The share that is asked as it is, besides the originals of changed questions."""
TIMES = 2
"""How often each question that annotators made unanswerable is seen: they are the best."""
ANSWERABLE = "an answerable question that stands in a dev file"


def unanswerable_questions(
    squad2: Iterable[Question], squad1: Iterable[Question], seed: int, left_out: Counter[str]
) -> Iterator[Question]:
    """Unanswerable questions and about as many answerable ones."""
    for question in squad2:
        if question.gold and question.gold.answers[0].kind is AnswerKind.NONE:
            yield question
            for time in range(1, TIMES):
                yield replace(question, id=f"{question.id}/again-{time}")
        else:
            left_out[ANSWERABLE] += 1
    yield from contrasted(squad1, seed)


def contrasted(questions: Iterable[Question], seed: int) -> Iterator[Question]:
    """Questions with an answer, most of them next to one about the same text that has none."""
    random = Random(seed)
    for _, group in groupby(questions, key=_title):
        article = list(group)
        names = NamesByKind(article)
        contexts = list({q.context.text: q.context for q in article if q.context}.values())
        for question in article:
            chance = random.random()
            original = replace(question, id=f"unanswerable/{question.id}")
            if chance < CHANGED:
                if (contradicted := contradict(question, names, random)) is not None:
                    yield original
                    yield contradicted
            elif chance < CHANGED + WRONG:
                if (moved := ask_elsewhere(question, contexts)) is not None:
                    yield moved
            elif chance < CHANGED + WRONG + PLAIN:
                yield original


def contradict(question: Question, names: NamesByKind, random: Random) -> Question | None:
    """The question changed so that its text contradicts it; None where no change is possible."""
    given = AnswerSentence.of(question, names)
    result = given and changed(given, random)
    if not result:
        return None
    change, text = result
    gold = Gold((Answer.none(),))
    return replace(question, id=f"unanswerable/{question.id}/{change}", text=text, gold=gold)


def _title(question: Question) -> str:
    return question.context.title if question.context else ""


def ask_elsewhere(question: Question, contexts: Iterable[Document]) -> Question | None:
    """The question about the text that shares most words with it and does not answer it."""
    assert question.gold is not None
    texts = [text for answer in question.gold.answers for text in answer.texts]
    words = _words(question.text)
    wrong = [
        context
        for context in contexts
        if context != question.context
        and not any(next(occurrences(context.text, text), None) for text in texts)
    ]
    if not wrong:
        return None
    nearest = max(wrong, key=lambda context: len(words & _words(context.text)))
    gold = Gold((Answer.none(),))
    return replace(question, id=f"unanswerable/{question.id}/wrong", context=nearest, gold=gold)


def _words(text: str) -> set[str]:
    return {word for word in text.casefold().split() if len(word) > 3}
