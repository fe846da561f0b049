"""IIRC's passages with the link that holds what is missing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from lacuna.train.data.names import other_names
from lacuna.train.data.sources import unlike_dev
from lacuna.train.labels import occurrences
from lacuna.types import Link, Question

NO_LINK = "a gold link that is not in the passage"
NOT_GOLD = "\0"


def link_questions(folder: Path, left_out: Counter[str]) -> Iterator[Question]:
    """Questions whose passage is whole; against the gold link stand all other names in it.

    The file's own candidates are links of other passages, which any reader could tell apart.
    """
    for question in unlike_dev("iirc", folder, left_out):
        passage, gold = question.context, question.gold
        if passage is None or gold is None or not gold.links:
            continue
        right = [(span, title) for title in gold.links for span in occurrences(passage.text, title)]
        if not right:
            left_out[NO_LINK] += 1
            continue
        wrong = other_names(passage.text, [span for span, _ in right])
        links = [Link(*span, title) for span, title in right]
        links += [Link(*span, NOT_GOLD) for span in wrong]
        yield replace(
            question,
            id=f"links/{question.id}",
            context=replace(passage, links=tuple(links)),
            documents=(),
        )
