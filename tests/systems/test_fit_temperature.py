from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from lacuna.errors import LacunaError
from lacuna.models.gapqa.gapqa_reader import GapQAReader
from lacuna.models.gapqa.scored_choice import ScoredChoice
from lacuna.models.model_folder import CONFIG, SHIPPED, ModelSystem, find_model
from lacuna.models.reader.thresholds import FEWEST
from lacuna.pipeline.gapqa import gap_result
from lacuna.pipeline.result import Result
from lacuna.systems.fit_temperature import fit, fit_temperature, save_temperature
from lacuna.types import Answer, Choice, Gold, Question, Span

CHOICES = (Choice("A", "ice"), Choice("B", "steam"))


def result(scores: tuple[float, float], right: str | None) -> tuple[Question, Result]:
    gold = None if right is None else Gold((Answer.choice(right, right),))
    question = Question("q", "Which?", choices=CHOICES, fact="a fact", gold=gold)
    choices = tuple(
        ScoredChoice(choice, "a", 0.5, score - 1.0, 1.0, (), ())
        for choice, score in zip(CHOICES, scores, strict=True)
    )
    return question, gap_result(question, Span(0, 1), choices)


@pytest.mark.parametrize("hot", [0.4, 1.0, 3.0])
def test_the_temperature_that_was_there_is_found(hot: float) -> None:
    """Right choices are drawn as likely as softmax says at that temperature."""
    random = np.random.default_rng(6)
    scores = random.normal(0, 2, (2000, 3)).astype(np.float32)
    likely = np.exp(scores / hot)
    likely /= likely.sum(1, keepdims=True)
    right = (likely.cumsum(1) < random.random((len(scores), 1))).sum(1).clip(max=2)
    assert fit(list(scores), right) == pytest.approx(hot, rel=0.1)


def test_a_model_that_is_too_confident_gets_a_higher_temperature() -> None:
    """Sure by 98 in 100 and right by 3 in 4: log-odds of 4 should be log(3)."""
    results = [result((4.0, 0.0), "B" if number % 4 == 0 else "A") for number in range(80)]
    results.append(result((9.0, 0.0), None))
    fitted = fit_temperature(results)
    assert fitted.questions == 80
    assert fitted.temperature == pytest.approx(4 / np.log(3), abs=0.01)
    assert fitted.error_before == pytest.approx(0.232, abs=0.001)
    assert fitted.error_after < 0.1


def test_too_few_to_tell() -> None:
    with pytest.raises(LacunaError, match=rf"{FEWEST - 1} questions .* too few"):
        fit_temperature([result((1.0, 0.0), "A")] * (FEWEST - 1) + [result((1.0, 0.0), None)])


def test_it_is_saved_and_named_where_it_is_damaged(tmp_path: Path) -> None:
    path = shutil.copytree(SHIPPED / "gapqa", tmp_path / "model")
    folder = find_model(path, system=ModelSystem.GAPQA)
    save_temperature(folder, 2.5)
    again = find_model(path, system=ModelSystem.GAPQA)
    assert again.temperature == 2.5
    assert {**folder.config, "temperature": 2.5} == again.config
    for damaged in ("warm", 0, None):
        (folder.path / CONFIG).write_text(json.dumps({**folder.config, "temperature": damaged}))
        with pytest.raises(LacunaError, match="must be a number above 0"):
            GapQAReader.load(folder.path)
