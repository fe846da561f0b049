"""What is made of the dialogs of QuAC."""

from __future__ import annotations

from pathlib import Path

from dataset_files import questions

from lacuna import AnswerKind, YesNo


def test_quac_keeps_the_dialog(examples: Path) -> None:
    first, second, third = questions("quac", examples / "quac.json")
    assert first.history == ()
    assert [turn.question for turn in third.history] == [first.text, second.text]
    assert third.history[1].answer is not None
    assert third.history[1].answer.text == "the first woman of the islands to do so"
    assert second.gold is not None
    assert second.gold.acts is not None
    assert second.gold.acts.yes_no is YesNo.YES
    assert third.gold is not None
    assert {answer.kind for answer in third.gold.answers} == {AnswerKind.NONE}
    assert first.context is third.context
