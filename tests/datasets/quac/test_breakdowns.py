"""What QuAC's scores are broken down by, and what annotators reach."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lacuna import (
    Answer,
    DialogActs,
    Document,
    Evidence,
    FollowUp,
    Gold,
    Prediction,
    Question,
    Turn,
)
from lacuna.datasets import get_dataset
from lacuna.datasets.quac import dialog_labels
from lacuna.datasets.quac_metric import CHUNKS, QuacMetric, chunk_at, chunk_span, touched_chunks
from lacuna.metrics.report import score_predictions

TEXT = "x" * 120 + " CANNOTANSWER"
SECTION = Document("s", TEXT)


def at(start: int, end: int) -> Answer:
    return Answer.span(TEXT[start:end], Evidence("s", start, end))


def test_turn_distance_length_and_the_act_before() -> None:
    before = Turn("?", at(5, 6), DialogActs(follow_up=FollowUp.NO))
    question = Question("q", "?", SECTION, history=(before,), gold=Gold((), given=at(85, 86)))
    assert dialog_labels(question) == {
        "turn": "2",
        "distance": "8",
        "answer length": "1–5",
        "previous act": "don't follow up",
    }


def test_no_distance_from_or_to_no_answer() -> None:
    for before, given_ in ((Answer.none(), at(0, 1)), (at(0, 1), Answer.none())):
        question = Question(
            "q", "?", SECTION, history=(Turn("?", before),), gold=Gold((), given=given_)
        )
        assert "distance" not in dialog_labels(question)


@given(st.integers(1, 500), st.integers(0, 600), st.integers(0, 600))
def test_every_place_is_in_a_chunk(size: int, start: int, length: int) -> None:
    answer = Answer.span("?", Evidence("s", start, start + length))
    chunk = chunk_at(start, size)
    assert 0 <= chunk < CHUNKS
    assert chunk in touched_chunks(answer, size)
    ends = [chunk_span(number, size) for number in range(CHUNKS)]
    assert ends[0].start == 0
    assert ends[-1].end == size
    assert all(one.end == other.start for one, other in pairwise(ends))


def test_scores_alone_are_broken_down_alike(examples: Path) -> None:
    """Scoring does not look at the places of answers, except of those a dialog went on with."""
    quac = get_dataset("quac")
    labels = []
    for gold_only in (False, True):
        with quac.open(examples / "quac.json", gold_only=gold_only) as reader:
            labels.append([quac.breakdowns(question) for question in reader.questions()])
    assert labels[0] == labels[1]
    assert any("distance" in each for each in labels[0])


def test_annotators_are_held_against_each_other() -> None:
    cook, none = Answer.span("a cook"), Answer.none()
    agreed = Question("C_q#0", "?", SECTION, gold=Gold((cook, cook, Answer.span("a tall cook"))))
    apart = Question("C_q#1", "?", SECTION, gold=Gold((cook, Answer.span("in Osk"))))
    nothing = Question("C_q#2", "?", SECTION, gold=Gold((none, none)))
    questions = [agreed, apart, nothing]
    predictions = {each.id: Prediction(none) for each in questions}
    report = score_predictions(QuacMetric(), questions, predictions)
    reached = (1 + 1 + 2 / 3) / 3
    assert report.human["unfiltered_f1"] == pytest.approx(100 * (reached + 0 + 1) / 3)
    assert report.human["f1"] == pytest.approx(100 * (reached + 1) / 2), "low agreement is left out"
    assert (report.human["HEQ"], report.human["DHEQ"]) == (100, 100)
    assert report.parts["answerable"]["human_f1"] == pytest.approx(100 * reached)
    alone = replace(agreed, gold=Gold((cook,)))
    single = score_predictions(QuacMetric(), [alone], {"C_q#0": Prediction(none)})
    assert single.human == {}, "one reference cannot be held against others"


def test_a_breakdown_that_cannot_be_made_says_what_it_lacks(examples: Path) -> None:
    quac = get_dataset("quac")
    question = Question("C_q#0", "?", SECTION, gold=Gold((Answer.none(),)))
    report = score_predictions(
        quac.metric(), [question], {"C_q#0": Prediction(Answer.none())}, facets=quac.breakdowns
    )
    lacking = report.lacks(quac.breakdown_fields)
    assert any("distance" in line and "orig_answer" in line for line in lacking)
    assert list(report.facets) == ["turn"], "the rest is shown"


def test_the_human_row_of_the_real_file(data_folder: Path) -> None:
    quac = get_dataset("quac")
    with quac.open(data_folder / "quac" / "dev.json.gz", gold_only=True) as reader:
        questions = list(reader.questions())
    nothing = {question.id: Prediction(Answer.none()) for question in questions}
    report = score_predictions(quac.metric(), questions, nothing)
    assert round(report.human["f1"], 1) == 80.9
    assert round(report.human["unfiltered_f1"], 1) == 74.2
    assert json.dumps(report.as_json())
