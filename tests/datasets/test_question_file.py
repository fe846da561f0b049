from __future__ import annotations

from pathlib import Path

import pytest

from lacuna import (
    LacunaError,
    get_dataset,
)
from lacuna.datasets.convert import QuestionFile


def test_a_file_is_checked_first(examples: Path, tmp_path: Path) -> None:
    iirc, path = get_dataset("iirc"), examples / "iirc.json"
    file = QuestionFile(iirc, path, iirc.setting("oracle-context"))
    assert (file.total, file.with_gold) == (7, 7)
    assert [question.id for question in file] == [question.id for question in file]
    with pytest.raises(
        LacunaError,
        match=r"No question of .* has the field retrieved_context, which the setting retrieved-",
    ):
        QuestionFile(iirc, path, iirc.setting("retrieved-context"))
    empty = tmp_path / "empty.json"
    empty.write_text("[]")
    with pytest.raises(LacunaError, match="holds no question of iirc"):
        QuestionFile(iirc, empty, iirc.setting())


def test_what_is_not_wanted_is_passed_over_and_counted(examples: Path) -> None:
    iirc = get_dataset("iirc")
    path, setting = examples / "iirc.json", iirc.setting()
    everything = QuestionFile(iirc, path, setting)
    first = next(iter(everything)).id
    file = QuestionFile(iirc, path, setting, wanted=lambda question: question.id == first)
    assert [question.id for question in file] == [first]
    assert (file.total, file.passed_over) == (1, everything.total - 1)
    assert QuestionFile(iirc, path, setting, wanted=lambda question: False).total == 0
