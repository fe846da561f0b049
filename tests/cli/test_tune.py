"""lacuna tune, with the model that comes along."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from lacuna import demo
from lacuna.models.model_folder import SHIPPED


@pytest.fixture
def model(tmp_path: Path) -> Path:
    return shutil.copytree(SHIPPED / "small", tmp_path / "model")


def test_thresholds_and_calibration_are_kept(
    model: Path, tmp_path: Path, examples: Path, lacuna: Any
) -> None:
    raw = json.loads((examples / "squad.json").read_text("utf-8"))
    paragraph = raw["data"][0]["paragraphs"][0]
    paragraph["qas"] = [
        {**qa, "id": f"{qa['id']}-{number}"} for number in range(20) for qa in paragraph["qas"]
    ]
    file = tmp_path / "squad.json"
    file.write_text(json.dumps(raw), "utf-8")
    before = json.loads((model / "config.json").read_text("utf-8"))
    ran = lacuna("tune", "squad", str(file), "--model", str(model))
    assert ran.code == 0, ran.err
    assert "cross-fitted" in ran.out
    after = json.loads((model / "config.json").read_text("utf-8"))
    assert set(after["tuning"]["abstain"]) == {"no_answer_thresholds", "calibration"}
    assert {k: v for k, v in after.items() if k != "tuning"} == {
        k: v for k, v in before.items() if k != "tuning"
    }


def test_the_questions_of_one_collection_can_be_fitted_on(
    model: Path, tmp_path: Path, examples: Path, lacuna: Any
) -> None:
    rows = json.loads((examples / "real.json").read_text("utf-8"))
    some = [row for row in rows if row["corpus"] == "articles"][:4]
    file = tmp_path / "questions.json"
    again = [{**row, "id": f"{row['id']}-{time}"} for row in some for time in range(5)]
    file.write_text(json.dumps(again), "utf-8")
    before = json.loads((model / "config.json").read_text("utf-8"))
    ran = lacuna("tune", "real", file, "--corpus", demo.ARTICLES, "--model", model)
    assert ran.code == 0, ran.err
    assert "fitted on 20 questions" in ran.out
    assert "cross-fitted" in ran.out
    after = json.loads((model / "config.json").read_text("utf-8"))
    scorer = after.pop("answer_scorer")
    assert scorer != before.pop("answer_scorer", None)
    assert after == before
    assert {"margin", "relevance", "fits"} <= scorer["weights"].keys()


def test_all_answers_that_were_read_share_one_probability(lacuna: Any) -> None:
    told = json.loads(lacuna("ask", "Who was the first governor of Selmory?", "--json").out)
    chances = [other["confidence"] for other in told["alternatives"]]
    assert chances
    assert told["answer"]["kind"] != "none"
    assert told["confidence"] + sum(chances) < 1 + 1e-9


def test_none_is_as_likely_as_its_likeliest_alternative_is_wrong(lacuna: Any) -> None:
    told = json.loads(lacuna("ask", "When was the Marrow built?", "--json").out)
    chances = [other["confidence"] for other in told["alternatives"]]
    assert chances
    assert told["answer"]["kind"] == "none"
    assert sum(chances) < 1 + 1e-9
    assert told["confidence"] == pytest.approx(1 - chances[0])


def test_too_few_questions(model: Path, examples: Path, lacuna: Any) -> None:
    ran = lacuna("tune", "squad", str(examples / "squad.json"), "--model", str(model))
    assert ran.code == 2
    assert "too few" in ran.err


def test_a_corpus_that_would_not_be_looked_into(model: Path, examples: Path, lacuna: Any) -> None:
    notes = str(examples / "notes")
    ran = lacuna("tune", "iirc", "--model", str(model), "--corpus", notes)
    assert ran.code == 2
    assert "--setting full" in ran.err


def test_how_sure_gapqa_may_sound(tmp_path: Path, examples: Path, lacuna: Any) -> None:
    model = shutil.copytree(SHIPPED / "gapqa", tmp_path / "gapqa")
    before = json.loads((model / "config.json").read_text("utf-8"))
    gapqa = ("tune", "openbookqa", "--model", str(model))
    ran = lacuna(*gapqa)  # on the demo's twenty questions
    assert ran.code == 0, ran.err
    assert "cross-fitted" in ran.out
    after = json.loads((model / "config.json").read_text("utf-8"))
    assert after.pop("temperature") > 0
    before.pop("temperature", None)
    assert after == before
    ran = lacuna(*gapqa, "--corpus", str(examples / "notes"))
    assert ran.code == 2
    ran = lacuna("tune", "iirc", "--model", str(model))
    assert ran.code == 2
    assert "those of iirc have none" in ran.err


@pytest.mark.parametrize("name", ["small", "gapqa"])
def test_a_model_that_comes_along_stays_as_it_is(lacuna: Any, name: str) -> None:
    ran = lacuna("tune", "openbookqa", "--model", name)
    assert ran.code == 2
    assert "comes with Lacuna and stays as it is" in ran.err


def test_knowledge_that_the_reader_has_no_use_for(model: Path, tmp_path: Path, lacuna: Any) -> None:
    asked = ("tune", "openbookqa", "--model", str(model), "--knowledge", str(tmp_path))
    ran = lacuna(*asked)
    assert ran.code == 2
    assert "--knowledge has no use" in ran.err


def test_gapqa_is_refused_before_anything_is_asked(
    tmp_path: Path, lacuna: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def asked(*_: Any, **__: Any) -> None:
        raise AssertionError("a model was loaded")

    monkeypatch.setattr("lacuna.pipeline.gapqa.open_gapqa", asked)
    model = shutil.copytree(SHIPPED / "gapqa", tmp_path / "gapqa")
    file = tmp_path / "few.jsonl"
    question = {"stem": "What?", "choices": [{"label": x, "text": x} for x in "AB"]}
    rows = [{"id": str(n), "question": question, "fact1": "a fact"} for n in range(30)]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    ran = lacuna("tune", "openbookqa", file, "--model", model)
    assert ran.code == 2
    assert "0 questions with answers are too few" in ran.err


def test_broken_items_may_be_left_out(
    tmp_path: Path, lacuna: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = shutil.copytree(SHIPPED / "gapqa", tmp_path / "gapqa")
    whole = demo.OPENBOOK.read_text("utf-8").splitlines()
    broken = json.dumps({**json.loads(whole[3]), "id": "broken", "answerKey": "Z"})
    file = tmp_path / "broken.jsonl"
    file.write_text("\n".join([*whole[:4], broken, *whole[4:]]) + "\n", "utf-8")
    asked = ("tune", "openbookqa", file, "--model", model)
    ran = lacuna(*asked)
    assert ran.code == 2
    assert "LACUNA_SKIP_BAD" in ran.err
    monkeypatch.setenv("LACUNA_SKIP_BAD", "1")
    ran = lacuna(*asked)
    assert ran.code == 1
    assert "fitted on 20 questions" in ran.out
    assert "answerKey" in ran.err
