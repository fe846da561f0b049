"""evaluate and predict over several collections, with a reader that answers as it is told."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from fake_reader import use_reader

from lacuna import demo
from lacuna.answers import AnswerMode
from lacuna.types import Answer, Question

ARTICLES = demo.ARTICLES.parent
"""The folder that holds the collection ``articles``."""


def answer(question: Question, mode: AnswerMode) -> Answer:
    if question.text.startswith("Does"):
        return Answer.yes()
    return Answer.span("1931") if "Marrow" in question.text else Answer.none()


@pytest.fixture(autouse=True)
def reader(monkeypatch: pytest.MonkeyPatch) -> None:
    use_reader(monkeypatch, answer)


def test_each_question_is_asked_of_its_collection(
    lacuna: Any, examples: Path, tmp_path: Path
) -> None:
    file, out = examples / "real.json", tmp_path / "predictions.json"
    places = ("--corpus", ARTICLES, "--corpus", examples / "notes")
    told = json.loads(lacuna("evaluate", "real", file, *places, "-o", out, "--json").out)
    assert told["questions"] == 8
    assert (told["correct"], told["refused"]) == (3 / 8, 1.0)
    assert (told["pairs_right"], told["pairs_total"]) == (0.0, 1)
    assert told["by_type"]["yesno"]["right"] == 0.5
    assert told["by_corpus"]["notes"] == {
        "questions": 1, "correct": 1.0, "right": 1.0, "wrongly_none": 0.0, "refused": None,
        "over_12_words": 0.0,
    }  # fmt: skip
    assert told["confidence"]["auc"] == 0.5
    scored = json.loads(lacuna("score", "real", file, out, "--json").out)
    assert scored.items() <= told.items()
    shown = lacuna("evaluate", "real", file, *places).out
    assert "By type" in shown
    assert "AUC, right against wrong answers" in shown


def test_questions_without_their_collection_are_left_out_and_told(
    lacuna: Any, examples: Path
) -> None:
    file = examples / "real.json"
    ran = lacuna("evaluate", "real", file, "--corpus", examples, "--json")
    told = json.loads(ran.out)
    assert (ran.code, told["questions"], told["missing_predictions"]) == (0, 1, 0)
    assert "7 questions are left out: there is no articles in" in " ".join(ran.err.split())


def test_what_cannot_be(lacuna: Any, examples: Path, tmp_path: Path) -> None:
    file = examples / "real.json"
    for more, words in (
        ((), "Give one with --corpus DIR"),
        (("--corpus", tmp_path), "There is no articles, notes in"),
        (("--corpus", tmp_path / "gone"), "There is no file or folder"),
    ):
        ran = lacuna("evaluate", "real", file, *more)
        assert ran.code == 2
        assert words in " ".join(ran.err.split())


def test_a_dialog_goes_on_with_its_own_answers(
    lacuna: Any, examples: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[tuple[Any, ...]] = []

    def remembering(question: Question, mode: AnswerMode) -> Answer:
        seen.append(tuple(turn.answer and turn.answer.text for turn in question.history))
        return Answer.span("1931")

    use_reader(monkeypatch, remembering)
    turns = [
        {"question": "When was the ferry Marrow launched?", "gold": "1931", "match": "1931"},
        {"question": "Where was it launched?", "gold": "Port Ellery", "match": "Ellery"},
    ]
    file = tmp_path / "dialogs.json"
    file.write_text(json.dumps([{"id": "d", "corpus": "notes", "turns": turns}]))
    ran = lacuna(
        *("evaluate", "real", file, "--setting", "dialog", "--corpus", examples, "--json"),
    )
    told = json.loads(ran.out)
    assert {turn: part["correct"] for turn, part in told["by_turn"].items()} == {"1": 1.0, "2": 0.0}
    assert ("1931",) in seen
    seen.clear()
    lacuna("evaluate", "real", file, "--corpus", examples, "--json")
    assert ("1931",) not in seen
