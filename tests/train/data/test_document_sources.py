"""Policies, tables, papers and choices: their lines, and what they give on the real files."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from lacuna.types import Answer, AnswerKind, Document, Evidence, Gold, Question
from lacuna_lab.data.documents import LONG, in_windows, read_covid, read_reports, read_tables
from lacuna_lab.data.sources import BAD_ITEM, DOCUMENT_SOURCES, LINE_FORMATS, SOURCES, questions_of
from lacuna_lab.data.sources import read_lines as read
from lacuna_lab.data.texts import RIVAL, TOGETHER, units


def lines(folder: Path, name: str, *items: object) -> Path:
    path = folder / name
    path.write_text("\n".join(map(json.dumps, items)), "utf-8")
    return path


def decoded(folder: Path, name: str, *items: object) -> list[Question]:
    return list(read(lines(folder, "x.jsonl", *items), LINE_FORMATS[name], Counter(), "bad"))


def gold(question: Question) -> Answer:
    assert question.gold is not None
    return question.gold.answers[0]


def test_a_statement_is_asked(tmp_path: Path) -> None:
    line = {"text": "The ferry is red .", "form": "statement", "context": "It is blue.",
            "answer": "no", "source": "tabfact"}  # fmt: skip
    (question,) = decoded(tmp_path, "polarity", line)
    assert question.text == "Is it true that The ferry is red?"
    assert gold(question).kind is AnswerKind.NO


def test_the_right_choice_is_the_numbered_one(tmp_path: Path) -> None:
    line = {"question": "What floats?", "choices": ["stone", "cork"], "gold": 1}
    broken = {**line, "gold": 2}
    (question,) = decoded(tmp_path, "choices", line, broken)
    assert (gold(question).texts, gold(question).label) == (("cork",), "1")


def test_only_first_turns_of_a_dialog_are_read(tmp_path: Path) -> None:
    first = "CONTEXT: Peel it.Then cut it. <sep>  Q: What is done then?"
    later = "CONTEXT: Peel it. <sep>  Q: How? A: Peel it  <sep> FOLLOWUP_Q: And then?"
    answered, no, _ = ({"input": first, "output": ["Then cut it"]},
                       {"input": first, "output": ["No"]}, None)  # fmt: skip
    questions = decoded(tmp_path, "doqa", answered, no, {"input": later, "output": ["No"]})
    assert [gold(question).kind for question in questions] == [AnswerKind.SPAN, AnswerKind.NONE]
    assert gold(questions[0]).text == "Then cut it"


def test_tables_say_labels_with_their_cells(tmp_path: Path) -> None:
    rows = [["Ship", "Built"], ["Marrow", "1897"], ["Osk", "1901"]]
    lines(tmp_path, "wtq_tables.jsonl", {"table": "a", "rows": rows})
    path = lines(
        tmp_path,
        "wtq_training.jsonl",
        {"id": "1", "question": "which ship was built in 1901?", "table": "a", "answers": ["Osk"]},
        {"id": "2", "question": "how many ships?", "table": "a", "answers": ["2"]},
        {"id": "3", "question": "what is old?", "table": "a", "answers": ["the other"]},
        {"id": "4", "question": "what?", "table": "b", "answers": ["Osk"]},
    )
    left_out: Counter[str] = Counter()
    span, number = read_tables(path, left_out, "bad")
    assert span.context is not None
    assert span.context.text == "Ship: Marrow | Built: 1897\nShip: Osk | Built: 1901"
    (place,) = gold(span).found_at
    assert span.context.text[place.start : place.end] == "Osk"
    assert gold(number).value == 2
    assert left_out == {"bad": 2}


def test_reports_are_asked_for_what_they_say_and_for_differences(tmp_path: Path) -> None:
    table = [["", "Years", ""], ["", "1901", "1900"], ["Sails", "$ 44.1", "56.7"]]
    ask = {"answer_type": "span", "rel_paragraphs": ["1"], "derivation": ""}
    sums = {**ask, "answer_type": "arithmetic"}
    questions = [
        {**ask, "uid": "a", "question": "What burns?", "answer": ["oil"]},
        {**sums, "uid": "b", "question": "What is the change?", "answer": -12.6,
         "derivation": "44.1-56.7"},
        {**sums, "uid": "c", "question": "And in percent?", "answer": -22.2,
         "derivation": "(44.1-56.7)/56.7"},
        {**ask, "uid": "d", "question": "Who?", "answer": ["nobody"]},
    ]  # fmt: skip
    paragraphs = [{"order": 1, "text": "It burns oil."}, {"order": 2, "text": "It is red."}]
    left_out: Counter[str] = Counter()
    report = {"table": {"table": table}, "paragraphs": paragraphs, "questions": questions}
    span, number = read_reports(lines(tmp_path, "tatqa.jsonl", report), left_out, "bad")
    assert span.context is not None
    assert span.context.text == "It burns oil.\nSails | Years 1901: $ 44.1 | 1900: 56.7"
    assert gold(span).text == "oil"
    assert gold(number).value == 12.6
    assert left_out == {"bad": 2}


def test_answers_of_an_article_stand_where_it_says(tmp_path: Path) -> None:
    answers = [{"text": "oil", "answer_start": 9}], [{"text": "gas", "answer_start": 9}]
    qas = [{"id": n, "question": "What?", "answers": each} for n, each in enumerate(answers)]
    left_out: Counter[str] = Counter()
    path = lines(tmp_path, "covid.jsonl", {"context": "It burns oil.", "qas": qas})
    (question,) = read_covid(path, left_out, "bad")
    assert gold(question).text == "oil"
    assert left_out == {"bad": 1}


def test_windows_of_a_long_document_compete() -> None:
    filler = "It rained all day in the harbour, and nobody came. " * 60
    text = f"{filler}The ferry was built by Ada Voss. {filler}"
    at = text.index("Ada Voss")
    answer = Answer.span("Ada Voss", Evidence("", at, at + 8))
    assert len(text) > LONG
    made = list(in_windows([Question("a", "Who?", Document("", text), gold=Gold((answer,)))], 1))
    assert len(made) > 1
    assert all(question.extra[RIVAL] == 0 for question in made)
    first, *rivals = made
    (place,) = gold(first).found_at
    assert first.documents[0].text[place.start : place.end] == "Ada Voss"
    assert all("Ada Voss" not in question.documents[0].text for question in rivals)
    assert {gold(question).kind for question in rivals} == {AnswerKind.NONE}


def test_a_long_text_without_a_place_is_left_out() -> None:
    context = Document("", "All is well on the island. " * 100)
    said = Question("a", "Is all well?", context, gold=Gold((Answer.yes(),)))
    none = Question("b", "Who?", context, gold=Gold((Answer.none(),)))
    assert {question.extra[TOGETHER] for question in in_windows([said, none], 1)} == {"b"}


@pytest.mark.parametrize("name", DOCUMENT_SOURCES)
def test_real_files(name: str, data_folder: Path) -> None:
    left_out: Counter[str] = Counter()
    kinds: Counter[AnswerKind] = Counter()
    ids = set()
    for unit in units(questions_of(name, data_folder, 13, left_out)):
        for question in unit:
            assert question.gold is not None
            texts = {each.title: each.text for each in question.documents}
            if question.context is not None:
                texts[question.context.title] = question.context.text
            for answer in question.gold.answers:
                for place in answer.found_at:
                    said = texts[place.document][place.start : place.end]
                    assert said.casefold() in [text.casefold() for text in answer.texts]
            kinds[gold(question).kind] += 1
            ids.add(question.id)
    assert name in SOURCES
    assert len(ids) == kinds.total() > 10_000 or name == "tables"
    assert left_out[BAD_ITEM] < 20_000
    wanted = {
        "polarity": {AnswerKind.YES, AnswerKind.NO, AnswerKind.NONE},
        "tables": {AnswerKind.SPAN, AnswerKind.SPANS, AnswerKind.NUMBER},
        "choices": {AnswerKind.CHOICE},
        "documents": {AnswerKind.SPAN, AnswerKind.YES, AnswerKind.NO, AnswerKind.NONE},
    }
    assert kinds.keys() == wanted[name]
