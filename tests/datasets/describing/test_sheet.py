"""What stands on a labelling sheet."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from lacuna.datasets import get_dataset
from lacuna.errors import LacunaError
from lacuna.types import Answer, Document, Gold, Link, Prediction, Question, Span, SupportingFact
from lacuna_lab.describe.labelling import LONGEST_CELL, task_for, write_sheet, written_cell


def sheet_of(name: str, file: Path, folder: Path) -> list[dict[str, str]]:
    dataset = get_dataset(name)
    with dataset.open(file) as reader:
        questions = list(reader.questions())
    return written(name, False, questions, folder)


def written(
    name: str, of_errors: bool, questions: list[Question], folder: Path
) -> list[dict[str, str]]:
    path = folder / ("errors.csv" if of_errors else "sheet.csv")
    write_sheet(path, task_for(get_dataset(name), of_errors), questions, {})
    with path.open(encoding="utf-8", newline="") as text:
        return list(csv.DictReader(text))


def test_iirc_shows_passage_links_and_evidence(examples: Path, tmp_path: Path) -> None:
    first, *_ = rows = sheet_of("iirc", examples / "iirc.json", tmp_path)
    assert [row["row"] for row in rows][:2] == ["1 of 7", "2 of 7"]
    assert first["links"] == "harbour act"
    assert first["evidence"].endswith("harbour act: The Harbour Act was passed in 1958.")
    assert first["answer"] == "27 years"
    assert first["text"].startswith("The ferry Marrow")
    assert first["reasoning [non-discrete | discrete-numeric | discrete-temporal]"] == ""


def test_hotpotqa_shows_supporting_sentences(examples: Path, tmp_path: Path) -> None:
    first, _ = sheet_of("hotpotqa", examples / "hotpotqa.json", tmp_path)
    assert "Ada Quill: Ada Quill was born in Corrie." in first["evidence"]


def test_hotpotqa_shows_its_paragraphs_gold_ones_apart(tmp_path: Path) -> None:
    documents = tuple(
        Document(title, f"{title} is here.", (Span(0, len(title) + 9),)) for title in "ABC"
    )
    facts = (SupportingFact("C", 0), SupportingFact("A", 0))
    asked = Question("q", "Where?", documents=documents, gold=Gold(supporting_facts=facts))
    (row,) = written("hotpotqa", False, [asked], tmp_path)
    assert row["gold paragraphs"] == "A: A is here. / C: C is here."
    assert row["other paragraphs"] == "B: B is here."
    task = task_for(get_dataset("hotpotqa"), False)
    assert not {"gold paragraphs", "other paragraphs"} & set(task.columns())


def test_iircs_errors_show_links_and_what_was_retrieved(tmp_path: Path) -> None:
    links = (Link(0, 1, "ferry"), Link(2, 3, "pier"), Link(4, 5, "ferry"))
    passage = Document("Port", "A b c", links=links)
    read = [
        {"passage": "ferry", "text": "It sank\n in 1931."},
        {"passage": "pier", "text": "It stands."},
    ]
    gold = Gold((Answer.span("in 1932"),), links=("ferry",))
    asked = Question("q", "When?", passage, gold=gold, extra={"retrieved_context": read})
    (row,) = written("iirc", True, [asked], tmp_path)
    assert row["links"] == "ferry"
    assert row["links of the passage"] == "ferry; pier"
    assert row["retrieved context"] == "ferry: It sank in 1931. / pier: It stands."
    (plain,) = written("iirc", False, [asked], tmp_path)
    assert "retrieved context" not in plain


def test_quac_shows_the_dialog_so_far(examples: Path, tmp_path: Path) -> None:
    *_, last = sheet_of("quac", examples / "quac.json", tmp_path)
    assert last["dialog so far"].startswith("How did she start out? → as a cook / ")
    assert "CANNOTANSWER" not in last["text"]


def test_openbookqa_shows_fact_and_choices(examples: Path, tmp_path: Path) -> None:
    first, *_ = sheet_of("openbookqa", examples / "openbookqa.jsonl", tmp_path)
    assert first["fact"]
    assert first["choices"].startswith("A: ")


def test_predictions_stand_beside_the_answers(tmp_path: Path) -> None:
    path = tmp_path / "sheet.csv"
    task = task_for(get_dataset("iirc"), True)
    write_sheet(path, task, [Question("q", "When?")], {"q": Prediction(Answer.span("in 1931"))})
    assert "1 of 1,q,When?,in 1931," in path.read_text()


def test_a_sheet_is_never_replaced(examples: Path, tmp_path: Path) -> None:
    sheet_of("iirc", examples / "iirc.json", tmp_path)
    with pytest.raises(LacunaError, match="labels would be lost"):
        sheet_of("iirc", examples / "iirc.json", tmp_path)


def test_no_cell_is_a_formula_or_longer_than_a_spreadsheet_takes() -> None:
    assert written_cell("\t=HYPERLINK(1)\n") == "'=HYPERLINK(1)"
    assert written_cell("-1") == "'-1"
    assert len(written_cell("a" * 99_999)) == LONGEST_CELL + 1


@pytest.mark.parametrize("ids", [("a", "a"), ("a b", "a  b"), ("",)])
def test_ids_that_labels_could_not_name_are_refused_before_anybody_labels(
    tmp_path: Path, ids: tuple[str, ...]
) -> None:
    questions = [Question(id_, "Why?") for id_ in ids]
    with pytest.raises(LacunaError, match="labels could not"):
        write_sheet(tmp_path / "sheet.csv", task_for(get_dataset("iirc"), False), questions, {})
    assert not list(tmp_path.iterdir())
