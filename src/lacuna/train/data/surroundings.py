"""Quoted sentences set back among others, as they stand in a whole passage.

Most of IIRC's train questions come with the gold sentences of their passage alone; who learns
from these never has to find them. Sentences of another question's passage that is close in words
are put around them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from random import Random

from lacuna.corpus.formats.sentences import sentence_spans
from lacuna.train.data.similar import Similar
from lacuna.types import Document, Evidence, Gold, Question, Span

SHARE = 0.9
LONG = 400
"""Characters from which on a passage counts as whole."""
FEWEST, MOST = 4, 10
"""Sentences that are put around."""
CLOSE = 5
"""Passages that count as close in words; one of them gives the sentences."""


def surrounded(questions: Iterable[Question], seed: int) -> Iterator[Question]:
    """The same questions, most of the short passages made long."""
    kept = list(questions)
    wholes = {q.context.text for q in kept if q.context and len(q.context.text) > LONG}
    texts = sorted(wholes)
    sentences = [_sentences(text) for text in texts]
    asked = (q.context.text if q.context else "" for q in kept)
    close = Similar(texts).best(asked, CLOSE) if texts else [[] for _ in kept]
    random = Random(seed)
    for question, near in zip(kept, close, strict=True):
        passage = question.context
        short = passage is not None and len(passage.text) <= LONG
        if not short or not sentences or random.random() > SHARE:
            yield question
            continue
        others = sentences[random.choice(near)] if near else random.choice(sentences)
        size = random.randint(FEWEST, MOST)
        start = random.randint(0, max(0, len(others) - size))
        some = others[start : start + size]
        cut = random.randint(0, len(some))
        yield _with(question, " ".join(some[:cut]), " ".join(some[cut:]))


def _sentences(text: str) -> list[str]:
    return [
        text[span.start : span.end].strip() for span in sentence_spans(text, [Span(0, len(text))])
    ]


def _with(question: Question, before: str, behind: str) -> Question:
    passage, gold = question.context, question.gold or Gold()
    assert passage is not None
    before = f"{before} " if before else ""
    joint = "" if passage.text.rstrip().endswith((".", "!", "?")) else "."
    text = f"{before}{passage.text}{joint} {behind}".rstrip()

    def moved(pieces: Iterable[Evidence]) -> tuple[Evidence, ...]:
        return tuple(_moved(piece, passage, len(before)) for piece in pieces)

    gold = replace(
        gold,
        answers=tuple(replace(one, found_at=moved(one.found_at)) for one in gold.answers),
        evidence=None if gold.evidence is None else moved(gold.evidence),
    )
    return replace(question, context=Document(passage.title, text), gold=gold)


def _moved(piece: Evidence, passage: Document, by: int) -> Evidence:
    if piece.document != passage.title:
        return piece
    return replace(piece, start=piece.start + by, end=piece.end + by)
