"""What is made of the questions of HotpotQA, and of files in its format."""

from __future__ import annotations

from pathlib import Path

from dataset_files import questions, save

from lacuna import AnswerKind, SupportingFact


def test_hotpotqa(examples: Path) -> None:
    first, second = questions("hotpotqa", examples / "hotpotqa.json")
    ferry = first.documents[0]
    assert (
        ferry.text
        == "The Marrow was a ferry of the Ellery Islands. Her first master was Ada Quill."
    )
    assert ferry.sentence(1) == " Her first master was Ada Quill."
    assert first.gold is not None
    assert first.gold.supporting_facts is not None
    assert first.gold.supporting_facts[1] == SupportingFact("Ada Quill", 0)
    assert second.gold is not None
    assert second.gold.answers[0].kind is AnswerKind.NO


def test_sentences_without_blanks_are_set_apart(tmp_path: Path) -> None:
    """2WikiMultihopQA's sentences bring no blank along; the text must still read well."""
    raw = {"_id": "w", "question": "?", "context": [["Tarn", ["It is small.", "", "It rains."]]]}
    (question,) = questions("hotpotqa", save(tmp_path / "f.json", [raw]))
    (document,) = question.documents
    assert document.text == "It is small. It rains."
    assert [document.sentence(n) for n in range(3)] == ["It is small.", "", "It rains."]
