"""evaluate, predict and tune over a corpus, with the model that comes along."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from lacuna.models.model_folder import SHIPPED, WEIGHTS


@pytest.fixture(autouse=True)
def model(tmp_path: Path) -> Path:
    if not (SHIPPED / "small" / WEIGHTS).is_file():
        pytest.skip("the small model is not in this checkout")
    return shutil.copytree(SHIPPED / "small", tmp_path / "model")


@pytest.fixture
def corpus(tmp_path: Path, examples: Path, lacuna: Any) -> str:
    folder = str(tmp_path / "corpus")
    assert lacuna("index", str(examples / "notes"), "--out", folder).code == 0
    return folder


def test_full_and_oracle_links(examples: Path, corpus: str, lacuna: Any) -> None:
    for setting in ("full", "oracle-links"):
        ran = lacuna(
            *("evaluate", "iirc", str(examples / "iirc.json"), "--setting", setting),
            *("--corpus", corpus, "--json"),
        )
        assert ran.code == 0, ran.err
        told = json.loads(ran.out)
        assert told["setting"] == setting
        assert told["questions"] == 7
        assert told["missing_predictions"] == 0
        assert 0 <= told["search"]["links_recall"] <= 1


def test_tables_tell_of_the_search(examples: Path, corpus: str, lacuna: Any) -> None:
    file = str(examples / "iirc.json")
    ran = lacuna("evaluate", "iirc", file, "--setting", "full", "--corpus", corpus)
    assert ran.code == 0, ran.err
    assert "abstention recall" in ran.out
    assert "links recall" in ran.out


def test_full_wiki_predicts_supporting_facts(
    examples: Path, corpus: str, tmp_path: Path, lacuna: Any
) -> None:
    out = tmp_path / "predictions.json"
    ran = lacuna(
        *("evaluate", "hotpotqa", str(examples / "hotpotqa.json"), "--setting", "fullwiki"),
        *("--corpus", corpus, "--out", str(out)),
    )
    assert ran.code == 0, ran.err
    told = json.loads(out.read_text("utf-8"))
    titles = {title for facts in told["sp"].values() for title, _ in facts}
    assert titles <= {"Ada Quill", "Marrow", "Port Ellery", "Stony Tarn"}
    assert titles


def test_what_cannot_be(examples: Path, corpus: str, lacuna: Any) -> None:
    file = str(examples / "iirc.json")
    ran = lacuna("evaluate", "iirc", file, "--corpus", corpus)
    assert ran.code == 2
    assert "--setting full or oracle-links" in ran.err
    ran = lacuna("evaluate", "iirc", file, "--setting", "ful")
    assert ran.code == 2
    assert "Did you mean full?" in ran.err
    ran = lacuna("evaluate", "drop")
    assert ran.code == 2
    assert "Give a file of drop" in ran.err


def test_thresholds_over_a_corpus_stand_by_themselves(
    model: Path, examples: Path, corpus: str, tmp_path: Path, lacuna: Any
) -> None:
    (raw,) = json.loads((examples / "iirc.json").read_text("utf-8"))[:1]
    raw["questions"] = [
        {**one, "qid": f"{one['qid']}-{number}"} for number in range(20) for one in raw["questions"]
    ][:24]
    file = tmp_path / "iirc.json"
    file.write_text(json.dumps([raw]), "utf-8")
    before = json.loads((model / "config.json").read_text("utf-8"))
    ran = lacuna(
        *("tune", "iirc", str(file), "--setting", "full", "--corpus", corpus),
        *("--model", str(model)),
    )
    assert ran.code == 0, ran.err
    after = json.loads((model / "config.json").read_text("utf-8"))
    assert set(after["tuning_over_corpus"]["ask"]) == {"no_answer_thresholds", "calibration"}
    assert after.get("tuning") == before.get("tuning")
