"""What is made of the questions of SQuAD."""

from __future__ import annotations

from pathlib import Path

from dataset_files import questions

from lacuna import AnswerKind, Role


def test_squad(examples: Path) -> None:
    _, mark, owner = questions("squad", examples / "squad.json")
    assert mark.gold is not None
    assert mark.context is not None
    found = mark.gold.answers[1].found_at[0]
    assert mark.context.text[found.start : found.end] == "serves as a sea mark"
    assert owner.gold is not None
    assert owner.gold.answers[0].kind is AnswerKind.NONE
    assert owner.gold.evidence is not None
    assert owner.gold.evidence[0].role is Role.PLAUSIBLE
