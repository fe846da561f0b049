"""IIRC's paragraphs with the link that leads to what is missing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace

from lacuna.train.data.names import other_names
from lacuna.train.labels import occurrences
from lacuna.types import Link, Question

NO_LINK = "a gold link that is not in the passage"
NOT_GOLD = "\0"
"""The target of a link that is not a gold one; no title has this character."""


def link_questions(questions: Iterable[Question], left_out: Counter[str]) -> Iterator[Question]:
    """Questions with their whole paragraph; the gold link competes with all other names in it.

    A file's own candidates may be links of other paragraphs, which any model could tell apart.
    """
    for question in questions:
        context, gold = question.context, question.gold
        if context is None or gold is None or not gold.links:
            continue
        right = [(span, title) for title in gold.links for span in occurrences(context.text, title)]
        if not right:
            left_out[NO_LINK] += 1
            continue
        wrong = other_names(context.text, [span for span, _ in right])
        links = [Link(*span, title) for span, title in right]
        links += [Link(*span, NOT_GOLD) for span in wrong]
        yield replace(
            question,
            id=f"links/{question.id}",
            context=replace(context, links=tuple(links)),
            documents=(),
        )
