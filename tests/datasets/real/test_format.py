"""Broken questions are named, labels are kept from readers, and predictions say what was judged."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from lacuna import Answer, AnswerKind, LacunaError, Prediction, Question, get_dataset
from lacuna.types import Turn

REAL = get_dataset("real")
WHOLE = {"id": "q", "corpus": "notes", "question": "Who?", "gold": "Ada", "match": "Ada"}
DIALOG = {
    "id": "d",
    "corpus": "notes",
    "turns": [
        {"question": "Who?", "gold": "Ada", "match": "Ada", "evidence": []},
        {"question": "When?", "gold": "none", "match": "^none$"},
    ],
}


def read(tmp_path: Path, *items: Any) -> list[Question]:
    file = tmp_path / "file.json"
    file.write_text(json.dumps(items))
    with REAL.open(file) as reader:
        return list(reader.questions())


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"match": "(Ada"}, "match: expected a regular expression, found .*unterminated"),
        ({"match": ["Ada", 7]}, "match: expected a regular expression.*7"),
        ({"match": []}, "match: expected at least one"),
        ({"gold": None}, "gold: expected the answer as a text"),
        ({"corpus": "../secret"}, "corpus: expected the name of a collection"),
        ({"corpus": ""}, "corpus: expected the name of a collection"),
        ({"corpus": 7}, "corpus: expected a text"),
        ({"kind": 7}, "kind: expected the kind of question"),
        ({"pair": ["q"]}, "pair: expected the id"),
        ({"paraphrase": "yes"}, "paraphrase: expected true or false"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, change: dict[str, Any], message: str) -> None:
    with pytest.raises(LacunaError, match=message):
        read(tmp_path, {**WHOLE, **change})


def test_a_broken_turn_is_named(tmp_path: Path) -> None:
    with pytest.raises(LacunaError, match=r"turns\[0\].match: expected a regular expression"):
        read(tmp_path, {**DIALOG, "turns": [{**WHOLE, "match": "["}]})


def test_the_patterns_that_mean_something(tmp_path: Path) -> None:
    matches = ["^yes$", "^no$", "^none$", "Ada", ["^none$", "Ada"]]
    items = [{**WHOLE, "id": str(at), "match": match} for at, match in enumerate(matches)]
    questions = read(tmp_path, *items, {"id": "hidden", "corpus": "notes", "question": "Who?"})
    kinds = [question.gold and question.gold.answers[0].kind for question in questions]
    span = AnswerKind.SPAN
    assert kinds == [AnswerKind.YES, AnswerKind.NO, AnswerKind.NONE, span, span, None]


def test_a_dialog_is_asked_with_own_answers_or_turn_by_turn(tmp_path: Path) -> None:
    first, second = read(tmp_path, DIALOG)
    assert (first.id, second.id) == ("d.1", "d.2")
    assert second.history == (Turn("Who?", Answer.span("Ada")),)
    assert REAL.setting("dialog").arrange(second).history == (Turn("Who?"),)
    assert REAL.setting("by-itself").arrange(second).history == ()
    assert REAL.facets(second) == {"turn": "2", "corpus": "notes"}


def test_the_collection_is_known_though_no_label_is(tmp_path: Path) -> None:
    for question in (*read(tmp_path, WHOLE), *read(tmp_path, DIALOG)):
        for setting in REAL.settings.values():
            assert setting.collection is not None
            assert setting.collection(question) == "notes"
            assert setting.arrange(question).extra == {}


def test_an_odd_gold_answer_is_noticed(tmp_path: Path) -> None:
    good, odd = read(tmp_path, WHOLE, {**WHOLE, "id": "r", "gold": "Tom"})
    assert REAL.oddities(good) == []
    assert REAL.oddities(odd) == ["a gold answer that its own pattern does not match"]


def test_predictions_hold_the_text_that_was_judged(tmp_path: Path) -> None:
    path = tmp_path / "predictions.json"
    answers = {
        "a": Answer.number(15, unit="minutes"),
        "b": Answer.yes(),
        "c": Answer.none(),
        "d": Answer.spans(("x", "y")),
    }
    REAL.write_predictions(path, {id_: Prediction(answer) for id_, answer in answers.items()})
    assert json.loads(path.read_text()) == {
        "a": "15 minutes",
        "b": "yes",
        "c": "none",
        "d": ["x", "y"],
    }
    found = REAL.read_predictions(path)
    texts = [prediction.answer and prediction.answer.text for prediction in found.values()]
    assert texts == [answer.text for answer in answers.values()]
