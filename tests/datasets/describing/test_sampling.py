"""A sample is random, repeatable, and of what is to be labelled."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from lacuna.datasets import get_dataset
from lacuna.datasets.base import Block, Item
from lacuna.errors import LacunaError
from lacuna.types import Document, Question
from lacuna_lab.describe.labelling import LabellingTask, answered_wrongly, sample, task_for

ANY = LabellingTask("questions", ())


def items(texts: int, each: int) -> list[Item]:
    return [
        Item(
            (
                Block(
                    tuple(Question(f"{text}-{n}", "Why?") for n in range(each)), Document("t", "t")
                ),
            )
        )
        for text in range(texts)
    ]


def ids(task: LabellingTask, size: int, seed: int, texts: int = 10, each: int = 5) -> list[str]:
    return [q.id for q in sample(items(texts, each), task, size, seed, lambda question: True)]


def test_the_same_seed_gives_the_same_sample_in_the_files_order() -> None:
    chosen = ids(ANY, 7, 3)
    assert chosen == ids(ANY, 7, 3) != ids(ANY, 7, 4)
    assert len(set(chosen)) == 7
    assert chosen == sorted(chosen)


def test_all_are_taken_where_there_are_too_few() -> None:
    assert len(ids(ANY, 500, 1)) == 50


def test_every_question_has_the_same_chance() -> None:
    drawn = Counter(id_ for seed in range(600) for id_ in ids(ANY, 2, seed, 4, 1))
    assert len(drawn) == 4
    assert all(abs(count - 300) < 75 for count in drawn.values())  # over six deviations


def test_one_question_of_each_text() -> None:
    chosen = ids(LabellingTask("questions", (), one_a_text=True), 10, 1)
    assert [id_.split("-")[0] for id_ in chosen] == [str(text) for text in range(10)]


def test_errors_are_wrong_predictions_that_are_there(examples: Path) -> None:
    iirc = get_dataset("iirc")
    predictions = iirc.read_predictions(examples / "iirc_predictions.json")
    del predictions["q_7"]
    wrong = answered_wrongly(iirc, "em", predictions)
    with iirc.open(examples / "iirc.json") as reader:
        assert [q.id for q in reader.questions() if wrong(q)] == ["q_2", "q_5", "q_6"]


@pytest.mark.parametrize(
    ("name", "of_errors", "problem"),
    [("squad", False, "no categories"), ("hotpotqa", True, "no classes of errors")],
)
def test_what_no_paper_labelled_is_refused(name: str, of_errors: bool, problem: str) -> None:
    with pytest.raises(LacunaError, match=problem):
        task_for(get_dataset(name), of_errors)
