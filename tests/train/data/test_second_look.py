"""Answers to be judged: how they are labelled, and where they are taken from."""

from __future__ import annotations

import gzip
import json
import tarfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

from lacuna.models.reader.decode import AnswerVerdict
from lacuna.models.reader.reader import ModelReader, ScoredAnswer
from lacuna.types import Answer, Document, Evidence, Prediction, Question, SupportingFact
from lacuna_lab.data.given_answers import write_given_answers
from lacuna_lab.data.second_look import agrees, incomplete, judged_answers, of_its_kind
from lacuna_lab.data.sources import questions_of
from lacuna_lab.data.strangers import FITTED, MEASURED
from lacuna_lab.data.texts import VERDICT, units
from lacuna_lab.train.instances import occurrences

TEXT = "The keeper of Marrow is Ada Quill since 1904. She may not leave at night."
DECIDES = (46, 73)
AT_NIGHT = {"sentences": [[0, 20]], "supported_by": [0, 20], "found_at": [[3, 8]]}


def window(said: str | None = None, *quotes: tuple[int, int], **more: Any) -> dict[str, Any]:
    made: dict[str, Any] = {
        "title": "Marrow",
        "text": TEXT,
        "sentences": [[0, 45], list(DECIDES)],
        "quotes": [list(quote) for quote in quotes],
        "whole": [bool(quotes)],
        "supported_by": [0, 45],
        **more,
    }
    if said is not None:
        start = max(TEXT.find(said), 0)
        made |= {"answer": "span", "texts": [said], "unit": "", "expression": ""}
        made |= {"found_at": [[start, start + len(said)]], "value": None}
    return made


def line(kind: str, answer: str, *windows: dict[str, Any], **more: Any) -> dict[str, Any]:
    fields = {"id": "q", "collection": "lights", "kind": kind, "question": "Who keeps it?"}
    return {**fields, "answers": [answer], "quotes": 1, "windows": list(windows), **more}


def labelled(tmp_path: Path, *lines: dict[str, Any]) -> list[tuple[str, AnswerVerdict]]:
    path = tmp_path / "given.jsonl"
    path.write_text("".join(json.dumps(one) + "\n" for one in lines))
    made = judged_answers(path, Random(1), Counter())
    return sorted((answer_of(one).text, AnswerVerdict(one.extra[VERDICT])) for one in made)


def answer_of(question: Question) -> Answer:
    assert question.gold is not None
    return question.gold.answers[0]


def test_an_answer_is_right_wrong_or_not_here(tmp_path: Path) -> None:
    asked = line(
        "fact",
        "Ada Quill",
        window("Ada Quill", (0, 45)),
        window("Marrow", (0, 45)),
        {**window("night"), "text": "At night it is dark.", **AT_NIGHT},
    )
    assert labelled(tmp_path, asked) == [
        ("Ada Quill", AnswerVerdict.RIGHT),
        ("Marrow", AnswerVerdict.WRONG),
        ("night", AnswerVerdict.NOT_HERE),
    ]


def test_the_gold_answer_is_added_where_the_reader_missed_it(tmp_path: Path) -> None:
    assert labelled(tmp_path, line("fact", "Ada Quill", window("1904", (0, 45)))) == [
        ("1904", AnswerVerdict.WRONG),
        ("Ada Quill", AnswerVerdict.RIGHT),
    ]


def test_what_stands_elsewhere_by_chance_is_not_judged(tmp_path: Path) -> None:
    assert labelled(tmp_path, line("fact", "1904", window("1904"))) == []
    assert labelled(tmp_path, line("fact", "1904", window("Ada Quill"))) == []


def test_yes_and_no_are_both_judged_by_the_sentence_that_decides(tmp_path: Path) -> None:
    path = tmp_path / "given.jsonl"
    path.write_text(json.dumps(line("yes_no", "no", window(None, DECIDES))) + "\n")
    made = list(judged_answers(path, Random(1), Counter()))
    assert {(answer_of(one).text, one.extra[VERDICT]) for one in made} == {
        ("yes", AnswerVerdict.WRONG),
        ("no", AnswerVerdict.RIGHT),
    }
    for one in made:
        (place,) = answer_of(one).found_at
        assert (place.start, place.end) == DECIDES
    assert len(list(units(made))) == 1


def test_of_a_window_that_does_not_decide_the_reader_s_word_is_not_here(tmp_path: Path) -> None:
    elsewhere = window() | {"answer": "yes", "texts": [], "unit": "", "expression": ""}
    elsewhere |= {"found_at": [], "value": None}
    assert labelled(tmp_path, line("yes_no", "no", elsewhere)) == [("yes", AnswerVerdict.NOT_HERE)]


def test_where_nothing_answers_every_answer_is_not_here(tmp_path: Path) -> None:
    nearest = window("Ada Quill", (0, 45))
    assert labelled(tmp_path, line("none", "none", nearest)) == [
        ("Ada Quill", AnswerVerdict.NOT_HERE)
    ]


def test_broken_lines_and_collections_kept_aside_are_left_out(tmp_path: Path) -> None:
    path = tmp_path / "given.jsonl"
    aside = [line("fact", "x", window("x"), collection=min(some)) for some in (MEASURED, FITTED)]
    broken = line("fact", "x", {"title": "no text"})
    outside = line("fact", "x", window("x", sentences=[[0, 1000]]))
    path.write_text("".join(json.dumps(one) + "\n" for one in (*aside, broken, outside)))
    left_out: Counter[str] = Counter()
    assert list(judged_answers(path, Random(1), left_out)) == []
    assert sum(left_out.values()) == 4


