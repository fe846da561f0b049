"""Training questions by source."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from itertools import islice
from pathlib import Path

import pytest

from lacuna.answers import AnswerMode
from lacuna.errors import LacunaError
from lacuna_lab.data.sources import BAD_ITEM, DEV, TRAIN, TrainingSource, training_questions

PASSAGE = "The ferry sails to Marrow."


def squad(*questions: tuple[str, str, int]) -> dict[str, object]:
    qas = [
        {"id": id_, "question": text, "answers": [{"text": "ferry", "answer_start": start}]}
        for id_, text, start in questions
    ]
    return {"title": "T", "paragraphs": [{"context": PASSAGE, "qas": qas}]}


def write(folder: Path, path: str, *articles: dict[str, object]) -> None:
    (folder / path).parent.mkdir(exist_ok=True)
    with gzip.open(folder / path, "wt") as out:
        json.dump({"version": "1", "data": list(articles)}, out)


def test_bad_offsets_and_dev_questions_are_left_out_and_counted(tmp_path: Path) -> None:
    good, bad = squad(("a", "What sails?", 4)), squad(("b", "What?", 5))
    write(tmp_path, TRAIN["squad1"].names[0], good, bad)
    write(tmp_path, DEV["squad2"].names[0])
    left_out: Counter[str] = Counter()
    (only,) = training_questions(
        "squad1", tmp_path, seed=1, left_out=left_out, evaluated=["squad2"]
    )
    assert only.id == "squad1/a"
    assert left_out == {BAD_ITEM: 1}

    write(tmp_path, DEV["squad2"].names[0], squad(("d", "What is it that sails?", 4)))
    left_out.clear()
    assert not list(
        training_questions("squad1", tmp_path, seed=1, left_out=left_out, evaluated=["squad2"])
    )
    assert left_out == {BAD_ITEM: 1, "passage in squad2 dev": 1}


def test_an_unknown_source_is_named(tmp_path: Path) -> None:
    with pytest.raises(LacunaError, match="squad3"):
        list(training_questions("squad3", tmp_path, seed=1, evaluated=()))


def test_dev_files_are_no_sources() -> None:
    train, dev = (
        {name for file in files.values() for name in file.names} for files in (TRAIN, DEV)
    )
    assert not train & dev
    names = train - {"tables/tatqa_dev.jsonl"}  # of TAT-QA nothing is evaluated here
    assert not any("dev" in name or "val" in name or "contrast" in name for name in names)


@pytest.mark.parametrize("name", [name for name in TRAIN if name != "hotpotqa_gold"])
def test_real_sources(name: str, data_folder: Path) -> None:
    questions = list(islice(training_questions(name, data_folder, seed=1, evaluated=()), 2000))
    assert questions
    assert len({question.id for question in questions}) == len(questions)
    for question in questions:
        assert question.id.startswith(f"{name}/")
        assert question.gold is not None
        assert question.gold.answers
        texts = {document.title: document.text for document in question.documents}
        if question.context is not None:
            assert question.context.title not in texts or name != "iirc"
            texts[question.context.title] = question.context.text
        for piece in question.gold.evidence or ():
            assert piece.end <= len(texts[piece.document])


def test_a_source_is_shown_in_its_modes_evenly() -> None:
    source = TrainingSource(AnswerMode.HOP, (), asked=0.2, found=0.3)
    modes = Counter(source.mode_of(index) for index in range(1000))
    assert modes[AnswerMode.ASK] == pytest.approx(200, abs=5)
    assert modes[AnswerMode.FOUND] == pytest.approx(300, abs=5)
    assert set(modes) == source.modes
