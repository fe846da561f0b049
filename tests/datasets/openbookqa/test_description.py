"""KGD's table 2, OBQA-Short and relations."""

from __future__ import annotations

from pathlib import Path

from described import describe_file, describe_items, value

from lacuna.datasets.base import Item, under_id
from lacuna.types import Choice, Evidence, Gold, Question

CHOICES = (Choice("A", "a nail"), Choice("B", "a cork"))


def test_the_example_is_counted(examples: Path) -> None:
    parts = describe_file("openbookqa", examples / "openbookqa.jsonl")
    assert value(parts["kgd"], "questions") == 1
    assert value(parts["kgd"], "spans a pair") == 1.0
    assert value(parts["kgd"], "relations a pair", 2) == 3.31
    assert "| 3.31 |" in parts["kgd"].shown_table().to_markdown()
    assert value(parts["short"], "OBQA-Short") == 1
    assert value(parts["short"], "OBQA-Full") == 2
    assert value(parts["relations"], "madeof") == 1


def test_a_question_with_two_facts_is_one_question_and_two_pairs() -> None:
    spans = (Evidence("fact1", 0, 4), Evidence("fact1", 0, 4), Evidence("fact1", 5, 9))
    gold = Gold(evidence=spans, relations=("isa", "isa\x01", "causes"))
    question = Question("7", "What rusts?", choices=CHOICES, fact="iron rusts", gold=gold)
    items = [Item.of(under_id(question, f"7#{n}")) for n in range(2)]
    parts = describe_items("openbookqa", items)
    assert value(parts["kgd"], "questions") == 1
    assert value(parts["kgd"], "pairs of a question and a fact") == 2
    assert value(parts["kgd"], "spans a pair") == 2.0
    assert value(parts["kgd"], "relations a pair") == 2.0
    assert value(parts["short"], "OBQA-Full") == 1
    assert value(parts["relations"], "isa") == 2


def test_what_is_missing_is_named_and_the_rest_shown() -> None:
    parts = describe_items("openbookqa", [Item.of(Question("7", "Why?", choices=CHOICES))])
    assert "'relations'" in parts["kgd"].missing
    assert "'relations'" in parts["relations"].missing
    assert "'fact1'" in parts["averages"].missing
    assert parts["relations"].chart is None
    assert value(parts["averages"], "words a choice") == 2.0


def test_the_real_training_set(data_folder: Path) -> None:
    parts = describe_file("openbookqa", data_folder / "openbookqa" / "train_complete.jsonl.gz")
    assert value(parts["short"], "OBQA-Full") == 4957
    assert value(parts["short"], "OBQA-Short", 2) > 50  # as the paper says of it
