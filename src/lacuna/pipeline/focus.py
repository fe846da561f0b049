"""The part of a passage that is read: all of a short one, the best windows of a long one."""

from __future__ import annotations

from lacuna.corpus.excerpt import Excerpt
from lacuna.pipeline.components import Components
from lacuna.retrieve.window_index import word_scores
from lacuna.types import Document

MOST = 1500
"""Characters; more would leave no room for what the passage lacks."""


def focus(components: Components, query: str, passage: Document) -> Excerpt:
    """An excerpt of the passage: its beginning, and what shares most words with the question."""
    if len(passage.text) <= MOST:
        return Excerpt.of(passage, [(0, len(passage.text))])
    shelved = components.windows.cut(passage)
    (scores,) = word_scores(components.windows.terms(query), [shelved])
    numbers = range(len(scores))
    best = sorted(numbers, key=lambda number: (number > 0, -scores[number], number))
    taken: list[tuple[int, int]] = []
    size = 0
    for number in best:
        if taken and not scores[number]:
            break
        window = shelved.windows[number]
        size += window.end - window.start
        if size > MOST and taken:
            break
        taken.append((window.start, window.end))
    return Excerpt.of(shelved.document, taken)
