"""The settings of a dataset in which its questions are asked over a corpus."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from lacuna.answer_mode import AnswerMode
from lacuna.datasets.settings import MODES
from lacuna.pipeline.query import Query
from lacuna.types import Link, Question

FULL, ORACLE_LINKS, FULL_WIKI = "full", "oracle-links", "fullwiki"
ASKED: Mapping[str, tuple[str, ...]] = {
    "iirc": (FULL, ORACLE_LINKS),
    "hotpotqa": (FULL_WIKI,),
}


def mode_of(task: str) -> AnswerMode:
    """The habit of answering that a dataset's scorer rewards."""
    return MODES[task]


def enter(setting: str, question: Question) -> Query:
    """The question as it is asked: with its passage and links, and nothing of the gold.

    In the full-wiki setting it is asked of the corpus alone. With oracle links the passage has
    the gold links and no others, except where there are none: a passage without links would tell
    that there is no answer.
    """
    if setting == FULL_WIKI:
        return Query(question.text)
    passage = question.context
    gold = question.gold.links if question.gold else None
    if setting == ORACLE_LINKS and passage is not None and gold:
        links = tuple(link for link in passage.links if link.target in gold)
        located = {link.target for link in links}
        # IIRC's files do not always say where a gold link stands.
        links += tuple(Link(0, 0, title) for title in gold if title not in located)
        passage = replace(passage, links=links)
    return Query(question.text, passage)
