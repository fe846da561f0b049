"""The sentence that is most like the question, by the vectors of terms or of any encoder."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

import lacuna
from lacuna.errors import LacunaError
from lacuna.evaluation.baselines import SentenceSimilarityReader
from lacuna.models import registry as torch_backend
from lacuna.models.sentence_vectors import TermSums, open_sentence_encoder, unit_vectors
from lacuna.retrieve.hybrid import Floats
from lacuna.types import AnswerKind, Document, Question

SECTION = Document("Ferry", "The ship was built in 1931. Its cook came from Norway. CANNOTANSWER")


class Letters:
    """Counts letters, so that texts with the same letters are alike."""

    def vectors(self, texts: Sequence[str]) -> Floats:
        rows = [[text.lower().count(letter) for letter in "abcdefghijklmnopqrstuvwxyz"]
                for text in texts]  # fmt: skip
        table = np.array(rows, np.float32)
        return unit_vectors(table)


def test_the_likest_sentence_is_the_answer() -> None:
    reader = SentenceSimilarityReader(TermSums())
    built, cook = reader.read(
        [
            Question("1", "When was the vessel constructed?", SECTION),
            Question("2", "Where did the chef come from?", SECTION),
        ]
    )
    assert built.answer is not None
    assert built.answer.texts == ("The ship was built in 1931.",)
    assert built.answer.found_at[0].start == 0
    assert cook.answer is not None
    assert cook.answer.texts == ("Its cook came from Norway.",)


def test_sections_keep_their_own_sentences() -> None:
    other = Document("Xylo", "Zzz xx zz. CANNOTANSWER")
    questions = [
        Question("1", "zz", SECTION),
        Question("2", "zz", other),
        Question("3", "its cook came from norway", SECTION),
    ]
    answers = [
        prediction.answer for prediction in SentenceSimilarityReader(Letters()).read(questions)
    ]
    texts = [answer.texts[0] for answer in answers if answer]
    assert texts[1:] == ["Zzz xx zz.", "Its cook came from Norway."]
    assert texts[0] in SECTION.text


def test_an_empty_section_has_no_answer() -> None:
    empty = Question("1", "Why?", Document("Empty", " CANNOTANSWER"))
    (prediction,) = SentenceSimilarityReader(TermSums()).read([empty])
    assert prediction.answer is not None
    assert prediction.answer.kind is AnswerKind.NONE
    assert SentenceSimilarityReader(TermSums()).read([]) == []


def test_it_is_a_system_for_quac_alone(examples: Path) -> None:
    (system,) = lacuna.evaluate("sentence-similarity", "quac", examples / "quac.json").systems
    assert not system.report.missing
    assert system.report.official["unanswerable_acc"] == 0
    dialog = lacuna.evaluate(
        "sentence-similarity:terms", "quac", examples / "quac.json", setting="predicted-history"
    )
    assert dialog.systems[0].report.official["f1"] == system.report.official["f1"]
    with pytest.raises(LacunaError, match="sentence of quac's sections"):
        lacuna.evaluate("sentence-similarity", "iirc", examples / "iirc.json")


def test_an_encoder_without_torch_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch_backend, "SENTENCES", "lacuna.no_such_module:open")
    with pytest.raises(LacunaError, match=r"pip install 'lacuna-qa\[lab\]'"):
        open_sentence_encoder("some/encoder")
