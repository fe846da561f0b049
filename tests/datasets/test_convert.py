from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import formats
import pytest
from hypothesis import given, settings

from lacuna import AnswerKind, LacunaError, Question, get_dataset
from lacuna.datasets.convert import CONVERSIONS, conversion


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("convert")


def converted(folder: Path, source: str, file: Path, target: str) -> list[Question]:
    """The questions of a converted file, read back by its new reader."""
    out = folder / "converted.json"
    change = conversion(source, target)
    with get_dataset(source).open(file) as reader:
        get_dataset(target).write(out, (new for item in reader for new in change(item)))
    with get_dataset(target).open(out) as reader:
        return list(reader.questions())


def answers(question: Question) -> list[tuple[str, ...]]:
    assert question.gold is not None
    return [answer.texts for answer in question.gold.answers]


@settings(max_examples=40, deadline=None)
@given(content=formats.squad())
def test_squad_to_quac_and_back_keeps_every_question(folder: Path, content: list[Any]) -> None:
    source = folder / "squad.json"
    source.write_text(json.dumps({"data": content}))
    with get_dataset("squad").open(source) as reader:
        before = list(reader.questions())
    dialogs = converted(folder, "squad", source, "quac")
    assert [question.id for question in dialogs] == [f"{question.id}_q#0" for question in before]
    assert all(question.history == () for question in dialogs)
    for old, new in zip(before, dialogs, strict=True):
        assert (old.gold is None) == (new.gold is None)
        if old.gold and new.gold:
            assert [a.kind for a in old.gold.answers] == [a.kind for a in new.gold.answers]
            assert answers(old) == answers(new)


def test_a_dialog_falls_apart_into_questions(folder: Path, examples: Path) -> None:
    first, _, third = converted(folder, "quac", examples / "quac.json", "squad")
    assert first.context is not None
    assert "CANNOTANSWER" not in first.context.text
    assert answers(first) == [("as a cook",), ("first went to sea in 1909 as a cook",)]
    assert third.gold is not None
    assert third.gold.answers[0].kind is AnswerKind.NONE
    assert third.extra["is_impossible"] is True


def test_iirc_as_its_authors_score_it(folder: Path, examples: Path) -> None:
    found = converted(folder, "iirc", examples / "iirc.json", "drop")
    assert [question.id for question in found] == [f"q_{n}" for n in range(1, 8)]
    kinds = [question.gold.answers[0].kind for question in found if question.gold]
    assert kinds[0] is AnswerKind.NUMBER
    assert kinds[3] is AnswerKind.NONE
    assert answers(found[2]) == [("no",)]
    assert answers(found[4]) == [("Corrie", "Port Ellery")]


def test_what_makes_no_sense_is_refused() -> None:
    with pytest.raises(
        LacunaError, match=r"openbookqa cannot be converted to squad.*squad to quac"
    ):
        conversion("openbookqa", "squad")


def test_a_dialog_with_its_own_answers_alone_keeps_them(folder: Path, examples: Path) -> None:
    content = json.loads((examples / "quac.json").read_text())
    for question in content["data"][0]["paragraphs"][0]["qas"]:
        del question["answers"]
    path = folder / "own.json"
    path.write_text(json.dumps(content))
    first, _, third = converted(folder, "quac", path, "squad")
    assert answers(first) == [("as a cook",)]
    assert third.extra["is_impossible"] is True


def test_questions_without_a_passage_take_what_they_quote(folder: Path) -> None:
    path = folder / "snippets.jsonl"
    path.write_text(
        '{"question": "?", "main_context": "a", "link_context": "b", "answer": ["b"]}\n'
    )
    (question,) = converted(folder, "iirc", path, "drop")
    assert question.context is not None
    assert question.context.text == "a\nb"


def test_two_passages_of_one_id_are_refused(folder: Path, examples: Path) -> None:
    content = json.loads((examples / "iirc.json").read_text())
    content[1]["pid"] = content[0]["pid"]
    path = folder / "twice.json"
    path.write_text(json.dumps(content))
    with pytest.raises(LacunaError, match="Two items have the id 'p_1'"):
        converted(folder, "iirc", path, "drop")


def test_every_conversion_runs(folder: Path, examples: Path) -> None:
    for source, target in CONVERSIONS:
        assert converted(folder, source, examples / f"{source}.json", target)
