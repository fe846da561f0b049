"""Which links are chosen, and what that is worth."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import pytest

from lacuna.models.reader.reader import LinkScores, ScoredAnswer
from lacuna.types import Document, Gold, Link, Prediction, Question
from lacuna_lab.reproduce.combined import LinkHead, choose_links, count_links, open_chooser
from lacuna_lab.reproduce.workbench import NotHere, TrainedRun

LINKS = (Link(0, 1, "A"), Link(2, 3, "B"), Link(4, 5, "A"))


def question(id_: str, *gold: str, links: Sequence[Link] = LINKS) -> Question:
    context = Document("passage", "a b a", links=tuple(links))
    return Question(id_, "?", context, gold=Gold(links=gold))


class Reader:
    """Gives the links of every passage the same scores."""

    def link_scores(self, questions: Sequence[Question], *, mode: object) -> list[LinkScores]:
        nothing = ScoredAnswer(Prediction(), 0.0, 0.0)
        scores = [-2.0, math.nan, 0.5]
        return [
            LinkScores(scores[: len(q.context.links) if q.context else 0], nothing)
            for q in questions
        ]


def test_a_link_is_chosen_if_it_is_likelier_than_not() -> None:
    assert LinkHead(Reader()).chosen([question("1"), Question("2", "?")]) == [("A",), ()]
    assert choose_links(LinkHead(Reader()), [question("1")]) == {"1": ["A"]}


def test_links_are_counted_over_all_questions_by_their_titles() -> None:
    questions = [question("1", "A"), question("2", "B", "A"), question("3")]
    counts = count_links(questions, {"1": ["a", "B"], "2": ["A"], "3": ["B", "elsewhere"]})
    assert (counts.chosen, counts.gold, counts.right) == (4, 3, 2)
    assert counts.precision == 0.5
    assert counts.recall == pytest.approx(2 / 3)
    assert counts.f1 == pytest.approx(4 / 7)


def test_a_gold_link_that_the_passage_lacks_counts_for_nobody() -> None:
    counts = count_links([question("1", "A", "Gone")], {})
    assert (counts.gold, counts.precision, counts.recall) == (1, None, 0.0)


def test_a_system_that_is_not_known_is_not_here(tmp_path: Path) -> None:
    with pytest.raises(NotHere, match="no system 'other'"):
        open_chooser(TrainedRun(tmp_path, "other"))
