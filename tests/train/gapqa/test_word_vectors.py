from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")

from lacuna.errors import LacunaError
from lacuna.models.gapqa.rows import Part
from lacuna_lab.gapqa.network import (
    FIRST_WORD,
    PADDING,
    UNKNOWN,
    Vocabulary,
    WordRows,
    read_vectors,
)

LINES = ["the 0.5 1 -2", "metal 1 2 3", "spoon 0 0 1e-3"]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "vectors.txt"
    path.write_text("\n".join(LINES) + "\n")
    return path


def test_vectors_stand_behind_two_of_their_own_without_what_all_have_in_common(file: Path) -> None:
    vocabulary, vectors = read_vectors(file)
    assert vocabulary.known == ["the", "metal", "spoon"]
    assert vectors.dtype == np.float32
    mean = np.array([0.5, 1, 1.001 / 3])
    assert vectors[FIRST_WORD:] == pytest.approx(
        np.array([[0.5, 1, -2], [1, 2, 3], [0, 0, 1e-3]]) - mean, abs=1e-6
    )
    assert not vectors[[PADDING, UNKNOWN]].any()


def test_a_file_without_any_word(file: Path) -> None:
    file.write_text("0 3\n")
    with pytest.raises(LacunaError, match="no vector of any word"):
        read_vectors(file)


def test_word2vecs_first_line_is_no_word(file: Path) -> None:
    file.write_text("\n".join(["3 3", *LINES]))
    assert read_vectors(file)[0].known == ["the", "metal", "spoon"]


@pytest.mark.parametrize("broken", ["fork 1 2", "fork 1 2 x", "fork", "", "fork  1 2 3"])
def test_a_broken_line_is_named(file: Path, broken: str) -> None:
    file.write_text("\n".join([*LINES, broken, "knife 1 2 3"]))
    with pytest.raises(LacunaError, match=r"vectors\.txt, line 4: expected a word"):
        read_vectors(file)


def test_rows_are_words() -> None:
    rows = WordRows(Vocabulary(["metal", "spoon", "hot"]))
    metal, spoon, hot = range(FIRST_WORD, FIRST_WORD + 3)
    chosen = rows.choice_row("Hot metal?", "the Spoon", "metal")
    assert chosen.ids.tolist() == [hot, metal, UNKNOWN, spoon, metal]
    assert chosen.parts.tolist() == [Part.QUESTION] * 2 + [Part.CHOICE] * 2 + [Part.FACT]
    assert Part.FACT not in rows.choice_row("Hot?", "spoon", None).parts
    assert rows.question_row("", "").ids.tolist() == [UNKNOWN, UNKNOWN], "no text is empty"
    line = rows.knowledge_row("metal", "spoon", "hot spoon")
    assert line.ids[line.parts == Part.KNOWLEDGE].tolist() == [hot, spoon]
