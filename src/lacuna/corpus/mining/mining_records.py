"""Mined paragraphs and sections in the formats of the datasets that they are to become."""

from __future__ import annotations

from typing import Any

from lacuna.answer_text import CANNOT_ANSWER
from lacuna.corpus.mining.sections import ChosenSection
from lacuna.corpus.mining.seeds import Seed


def raw_seed(seed: Seed) -> dict[str, Any]:
    """An IIRC passage without questions."""
    passage = seed.context
    return {
        "pid": f"{passage.title}#{seed.span.start}",
        "title": passage.title,
        "text": passage.text,
        "links": [
            {"target": link.target, "indices": [link.start, link.end]} for link in passage.links
        ],
        "questions": [],
        "span": list(seed.span),
    }


def raw_section(chosen: ChosenSection) -> dict[str, Any]:
    """A QuAC article whose one dialog has not begun."""
    title, name = chosen.context.title, chosen.section.path[-1]
    paragraph = {
        "id": f"{title}#{chosen.section.start}",
        "context": f"{chosen.context.text} {CANNOT_ANSWER}",
        "qas": [],
    }
    return {
        "title": title,
        "section_title": name,
        "background": chosen.background,
        "paragraphs": [paragraph],
        "span": [chosen.section.start, chosen.section.end],
    }
