from __future__ import annotations

from pathlib import Path

import pytest

from lacuna import (
    Answer,
    Gold,
    LacunaError,
    Prediction,
    Question,
    get_dataset,
)
from lacuna.answers import AnswerMode
from lacuna.datasets import DATASETS
from lacuna.datasets.base import Setting
from lacuna.types import DialogActs, Turn, YesNo


def test_every_dataset_has_a_default() -> None:
    assert [get_dataset(name).setting().name for name in DATASETS] == [
        *("oracle-context", "distractor", "core-fact", "gold-history", "may-abstain", "passage"),
        "by-itself",
    ]


def test_settings_have_their_own_names() -> None:
    for name in DATASETS:
        for known, setting in get_dataset(name).settings.items():
            assert known == setting.name


def test_an_unknown_setting_is_told_from_the_known_ones() -> None:
    with pytest.raises(
        LacunaError,
        match=r"no hotpotqa setting 'gold_only'. Did you mean gold-only\? There are: distractor, ",
    ):
        get_dataset("hotpotqa").setting("gold_only")


@pytest.mark.parametrize(
    ("name", "setting"),
    [(name, setting) for name in DATASETS for setting in get_dataset(name).settings.values()],
)
def test_no_label_enters(examples: Path, name: str, setting: Setting) -> None:
    file = {"openbookqa": "openbookqa.jsonl"}.get(name, f"{name}.json")
    with get_dataset(name).open(examples / file) as reader:
        for question in reader.questions():
            arranged = setting.arrange(question)
            assert arranged.gold is None
            assert arranged.extra == {}
            assert (arranged.id, arranged.text) == (question.id, question.text)
            if setting.over_corpus:
                assert arranged.documents == ()
            else:
                assert arranged.context == question.context


def test_whatever_arranges_leaves_the_labels_behind() -> None:
    def careless(question: Question) -> Question:
        return Question(question.id, "Changed?", gold=question.gold, extra=question.extra)

    question = Question("q", "?", gold=Gold((Answer.yes(),)), extra={"label": "yes"})
    setting = Setting("careless", AnswerMode.ASK, careless)
    assert setting.arrange(question) == Question("q", "Changed?")
    assert setting.restore(question, Prediction()) == Prediction()


def test_history() -> None:
    turn = Turn("Who?", Answer.span("Ada"), DialogActs(YesNo.NEITHER))
    question = Question("d", "And?", history=(turn,))
    settings = get_dataset("quac").settings
    assert settings["gold-history"].arrange(question).history == (turn,)
    assert settings["predicted-history"].arrange(question).history == (Turn("Who?"),)
    assert [setting.predicted_history for setting in settings.values()] == [False, True]


def test_core_fact() -> None:
    question = Question("o", "?", fact="Water boils.")
    settings = get_dataset("openbookqa").settings
    assert settings["core-fact"].arrange(question).fact == "Water boils."
    assert settings["no-fact"].arrange(question).fact is None
