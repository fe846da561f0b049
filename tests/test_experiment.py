"""Experiments in one call, with systems of one's own and with those that have a name."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest

import lacuna
from lacuna.datasets.base import Setting
from lacuna.errors import LacunaError
from lacuna.evaluation.system import Progress
from lacuna.types import Answer, Prediction, Question

RIGHT = {"q_1": Answer.number(12), "q_2": Answer.span("Ruth Quill")}


class Fixed:
    """Always says the same, as sure as it is told to be."""

    def __init__(self, name: str, answer: Answer, confidence: float | None = None) -> None:
        self.name = name
        self.prediction = Prediction(answer, confidence=confidence)
        self.asked: list[Question] = []

    def predict(
        self,
        questions: Iterable[Question],
        *,
        setting: Setting,
        progress: Progress | None = None,
    ) -> Mapping[str, Prediction]:
        self.asked = list(questions)
        return {question.id: self.prediction for question in self.asked}


def test_systems_of_ones_own_side_by_side(examples: Path) -> None:
    none, yes = Fixed("none", Answer.none(), 0.5), Fixed("yes", Answer.yes())
    table = lacuna.evaluate([none, yes], "iirc", examples / "iirc.json", baseline=0)
    assert (table.dataset, table.setting) == ("iirc", "oracle-context")
    assert [system.report.official["f1"] for system in table.systems] == [2 / 7, 1 / 7]
    assert all(question.gold is None and not question.extra for question in none.asked)
    first, second = table.comparison.tests
    assert first is None
    assert second is not None
    assert second["f1"] is not None
    assert second["f1"].difference == pytest.approx(-1 / 7)


def test_markdown_and_json(examples: Path) -> None:
    systems = Fixed("none", Answer.none()), Fixed("yes", Answer.yes())
    table = lacuna.evaluate(systems, "iirc", examples / "iirc.json")
    shown = table.to_markdown()
    assert shown.startswith("iirc, oracle-context, none, yes\n")
    for words in ("difference from none", "always abstain", "By type: f1", "AURC", "| yes | 1 |"):
        assert words in shown
    told = json.loads(json.dumps(table.to_json()))
    assert told["baseline"] == "none"
    assert [system["system"] for system in told["systems"]] == ["none", "yes"]
    assert told["systems"][1]["against_baseline"]["em"]["difference"] == pytest.approx(-1 / 7)


def test_one_system_has_the_keys_of_score(examples: Path) -> None:
    told = lacuna.evaluate(Fixed("yes", Answer.yes()), "iirc", examples / "iirc.json").to_json()
    assert list(told)[:6] == ["task", "setting", "system", "model", "em", "f1"]
    assert {"interval_95", "by_kind", "confidence", "search"} <= told.keys()
    assert "systems" not in told


def test_abstaining_is_the_floor(examples: Path) -> None:
    for dataset, name in (("iirc", "iirc.json"), ("openbookqa", "openbookqa.jsonl")):
        (result,) = lacuna.evaluate("abstain", dataset, examples / name).systems
        for measure, value in result.report.floor.items():
            assert result.report.official[measure] == value


def test_predictions_come_back_in_terms_of_the_file(examples: Path) -> None:
    """What is predicted for narrowed documents has the numbers of the whole ones again."""

    class AllSentences(Fixed):
        def predict(
            self,
            questions: Iterable[Question],
            *,
            setting: Setting,
            progress: Progress | None = None,
        ) -> Mapping[str, Prediction]:
            return {
                question.id: Prediction(
                    Answer.yes(),
                    supporting_facts=tuple(
                        lacuna.SupportingFact(document.title, number)
                        for document in question.documents
                        for number in range(len(document.sentences))
                    ),
                )
                for question in questions
            }

    file = examples / "hotpotqa.json"
    system = AllSentences("all", Answer.yes())
    table = lacuna.evaluate(system, "hotpotqa", file, setting="supporting-facts-only")
    assert table.systems[0].report.official["sp_em"] == 1.0


def test_a_question_that_is_not_answered_counts_as_wrong(examples: Path) -> None:
    class Silent(Fixed):
        def predict(
            self,
            questions: Iterable[Question],
            *,
            setting: Setting,
            progress: Progress | None = None,
        ) -> Mapping[str, Prediction]:
            return {}

    table = lacuna.evaluate(
        [Silent("silent", Answer.none()), "abstain"], "iirc", examples / "iirc.json"
    )
    assert table.systems[0].report.official["f1"] == 0.0
    assert table.warnings[0].startswith("silent: 7 of 7 questions HAVE NO PREDICTION")


def test_what_cannot_be_compared(examples: Path) -> None:
    file = examples / "iirc.json"
    yes = Fixed("yes", Answer.yes())
    with pytest.raises(LacunaError, match="Two systems are called 'yes'"):
        lacuna.evaluate([yes, yes], "iirc", file)
    with pytest.raises(LacunaError, match="no system to evaluate"):
        lacuna.evaluate([], "iirc", file)
    with pytest.raises(LacunaError, match="numbered from 0"):
        lacuna.evaluate([yes], "iirc", file, baseline=1)
    with pytest.raises(LacunaError, match="Did you mean iirc"):
        lacuna.evaluate([yes], "iirk", file)
    with pytest.raises(LacunaError, match="as the dataset"):
        lacuna.evaluate([yes, "gapqa"], "iirc", file)
    with pytest.raises(LacunaError, match="--corpus has no use"):
        lacuna.evaluate([yes], "iirc", file, corpus=examples / "notes")
    with pytest.raises(LacunaError, match="--retriever has no use"):
        lacuna.evaluate([yes], "iirc", file, retriever="bm25")


def test_over_a_corpus_a_name_needs_one_and_a_system_of_ones_own_does_not(examples: Path) -> None:
    file = examples / "iirc.json"
    with pytest.raises(LacunaError, match="Give one with --corpus DIR"):
        lacuna.evaluate("reader", "iirc", file, setting="full")
    yes = Fixed("yes", Answer.yes())
    assert lacuna.evaluate(yes, "iirc", file, setting="full").setting == "full"
    assert yes.asked[0].documents == ()


def test_progress_is_shown_for_each_system(examples: Path) -> None:
    from contextlib import contextmanager

    shown = []

    @contextmanager
    def bar(label: str, total: int):  # type: ignore[no-untyped-def]
        shown.append((label, total))
        yield lambda done: None

    systems = [Fixed("a", Answer.yes()), Fixed("b", Answer.no())]
    lacuna.evaluate(systems, "iirc", examples / "iirc.json", progress=bar)
    assert shown == [("a: iirc.json", 7), ("b: iirc.json", 7)]
