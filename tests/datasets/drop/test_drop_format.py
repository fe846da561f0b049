"""What is made of the questions of DROP, official and reduced."""

from __future__ import annotations

from pathlib import Path

from dataset_files import questions, save

from lacuna import AnswerKind


def test_drop(examples: Path) -> None:
    lost, sold, first = questions("drop", examples / "drop.json")
    kinds = [q.gold.answers[0].kind for q in (lost, sold, first) if q.gold]
    assert kinds == [AnswerKind.NUMBER, AnswerKind.SPANS, AnswerKind.SPAN]
    assert first.gold is not None
    assert first.gold.answers[0].unit == "date"


def test_reduced_drop_offers_both_readings_of_a_joined_answer(tmp_path: Path) -> None:
    qa_pairs = [
        {"query_id": "a", "question": "Who?", "answers": ["Ruth Quill and Tom Orde"]},
        {"query_id": "b", "question": "What?", "answers": ["salt and pepper"]},
        {"query_id": "c", "question": "Which?", "answers": ["bread and butter", "7"]},
    ]
    passage = "Tom Orde met Ruth Quill; they ate salt and pepper."
    raw = [{"passage_id": "p", "passage": passage, "qa_pairs": qa_pairs}]
    both, one, not_there = questions("drop", save(tmp_path / "f.json", raw))
    assert both.gold is not None
    assert [a.texts for a in both.gold.answers] == [
        ("Ruth Quill", "Tom Orde"),
        ("Ruth Quill and Tom Orde",),
    ]
    assert one.gold is not None
    assert [a.texts for a in one.gold.answers] == [("salt and pepper",)]
    assert not_there.gold is not None
    assert [a.kind for a in not_there.gold.answers] == [AnswerKind.SPAN, AnswerKind.NUMBER]
