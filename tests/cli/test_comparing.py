"""evaluate with several systems, evaluate-retrieval, and settings that need a corpus."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from refusing import refused

from lacuna import Answer, LacunaError, Prediction, Question, demo
from lacuna.answers import AnswerMode
from lacuna.metrics.comparison import HumanRow


class YesReader:
    """Always says yes."""

    @classmethod
    def load(cls, model: str | Path = "small", *, threads: int | None = None) -> YesReader:
        if model not in ("small", "other"):
            raise LacunaError(f"There is no model {model}.")
        return cls()

    def read(
        self,
        questions: Sequence[Question],
        *,
        mode: AnswerMode = AnswerMode.ASK,
        progress: Callable[[int], None] | None = None,
    ) -> list[Prediction]:
        return [Prediction(Answer.yes(), confidence=0.9) for _ in questions]


@pytest.fixture
def reader(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lacuna.models.registry.open_reader", YesReader.load)


@pytest.fixture
def corpus(tmp_path: Path, examples: Path, lacuna: Any) -> Path:
    folder = tmp_path / "corpus"
    assert lacuna("index", examples / "notes", "--out", folder).code == 0
    return folder


def test_two_systems_side_by_side(lacuna: Any, examples: Path, reader: None) -> None:
    both = ("evaluate", "iirc", examples / "iirc.json", "--system", "abstain", "--system", "reader")
    ran = lacuna(*both)
    assert ran.code == 0
    assert ran.out.startswith("iirc, oracle-context, abstain, reader\n")
    for words in ("difference from abstain", "p-value", "By type: f1", "AURC"):
        assert words in ran.out
    told = json.loads(lacuna(*both, "--json").out)
    assert told["baseline"] == "abstain"
    assert [(one["system"], one["model"]) for one in told["systems"]] == [
        ("abstain", None),
        ("reader", "small"),
    ]
    assert told["systems"][1]["against_baseline"]["f1"]["p_value"] > 0.05


def test_models_are_named_with_their_system(lacuna: Any, examples: Path, reader: None) -> None:
    file = examples / "iirc.json"
    told = json.loads(lacuna("evaluate", "iirc", file, "--system", "other", "--json").out)
    assert (told["system"], told["model"]) == ("other", "other")
    two = ("--system", "reader", "--system", "reader:other")
    told = json.loads(lacuna("evaluate", "iirc", file, *two, "--json").out)
    assert [one["model"] for one in told["systems"]] == ["small", "other"]
    refused(lacuna("evaluate", "iirc", file, *two, "-o", "x.json"), "one --system")
    refused(lacuna("evaluate", "iirc", file, "--system", "reader", "--system", "reader"), "Two")


def test_a_setting_over_a_corpus_needs_one(
    lacuna: Any, examples: Path, tmp_path: Path, reader: None
) -> None:
    """The demo corpus knows nothing of other questions."""
    iirc, hotpotqa = examples / "iirc.json", examples / "hotpotqa.json"
    out = ("-o", tmp_path / "pred.json")
    for asked in (
        ("predict", "iirc", iirc, "--setting", "full", *out),
        ("predict", "hotpotqa", hotpotqa, "--setting", "fullwiki", *out),
        ("evaluate", "iirc", iirc, "--setting", "oracle-links"),
        ("evaluate", "iirc", iirc, "--setting", "full"),
        ("tune", "iirc", iirc, "--setting", "full", "--model", "small"),
        ("evaluate-retrieval", "hotpotqa", hotpotqa),
    ):
        refused(lacuna(*asked), "Give one with --corpus DIR")
    refused(lacuna("predict", "iirc", tmp_path / "gone", "--setting", "full", *out), "no file")
    assert not out[1].exists()


def test_predict_and_evaluate_search_the_corpus_that_is_given(
    lacuna: Any, examples: Path, tmp_path: Path, corpus: Path
) -> None:
    out, file = tmp_path / "pred.json", examples / "hotpotqa.json"
    over = ("--setting", "fullwiki", "--corpus", corpus)
    ran = lacuna("predict", "hotpotqa", file, "-o", out, *over)
    assert ran.code == 0, ran.err
    titles = {title for facts in json.loads(out.read_text())["sp"].values() for title, _ in facts}
    assert titles
    assert titles <= {"Ada Quill", "Marrow", "Port Ellery", "Stony Tarn"}
    ran = lacuna("evaluate", "hotpotqa", file, *over, "--max-error", "1", "--json")
    assert ran.code == 0, ran.err
    assert json.loads(ran.out)["setting"] == "fullwiki"
    ran = lacuna("predict", "hotpotqa", file, "-o", out, *over, "--retriever", "hotpotqa")
    assert ran.code == 0, ran.err
    refused(lacuna("predict", "hotpotqa", file, "-o", out, "--corpus", corpus), "no use")
    refused(lacuna("predict", "hotpotqa", file, "-o", out, "--retriever", "bm25"), "no use")


def test_the_demo_corpus_is_named_where_it_is_asked(lacuna: Any, tmp_path: Path) -> None:
    from itertools import islice

    from lacuna.datasets import get_dataset

    few = tmp_path / "few.json"
    iirc = get_dataset("iirc")
    with iirc.open(demo.QUESTIONS) as reader:
        iirc.write(few, islice(reader, 1))
    over = ("--setting", "full", "-o", tmp_path / "pred.json")
    refused(lacuna("predict", "iirc", few, *over), "the demo's questions alone")
    ran = lacuna("predict", "iirc", few, *over, "--corpus", demo.ARTICLES)
    assert ran.code == 0, ran.err
    ran = lacuna("evaluate-retrieval", "iirc", "-k", "5")
    assert ran.err == "Note: This asks the demo corpus; --corpus DIR asks your own notes.\n"


def test_retrievers_are_compared(lacuna: Any, examples: Path, corpus: Path) -> None:
    asked = ("evaluate-retrieval", "hotpotqa", examples / "hotpotqa.json", "--corpus", corpus)
    ran = lacuna(*asked, "--retriever", "bm25", "--retriever", "hotpotqa", "-k", "10")
    assert ran.code == 0, ran.err
    for words in ("hits@2", "mean_rank", "ndcg@10", "difference from bm25"):
        assert words in ran.out
    told = json.loads(lacuna(*asked, "--json").out)
    assert [one["system"] for one in told["systems"]] == ["bm25"]
    assert {"map", "interval_95", "against_baseline"} <= told["systems"][0].keys()
    refused(lacuna(*asked, "--retriever", "bm52"), "Did you mean bm25?")


def test_broken_items_are_left_out_of_a_comparison(
    lacuna: Any,
    examples: Path,
    corpus: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    items = json.loads((examples / "hotpotqa.json").read_text())
    file = tmp_path / "some.json"
    file.write_text(json.dumps([*items, {"_id": "broken"}]))
    asked = ("evaluate-retrieval", "hotpotqa", file, "--corpus", corpus)
    refused(lacuna(*asked), "LACUNA_SKIP_BAD")
    monkeypatch.setenv("LACUNA_SKIP_BAD", "1")
    ran = lacuna(*asked)
    assert ran.code == 1
    assert "1 broken items were left out" in ran.err
    assert "mean_rank" in ran.out


def test_help_explains_the_verb(lacuna: Any) -> None:
    assert "evaluate-retrieval" in lacuna("--help").out
    assert "no answer is given" in " ".join(lacuna("evaluate-retrieval", "--help").out.split())


def test_people_stand_beside_systems(reader: None, lacuna: Any, tmp_path: Path) -> None:
    path = tmp_path / "human.json"
    measures, bound = {"em": 0.857, "f1": 0.884}, {"em": 0.9, "f1": 0.95}
    row = HumanRow("iirc", "oracle-context", 200, 7, "2026-11-17", measures, bound)
    row.write(path)
    alone = lacuna("evaluate", "iirc", "--human", path)
    assert alone.code == 0, alone.err
    assert "88.4" in alone.out
    assert "7 people, 200 questions" in alone.out
    both = ("evaluate", "iirc", "--system", "abstain", "--system", "reader", "--human", path)
    assert ["f1", "human", "88.4"] in [line.split() for line in lacuna(*both).out.splitlines()]
    told = json.loads(lacuna("evaluate", "iirc", "--human", path, "--json").out)
    assert (told["human"], told["human_row"]["people"]) == (measures, 7)
    other = lacuna("evaluate", "openbookqa", "--human", path)
    assert (other.code, "for iirc, oracle-context" in other.err) == (2, True)
