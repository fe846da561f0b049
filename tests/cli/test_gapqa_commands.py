"""predict and evaluate with --system gapqa, with a stand-in that goes by what is known."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import gap_filler
import pytest
import refusing

from lacuna import demo, get_dataset

NOTE = "Note: This asks the demo's knowledge; --knowledge DIR asks your own.\n"
GAPQA = ("--system", "gapqa")
Raw = dict[str, Any]


@pytest.fixture(autouse=True)
def stand_in(gapqa: Any) -> None:
    """No test here loads a model."""


def raw(id_: str = "q", **changes: Any) -> Raw:
    choices = [{"label": "A", "text": "wood"}, {"label": "B", "text": "steel"}]
    question = {"stem": "What does heat pass through?", "choices": choices}
    fact = "heat passes through metals"
    return {"id": id_, "question": question, "fact1": fact, "answerKey": "B", **changes}


def save(path: Path, *items: Raw) -> Path:
    path.write_text("".join(json.dumps(item) + "\n" for item in items), "utf-8")
    return path


def refused(ran: Any, *words: str) -> None:
    refusing.refused(ran, *words)
    assert not gap_filler.GapReader.loaded, "before a model is loaded"


def test_the_demo_is_evaluated_without_a_file(lacuna: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LACUNA_THREADS", "2")
    ran = lacuna("evaluate", "openbookqa", *GAPQA, "--json")
    assert ran.code == 0, ran.err
    told = json.loads(ran.out)
    assert (told["setting"], told["system"], told["model"]) == ("core-fact", "gapqa", "gapqa")
    assert told["questions"] == 20
    assert told["accuracy"] == 1.0, "what is known of the demo's questions settles them"
    assert told["by_subset"]["OBQA-Short"]["questions"] == 20
    assert gap_filler.GapReader.loaded == (("gapqa", 2),)


def test_tables(lacuna: Any) -> None:
    ran = lacuna("evaluate", "openbookqa", *GAPQA)
    assert ran.code == 0
    assert ran.out.startswith("openbookqa, core-fact, gapqa\n")
    assert ran.err == NOTE
    for word in ("By subset", "OBQA-Short", "accuracy", "area under the curve"):
        assert word in ran.out


def test_predict_and_score_agree_with_evaluate(lacuna: Any, tmp_path: Path) -> None:
    out, sure = tmp_path / "pred.csv", tmp_path / "sure.json"
    ran = lacuna(*("predict", "openbookqa", demo.OPENBOOK, "-o", out, "--confidence", sure), *GAPQA)
    assert ran.code == 0
    predictions = get_dataset("openbookqa").read_predictions(out)
    assert json.loads(sure.read_text()).keys() == predictions.keys()
    assert len(predictions) == 20
    scored = json.loads(lacuna("score", "openbookqa", demo.OPENBOOK, out, "--json").out)
    told = json.loads(lacuna("evaluate", "openbookqa", *GAPQA, "--json").out)
    assert scored["accuracy"] == told["accuracy"]


def test_no_fact_of_the_file_can_be_found(lacuna: Any, tmp_path: Path) -> None:
    """Neither a question's own nor that of another one, whatever their case and articles."""
    sentences = tmp_path / "sentences.tsv"
    lines = (
        *("The heat passes through metals.", "Steel is a metal.", "Steel is a strong metal."),
        "A metal nail warms wood.",
    )
    sentences.write_text("".join(f"mine\t{line}\n" for line in lines), "utf-8")
    assert lacuna("knowledge", sentences, "--out", tmp_path / "base").code == 0
    arguments = ("evaluate", "openbookqa", "--knowledge", tmp_path / "base", "--json", *GAPQA)
    alone = save(tmp_path / "alone.jsonl", raw())
    assert json.loads(lacuna(*arguments, alone).out)["accuracy"] == 1.0
    both = save(tmp_path / "both.jsonl", raw(), raw("other", fact1="steel is metal"))
    told = json.loads(lacuna(*arguments, both).out)
    assert told["accuracy"] == 0.0, "as much is left for wood as for steel"


def test_what_gapqa_has_no_use_for(lacuna: Any, examples: Path, tmp_path: Path) -> None:
    refused(lacuna("evaluate", "iirc", *GAPQA), "Give openbookqa as the dataset")
    refused(
        lacuna("predict", "quac", examples / "quac.json", "-o", tmp_path / "p", *GAPQA),
        "those of quac have none",
    )
    refused(lacuna("evaluate", "openbookqa", *GAPQA, "--setting", "no-fact"), "core-fact")
    refused(lacuna("evaluate", "openbookqa", *GAPQA, "--corpus", tmp_path), "--corpus has no use")
    refused(lacuna("evaluate", "openbookqa", "--knowledge", tmp_path), "Add --system gapqa")
    assert lacuna("evaluate", "openbookqa", "--system", "gapqua").code == 2
    assert lacuna("evaluate", "openbookqa", *GAPQA, "--setting", "core-fact").code == 0


def test_a_folder_that_is_no_knowledge_base(lacuna: Any, tmp_path: Path) -> None:
    arguments = ("evaluate", "openbookqa", *GAPQA, "--knowledge")
    refused(lacuna(*arguments, tmp_path), "holds no knowledge", "lacuna knowledge")
    refused(lacuna(*arguments, tmp_path / "gone"), "holds no knowledge")


def one_choice() -> Raw:
    item = raw()
    del item["question"]["choices"][1:]
    return {**item, "answerKey": "A"}


def empty_choice() -> Raw:
    item = raw()
    item["question"]["choices"][0]["text"] = " "
    return item


@pytest.mark.parametrize(
    ("item", "words"),
    [
        (raw(fact1=None), "'q' has no core fact"),
        (raw(fact1=" "), "'q' has no core fact"),
        (one_choice(), "'q' has fewer than two choices"),
        (empty_choice(), "Choice A is empty in question 'q'"),
    ],
)
def test_questions_without_a_gap(lacuna: Any, tmp_path: Path, item: Raw, words: str) -> None:
    file = save(tmp_path / "q.jsonl", raw("fine"), item)
    refused(lacuna("evaluate", "openbookqa", file, *GAPQA), words)


def test_kgds_files_are_read_too(lacuna: Any, tmp_path: Path) -> None:
    item = raw(relations=["madeof"], answer_spans=["metals"])
    item["fact"] = item.pop("fact1")
    told = json.loads(
        lacuna("evaluate", "openbookqa", save(tmp_path / "q.jsonl", item), *GAPQA, "--json").out
    )
    assert told["by_relation"]["madeof"]["questions"] == 1


def test_help_tells_of_both_systems(lacuna: Any) -> None:
    shown = lacuna("evaluate", "--help").out
    assert "--system" in shown
    assert "reader" in shown
    assert "gapqa" in shown
