"""What is told of any dataset."""

from __future__ import annotations

from pathlib import Path

import pytest
from described import describe_file, describe_items, value

from lacuna.datasets.base import Item
from lacuna.types import Answer, Gold, Question


def test_squad_and_drop(examples: Path) -> None:
    squad = describe_file("squad", examples / "squad.json")
    assert value(squad["averages"], "questions") == 3
    assert value(squad["averages"], "words a question", 2) == 11.0
    assert value(squad["answer_kinds"], "none") == 1
    drop = describe_file("drop", examples / "drop.json")
    assert drop["averages"].table.columns == ("what", "ours")
    assert value(drop["answer_kinds"], "number", 2) == pytest.approx(100 / 3)


def test_long_answers_are_put_together() -> None:
    answers = [Answer.span("one"), Answer.span("w " * 30), Answer.spans(("a b", "c")), Answer.yes()]
    items = [Item.of(Question(str(n), "Q?", gold=Gold((a,)))) for n, a in enumerate(answers)]
    parts = describe_items("squad", items)
    lengths = {row[0]: row[1] for row in parts["answer_lengths"].table.rows}
    assert (lengths["1"], lengths["3"], lengths["11+"]) == (1, 1, 1)


def test_hidden_answers_are_named(examples: Path) -> None:
    parts = describe_items("drop", [Item.of(Question("q", "How many?"))])
    assert parts["averages"].missing == "1 questions have no answer given."
    assert parts["answer_kinds"].chart is None
    assert value(parts["beginnings"], "how many") == 1


def test_a_part_is_plain_data() -> None:
    part = describe_items("drop", [Item.of(Question("q", "How many?"))])["beginnings"]
    assert part.as_json()["rows"] == (("how many", 1, 100.0),)
    assert part.as_json()["chart"]["kind"] == "Sunburst"


def test_real_squad_is_close_to_what_quacs_paper_says(data_folder: Path) -> None:
    parts = describe_file("squad", data_folder / "squad" / "train-v1.1.json.gz")
    assert value(parts["averages"], "words an answer") == pytest.approx(3.2, abs=0.1)
