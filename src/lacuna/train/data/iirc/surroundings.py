"""Quoted sentences put back among others, as in a whole paragraph.

Most questions of IIRC's snippet file come with the gold sentences of their paragraph alone; a model
that learns from them never has to find anything. Sentences of another question's paragraph, one
that is similar in words, are put around them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from random import Random

from lacuna.train.data.text_search import SimilarTexts, sentences_of
from lacuna.types import Document, Evidence, Gold, Question

SHARE = 0.9
"""The share of short contexts that are surrounded."""
LONG = 400
"""A longer context, in characters, counts as a whole paragraph."""
FEWEST, MOST = 4, 10
"""Sentences that are put around."""
SIMILAR = 5
"""The most similar paragraphs, one of which gives the sentences."""


def surrounded(questions: Iterable[Question], seed: int) -> Iterator[Question]:
    """The same questions, most of the short contexts made long."""
    listed = list(questions)
    whole = {q.context.text for q in listed if q.context and len(q.context.text) > LONG}
    texts = sorted(whole)
    sentences = [_sentences(text) for text in texts]
    queries = (q.context.text if q.context else "" for q in listed)
    similar = SimilarTexts(texts).best(queries, SIMILAR) if texts else [[] for _ in listed]
    random = Random(seed)
    for question, candidates in zip(listed, similar, strict=True):
        context = question.context
        short = context is not None and len(context.text) <= LONG
        if not short or not sentences or random.random() > SHARE:
            yield question
            continue
        others = sentences[random.choice(candidates)] if candidates else random.choice(sentences)
        size = random.randint(FEWEST, MOST)
        start = random.randint(0, max(0, len(others) - size))
        chosen = others[start : start + size]
        cut = random.randint(0, len(chosen))
        yield _between(question, " ".join(chosen[:cut]), " ".join(chosen[cut:]))


def _sentences(text: str) -> list[str]:
    return [text[span.start : span.end].strip() for span in sentences_of(text)]


def _between(question: Question, before: str, after: str) -> Question:
    context, gold = question.context, question.gold or Gold()
    assert context is not None
    before = f"{before} " if before else ""
    stop = "" if context.text.rstrip().endswith((".", "!", "?")) else "."
    text = f"{before}{context.text}{stop} {after}".rstrip()

    def moved(evidence: Iterable[Evidence]) -> tuple[Evidence, ...]:
        return tuple(_moved(piece, context, len(before)) for piece in evidence)

    gold = replace(
        gold,
        answers=tuple(replace(answer, found_at=moved(answer.found_at)) for answer in gold.answers),
        evidence=None if gold.evidence is None else moved(gold.evidence),
    )
    return replace(question, context=Document(context.title, text), gold=gold)


def _moved(piece: Evidence, context: Document, by: int) -> Evidence:
    if piece.document != context.title:
        return piece
    return replace(piece, start=piece.start + by, end=piece.end + by)
