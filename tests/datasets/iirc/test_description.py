"""IIRC's tables, from files of which we know what they hold."""

from __future__ import annotations

from pathlib import Path

import pytest
from described import describe_file, describe_items, value

from lacuna.datasets.base import Block, Item
from lacuna.datasets.iirc import TimeQuestion, time_question
from lacuna.types import Document, Gold, Question


def test_the_example_is_counted(examples: Path) -> None:
    parts = describe_file("iirc", examples / "iirc.json")
    assert value(parts["averages"], "passages") == 2
    assert value(parts["averages"], "links a passage") == 3.5
    assert value(parts["averages"], "words a question") == pytest.approx(66 / 7)
    assert value(parts["answer_types"], "binary") == 2
    assert value(parts["links"], "1", 2) == 100.0
    assert value(parts["trigrams"], "how old was") == 1
    assert value(parts["time"], str(TimeQuestion.SPAN)) == 1
    assert not any(part.missing for part in parts.values())


def test_papers_numbers_stand_beside_ours(examples: Path) -> None:
    parts = describe_file("iirc", examples / "iirc.json")
    assert value(parts["averages"], "links a passage", 2) == 14.5
    assert value(parts["links"], "1", 3) == 70
    chart = parts["answer_types"].chart
    assert chart is not None
    assert chart.paper == (45, 17, 8, 30)  # type: ignore[union-attr]


def test_links_are_counted_once_and_many_together() -> None:
    golds = [("a",), ("a", "a"), ("a", "b"), tuple("abcd"), tuple("abcdefg")]
    questions = tuple(
        Question(str(n), "Why?", gold=Gold(links=links)) for n, links in enumerate(golds)
    )
    links = describe_items("iirc", [Item((Block(questions, Document("t", "text")),))])["links"]
    assert [row[1] for row in links.table.rows] == [2, 1, 0, 2]
    assert "12 documents" in links.note
    assert "The most here are 7." in links.note


def test_what_is_missing_is_named_and_the_rest_shown() -> None:
    parts = describe_items("iirc", [Item.of(Question("1", "How old was it?"))])
    assert "'answer'" in parts["answer_types"].missing
    assert "'question_links'" in parts["links"].missing
    assert "'passage'" in parts["averages"].missing
    assert parts["answer_types"].chart is None
    assert value(parts["trigrams"], "how old was") == 1


@pytest.mark.parametrize(
    ("beginning", "kind"),
    [
        ("how many years", TimeQuestion.SPAN),
        ("how many people", TimeQuestion.OTHER),
        ("for how many years", TimeQuestion.SPAN),
        ("for how many people", TimeQuestion.OTHER),
        ("for how long", TimeQuestion.SPAN),
        ("for what year", TimeQuestion.OTHER),
        ("at what age", TimeQuestion.SPAN),
        ("when was the", TimeQuestion.POINT),
        ("in which century", TimeQuestion.POINT),
        ("what yearbook was", TimeQuestion.OTHER),
        ("whenever a question", TimeQuestion.OTHER),
        ("", TimeQuestion.OTHER),
    ],
)
def test_time_questions(beginning: str, kind: TimeQuestion) -> None:
    assert time_question(beginning) is kind


def test_a_preposition_may_stand_before_the_words_that_tell_of_time() -> None:
    asked = Question("1", "For how many years did the company own the islands?")
    parts = describe_items("iirc", [Item.of(asked)])
    assert value(parts["time"], str(TimeQuestion.SPAN)) == 1
    assert value(parts["trigrams"], "for how many") == 1


def test_the_real_dev_set_is_close_to_the_paper(data_folder: Path) -> None:
    parts = describe_file("iirc", data_folder / "iirc" / "dev.json.gz")
    for many, _, share, paper in parts["links"].table.rows:
        assert abs(share - paper) < 1.5, many
    assert value(parts["averages"], "words a passage") == pytest.approx(197.5, rel=0.02)
    assert value(parts["time"], str(TimeQuestion.SPAN), 2) == pytest.approx(15, abs=1.5)
