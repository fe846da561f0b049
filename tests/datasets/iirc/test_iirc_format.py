"""What is made of the questions of IIRC."""

from __future__ import annotations

from pathlib import Path

from dataset_files import questions, save

from lacuna import AnswerKind, get_dataset


def test_iirc(examples: Path) -> None:
    age, aunt, alive, unknown, *_ = questions("iirc", examples / "iirc.json")
    assert age.context is not None
    assert age.context.title == "Marrow (ferry)"
    link = age.context.links[2]
    assert (age.context.text[link.start : link.end], link.target) == ("Harbour Act", "harbour act")
    assert age.gold is not None
    assert age.gold.links == ("harbour act",)
    (answer,) = age.gold.answers
    assert (answer.kind, answer.value, answer.unit) == (AnswerKind.NUMBER, 27, "years")
    assert age.gold.evidence is not None
    own, linked = age.gold.evidence
    assert age.context.text[own.start : own.end] == "launched at Port Ellery in 1931"
    (article,) = age.documents
    assert article.title == linked.document == "harbour act"
    assert article.text[linked.start : linked.end] == "The Harbour Act was passed in 1958."
    kinds = [question.gold.answers[0].kind for question in (aunt, alive, unknown) if question.gold]
    assert kinds == [AnswerKind.SPAN, AnswerKind.NO, AnswerKind.NONE]


def test_a_title_that_is_also_quoted_does_not_confuse_the_evidence(tmp_path: Path) -> None:
    context = [
        {"passage": "main", "text": "beta", "indices": [6, 10]},
        {"passage": "Foo", "text": "another text"},
    ]
    raw = {"qid": "q", "question": "?", "context": context}
    item = {"pid": "p", "title": "Foo", "text": "alpha beta", "links": [], "questions": [raw]}
    (question,) = questions("iirc", save(tmp_path / "f.json", [item]))
    assert question.context is not None
    assert question.gold is not None
    assert question.gold.evidence is not None
    own, quoted = question.gold.evidence
    assert own.document == question.context.title != quoted.document == "Foo"


def test_a_broken_first_item_does_not_speak_for_the_file(tmp_path: Path) -> None:
    lines = [{"question": "?"}, *({"question": f"{n}?", "link_context": "x"} for n in range(9))]
    path = save(tmp_path / "file.jsonl", lines)
    with get_dataset("iirc").open(path, skip_bad=True) as reader:
        assert len(list(reader.questions())) == 9
    assert [error.item for error in reader.bad] == ["line 1"]