@pytest.mark.parametrize(
    ("given", "gold", "same"),
    [
        (Answer.span("the Ada Quill"), ["Ada Quill"], True),
        (Answer.span("Ada"), ["Ada Quill"], False),
        (Answer.span("Ada Quill, who has kept it since the year 1904"), ["Ada Quill"], False),
        (Answer.number(5.0, "5"), ["5 days"], True),
        (Answer.number(6.0, "6"), ["5 days"], False),
        (Answer.spans(("oil", "gas")), ["oil", "gas"], True),
        (Answer.spans(("oil",)), ["oil", "gas"], False),
    ],
)
def test_right_is_all_of_it_and_little_else(given: Answer, gold: Sequence[str], same: bool) -> None:
    assert agrees(given, gold) is same


def test_another_of_its_kind() -> None:
    passage = Document("", "Ada Quill met Ellen Voss in 1904, and again in 1911.")
    random = Random(2)
    for like, other in (("1904", "1911"), ("Ada Quill", "Ellen Voss")):
        span = of_its_kind(passage, like, [like], random)
        assert span is not None
        assert passage.text[slice(*span)] == other
    assert of_its_kind(passage, "1904", ["1904", "1911"], random) is None
    phrase = of_its_kind(passage, "a blue boat", ["a blue boat"], random)
    assert phrase is not None
    assert incomplete(passage.text, next(occurrences(passage.text, "Ada Quill met Ellen"))) == (
        0,
        len("Ada Quill"),
    )


def test_every_source_gives_answers_with_one_passage(toy_data: Path) -> None:
    made = list(questions_of("second_look", toy_data, 3, Counter()))
    assert {one.id.split("/")[0].split("-")[0] for one in made} >= {
        *("given", "squad1", "polarity", "drop", "hotpotqa"),
    }
    seen = {one.extra[VERDICT] for one in made}
    assert seen == set(AnswerVerdict)
    for one in made:
        (passage,) = one.documents
        answer = answer_of(one)
        for place in answer.found_at:
            assert place.document == passage.title
            if answer.text and answer.texts and len(answer.found_at) == 1 and not answer.expression:
                assert passage.text[place.start : place.end]


class OneWord(ModelReader):
    """Answers with the first word of a passage that begins with a capital A."""

    def __init__(self) -> None:
        self.asked = 0

    def readable(self, question: str) -> str:
        return question

    def read_alone(
        self, asked: Sequence[tuple[str, Sequence[Document]]], **_: Any
    ) -> list[list[ScoredAnswer]]:
        self.asked += len(asked)
        return [[self._one(document) for document in documents] for _, documents in asked]

    def _one(self, document: Document) -> ScoredAnswer:
        start = document.text.find("Ada")
        if start < 0:
            return ScoredAnswer(Prediction(), 0.0, -1.0)
        answer = Answer.span("Ada", Evidence(document.title, start, start + 3))
        sentences = ((SupportingFact(document.title, 0), 2.0),)
        return ScoredAnswer(Prediction(answer), -0.5, float("inf"), sentences)


@pytest.fixture
def lights(tmp_path: Path) -> Path:
    (tmp_path / "strangers").mkdir()
    pages = tmp_path / "pages"
    pages.mkdir()
    for place in ("Marrow", "Ellery", "Tarn"):
        (pages / f"{place}.md").write_text(f"# {place}\n\nThe keeper of {place} is Ada {place}.\n")
    asked = {
        "id": "q1",
        "kind": "fact",
        "question": "Who is the keeper of Ellery?",
        "answer": "Ada Ellery",
        "evidence": [{"title": "Ellery", "quote": "keeper of Ellery is Ada Ellery"}],
    }
    for name in ("lights", "towers", min(MEASURED), min(FITTED)):
        with tarfile.open(tmp_path / "strangers" / f"{name}.tar.xz", "w:xz") as packed:
            packed.add(pages, name)
        with gzip.open(tmp_path / "strangers" / f"{name}.questions.jsonl.gz", "wt") as out:
            out.write(json.dumps(asked))
    return tmp_path


def test_what_a_reader_answers_is_kept_by_collection(lights: Path) -> None:
    out, reader, seen = lights / "strangers" / "second_look.jsonl.gz", OneWord(), list[int]()
    assert not write_given_answers(lights, out, reader, seen.append)
    assert (reader.asked, seen[-1]) == (2, 2)
    with gzip.open(out, "rt") as file:
        lines = [json.loads(one) for one in file]
    assert [one["collection"] for one in lines] == ["lights", "towers"]
    held = [one for one in lines[0]["windows"] if any(one["whole"])]
    assert [one["title"] for one in held] == ["Ellery"]
    assert held[0]["texts"] == ["Ada"]
    judged = list(judged_answers(out, Random(1), Counter()))
    assert {(answer_of(one).text, one.extra[VERDICT]) for one in judged} >= {
        ("Ada", AnswerVerdict.WRONG),
        ("Ada Ellery", AnswerVerdict.RIGHT),
        ("Ada", AnswerVerdict.NOT_HERE),
    }
    before = out.read_bytes()
    write_given_answers(lights, out, reader)
    assert reader.asked == 2  # what was read is not read again
    assert out.read_bytes() == before
