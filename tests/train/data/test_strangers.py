"""Questions over other people's documents, from a made-up collection."""

from __future__ import annotations

import gzip
import json
import tarfile
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from lacuna.types import AnswerKind, Question
from lacuna_lab.data.sources import questions_of
from lacuna_lab.data.strangers import (
    FITTED,
    MEASURED,
    NO_QUOTE,
    collection_files,
    trained_collections,
)
from lacuna_lab.data.texts import RIVAL, units

PLACES = ("Marrow", "Ellery", "Gannery", "Selwick", "Harrow", "Tarn")
FILL = "The keeper writes down the weather of each day, and whoever asks may read it. " * 25


def page(place: str) -> str:
    return (
        f"# {place}\n\nThe lighthouse of {place} was built by Ada {place[:3]}. {FILL}\n\n"
        f"## Light\n\nIt burns oil at {place}. {FILL}\n"
    )


def asked(
    number: int, kind: str, text: str, answer: Any, *quotes: tuple[str, str], **more: str
) -> dict[str, Any]:
    evidence = [{"title": t, "file": f"{t}.md", "quote": quote} for t, quote in quotes]
    fields = {"id": f"q{number}", "kind": kind, "question": text, "answer": answer}
    return {**fields, "evidence": evidence, **more}


LINES = [
    asked(
        1,
        "fact",
        "Who built the lighthouse of Ellery?",
        "Ada Ell",
        ("Ellery", "The lighthouse of Ellery was  built by Ada Ell."),
    ),
    asked(
        2, "yes_no", "Is oil burnt at Tarn?", "yes", ("Tarn", "It burns oil at Tarn."), pair="q3"
    ),
    asked(3, "yes_no", "Is gas burnt at Tarn?", "no", ("Tarn", "It burns oil at Tarn."), pair="q2"),
    asked(4, "none", "Who painted Marrow's light?", "none", ("Marrow", "It burns oil at Marrow.")),
    asked(
        5,
        "two_hop",
        "Who built the light at Gannery, and what is burnt at Selwick?",
        ["Ada Gan", "oil"],
        ("Gannery", "was built by Ada Gan"),
        ("Selwick", "It burns oil at Selwick."),
    ),
    asked(6, "fact", "Who?", "nobody", ("Harrow", "These words stand nowhere.")),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data")
    (folder / "strangers").mkdir()
    pages = folder / "lights"
    pages.mkdir()
    for place in PLACES:
        (pages / f"{place}.md").write_text(page(place), "utf-8")
    for name in ("lights", min(MEASURED), min(FITTED)):
        with tarfile.open(folder / "strangers" / f"{name}.tar.xz", "w:xz") as packed:
            packed.add(pages, "lights")
        with gzip.open(folder / "strangers" / f"{name}.questions.jsonl.gz", "wt") as out:
            out.write("\n".join(map(json.dumps, LINES)))
    return folder


@pytest.fixture(scope="module")
def made(folder: Path) -> tuple[list[Question], Counter[str]]:
    left_out: Counter[str] = Counter()
    return list(questions_of("strangers", folder, 3, left_out)), left_out


def of(made: tuple[list[Question], Counter[str]], number: int) -> list[Question]:
    return [question for question in made[0] if question.id.split("/")[0] == f"q{number}"]


def kind(question: Question) -> AnswerKind:
    assert question.gold is not None
    return question.gold.answers[0].kind


def test_collections_that_measure_or_fit_are_never_trained_on(folder: Path) -> None:
    assert not MEASURED & FITTED
    assert trained_collections(folder) == ["lights"]
    assert {path.name for path in collection_files(folder, trained_collections(folder))} == {
        "lights.tar.xz",
        "lights.questions.jsonl.gz",
    }


def test_an_answer_is_where_its_window_says(
    made: tuple[list[Question], Counter[str]],
) -> None:
    holding = [question for question in of(made, 1) if kind(question) is AnswerKind.SPAN]
    assert {question.extra[RIVAL] for question in holding} == {0, 1}
    for question in holding:
        (document,), gold = question.documents, question.gold
        assert gold is not None
        (place,) = gold.answers[0].found_at
        assert place.document == document.title
        assert document.text[place.start : place.end] == "Ada Ell"


def test_rivals_do_not_hold_the_answer(made: tuple[list[Question], Counter[str]]) -> None:
    rivals = [question for question in of(made, 1) if kind(question) is AnswerKind.NONE]
    assert rivals
    assert not any("Ada Ell" in question.documents[0].text for question in rivals)


def test_opposite_questions_stay_together_and_compete_apart(
    made: tuple[list[Question], Counter[str]],
) -> None:
    (unit,) = (unit for unit in units(made[0]) if unit[0].id.startswith("q2/"))
    assert {question.id.split("/")[0] for question in unit} == {"q2", "q3"}
    sides = {
        asked: {question.extra[RIVAL] for question in unit if question.id.startswith(f"{asked}/")}
        for asked in ("q2", "q3")
    }
    assert not sides["q2"] & sides["q3"]
    assert {kind(question) for question in unit} == {
        AnswerKind.YES,
        AnswerKind.NO,
        AnswerKind.NONE,
    }


def test_what_nothing_answers_is_none_everywhere(
    made: tuple[list[Question], Counter[str]],
) -> None:
    assert {kind(question) for question in of(made, 4)} == {AnswerKind.NONE}


def test_two_quotes_far_apart_are_read_together(
    made: tuple[list[Question], Counter[str]],
) -> None:
    (question,) = of(made, 5)
    assert {document.title for document in question.documents} == {"Gannery", "Selwick"}
    assert RIVAL not in question.extra
    assert question.gold is not None
    texts = {document.title: document.text for document in question.documents}
    places = question.gold.answers[0].found_at
    assert [texts[at.document][at.start : at.end] for at in places] == ["Ada Gan", "oil"]


def test_titles_name_the_headings_of_windows_as_they_are_found(
    made: tuple[list[Question], Counter[str]],
) -> None:
    titles = [question.documents[0].title for question in made[0] if "/1/" in question.id]
    assert "Tarn › Light" in {question.documents[0].title for question in of(made, 2)}
    assert {" › " in title for title in titles} == {True, False}  # of any size, every second


def test_what_cannot_be_found_is_counted(made: tuple[list[Question], Counter[str]]) -> None:
    assert not of(made, 6)
    assert made[1] == {NO_QUOTE: 1}
