"""IIRC's passages with their link candidates found in the text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from lacuna.train.data_folder import TRAIN, read
from lacuna.train.labels import occurrences
from lacuna.types import Link, Question

NO_LINK = "a gold link that is not in the passage"


def link_questions(folder: Path, seed: int, left_out: Counter[str]) -> Iterator[Question]:
    """Questions whose passage is whole, with every candidate link at its first mention."""
    for question in read(TRAIN["iirc"], folder):
        passage, gold = question.passage, question.gold
        if passage is None or gold is None or not gold.links:
            continue
        titles = dict.fromkeys([*question.extra.get("link_candidates", ()), *gold.links])
        links = []
        for title in titles:
            if (span := next(occurrences(passage.text, title), None)) is not None:
                links.append(Link(*span, title))
        if not any(link.target in gold.links for link in links) or len(links) < 2:
            left_out[NO_LINK] += 1
            continue
        yield replace(
            question,
            id=f"links/{question.id}",
            passage=replace(passage, links=tuple(links)),
            documents=(),
        )
