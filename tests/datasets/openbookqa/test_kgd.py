"""KGD asks one question with several facts: the fact is a part of the id."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import refusing
from fake_reader import use_reader

from lacuna import Answer, LacunaError, Prediction, Question, get_dataset
from lacuna.datasets.base import official_id
from lacuna.metrics.report import score_predictions

IRON, RAIN = "iron rusts in water", "rain is made of water"


def line(id_: str, fact: str, name: str = "fact", **rest: Any) -> dict[str, Any]:
    choices = [{"text": "a nail", "label": "A"}, {"text": "a spoon", "label": "B"}]
    stem = {"stem": "What rusts in the rain?", "choices": choices}
    return {"id": id_, "question": stem, name: fact, "answerKey": "A", **rest}


def save(path: Path, *lines: dict[str, Any]) -> Path:
    path.write_text("".join(json.dumps(raw) + "\n" for raw in lines), "utf-8")
    return path


@pytest.fixture
def kgd(tmp_path: Path) -> Path:
    return save(
        tmp_path / "kgd.jsonl",
        line("7-1", IRON, relations=["madeof"], answer_spans=["iron"]),
        line("7-1", RAIN, relations=["locatedin"], answer_spans=["rain"]),
        line("7-2", IRON),
    )


def questions(path: Path) -> list[Question]:
    with get_dataset("openbookqa").open(path) as reader:
        return list(reader.questions())


def test_a_question_is_known_by_its_id_and_its_fact(kgd: Path) -> None:
    read = questions(kgd)
    assert [question.id for question in read] == [f"7-1#{IRON}", f"7-1#{RAIN}", f"7-2#{IRON}"]
    assert [official_id(question) for question in read] == ["7-1", "7-1", "7-2"]
    assert [question.fact for question in read] == [IRON, RAIN, IRON]


def test_a_file_is_written_with_its_own_ids(kgd: Path, tmp_path: Path) -> None:
    dataset, again = get_dataset("openbookqa"), tmp_path / "again.jsonl"
    with dataset.open(kgd) as reader:
        dataset.copy(reader, again)
    written, given = (
        [json.loads(raw) for raw in path.read_text("utf-8").splitlines()] for path in (again, kgd)
    )
    assert written == given


def test_the_same_fact_twice_is_refused(tmp_path: Path) -> None:
    path = save(tmp_path / "twice.jsonl", line("7-1", IRON), line("7-1", IRON))
    with pytest.raises(LacunaError, match="an id that no other question has"):
        questions(path)


def test_further_facts_in_openbookqas_own_format_get_an_id(tmp_path: Path) -> None:
    """OpenBookQA has one fact a question, so its ids stay as they are where they can."""
    lines = [line("7-1", IRON, "fact1"), line("7-1", RAIN, "fact1"), line("7-2", RAIN, "fact1")]
    path, again = save(tmp_path / "some.jsonl", *lines), tmp_path / "again.jsonl"
    assert [question.id for question in questions(path)] == ["7-1", f"7-1#{RAIN}", "7-2"]
    dataset = get_dataset("openbookqa")
    with dataset.open(path) as reader:
        dataset.copy(reader, again)
    assert [json.loads(raw) for raw in again.read_text("utf-8").splitlines()] == lines
    with pytest.raises(LacunaError, match=r"found '7-1' a second time"):
        questions(save(path, *lines[:2], lines[0]))


def test_a_question_without_a_fact_has_its_id_alone(tmp_path: Path) -> None:
    bare = line("7-1", "", "fact1")
    del bare["fact1"]
    with pytest.raises(LacunaError, match=r"found '7-1' a second time"):
        questions(save(tmp_path / "bare.jsonl", bare, bare))


def test_a_prediction_is_for_one_fact_or_for_all_of_a_question(kgd: Path) -> None:
    metric, right, wrong = (
        get_dataset("openbookqa").metric(),
        Answer.choice("A"),
        Answer.choice("B"),
    )

    def rows(**predictions: Answer) -> list[Any]:
        known = {id_: Prediction(answer) for id_, answer in predictions.items()}
        return [score.row[0] for score in score_predictions(metric, questions(kgd), known).scores]

    assert rows(**{"7-1": right, "7-2": wrong}) == [1, 1, 0]
    assert rows(**{f"7-1#{IRON}": wrong, f"7-1#{RAIN}": right, "7-2": right}) == [0, 1, 1]
    assert rows(**{"7-1": right, f"7-1#{IRON}": wrong}) == [0, 1, 0], "the fact's own counts first"
    with pytest.raises(LacunaError, match="'7-3'"):
        rows(**{"7-3": right})


def test_the_command_line(
    lacuna: Any, kgd: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    use_reader(
        monkeypatch, lambda question, _: Answer.choice("A" if question.fact == IRON else "B")
    )
    checked = json.loads(lacuna("data", "check", "openbookqa", kgd, "--json").out)
    assert (checked["questions"], checked["broken_items"]) == (3, 0)
    out = tmp_path / "predictions.csv"
    assert lacuna("predict", "openbookqa", kgd, "--out", out).code == 0
    assert out.read_text() == f"7-1#{IRON},A\n7-1#{RAIN},B\n7-2#{IRON},A\n"
    scored = json.loads(lacuna("score", "openbookqa", kgd, out, "--json").out)
    assert scored["accuracy"] == pytest.approx(2 / 3)
    assert scored["missing_predictions"] == 0
    evaluated = json.loads(lacuna("evaluate", "openbookqa", kgd, "--json").out)
    assert evaluated["accuracy"] == scored["accuracy"]
    out.write_text("7-1,A\n7-2,A\n")
    assert json.loads(lacuna("score", "openbookqa", kgd, out, "--json").out)["accuracy"] == 1
    out.write_text("7-1,A\n7-1,B\n")
    refusing.refused(lacuna("score", "openbookqa", kgd, out), "every question once")


def test_a_key_span_behind_a_letter_that_folds_to_two(tmp_path: Path) -> None:
    fact = "In İzmir and İstanbul Straße belts are made of Iron"
    (question,) = questions(save(tmp_path / "kgd.jsonl", line("7-1", fact, answer_spans=["iron"])))
    assert question.gold is not None
    (span,) = question.gold.evidence or ()
    assert fact[span.start : span.end] == "Iron"
