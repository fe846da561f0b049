"""Answers that are read again with their passages, and how they are judged."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from lacuna import Answer, Document, Evidence, LacunaError, Question
from lacuna.models.model_folder import FOUND_WEIGHTS
from lacuna.models.reader.decode import AnswerVerdict, Columns
from lacuna.models.reader.encode import (
    MARK,
    MAX_QUESTION,
    SECOND_LOOK_TOKENS,
    ModelInput,
    Tokenizer,
    second_look_input,
)
from lacuna.models.reader.reader import ModelReader, Outputs

PASSAGE = Document("Ferry", "Ann built the ferry in 1901, Bob in 1950.")
ASKED = Question("q", "Who built the ferry?")


def said(text: str, passage: Document = PASSAGE) -> Answer:
    start = passage.text.index(text)
    return Answer.span(text, Evidence(passage.title, start, start + len(text)))


def marked(read: ModelInput) -> list[str]:
    (segment,) = read.segments
    tokens, shift = read.encoded.tokens[0], segment.first - segment.at
    at = np.flatnonzero(read.marks == MARK)
    return [PASSAGE.text[tokens.starts[i + shift] : tokens.ends[i + shift]] for i in at.tolist()]


def test_the_answer_stands_before_the_question_and_is_marked_in_its_passage(
    tokenizer: Tokenizer,
) -> None:
    read = second_look_input(tokenizer, ASKED, said("Ann"), PASSAGE)
    (ann,) = tokenizer.encode("Ann").ids.tolist()
    assert read.ids[:4].tolist() == [tokenizer.begin, tokenizer.second_look, ann, tokenizer.turn]
    assert marked(read) == ["Ann"]
    assert marked(second_look_input(tokenizer, ASKED, said("Bob"), PASSAGE)) == ["Bob"]


def test_yes_is_marked_where_the_sentence_decides(tokenizer: Tokenizer) -> None:
    yes = Answer.yes()
    assert not second_look_input(tokenizer, ASKED, yes, PASSAGE).marks.any()
    decides = Answer(yes.kind, found_at=(Evidence("Ferry", 0, 3), Evidence("Other", 4, 9)))
    assert marked(second_look_input(tokenizer, ASKED, decides, PASSAGE)) == ["Ann"]


def test_how_a_number_came_about_is_read_as_well(tokenizer: Tokenizer) -> None:
    years = Answer.number(49, "49", unit="years", expression="1950 − 1901")
    read = second_look_input(tokenizer, ASKED, years, PASSAGE)
    assert int(tokenizer.encode("1901").ids[0]) in read.ids[: read.question.first].tolist()


@pytest.mark.parametrize("before", [0, 300, 700])
def test_of_a_long_passage_the_part_around_the_answer_is_read(
    tokenizer: Tokenizer, before: int
) -> None:
    long = Document("Ferry", "word " * before + "Ann built it. " + "word " * (700 - before))
    read = second_look_input(tokenizer, ASKED, said("Ann", long), long)
    assert len(read.ids) == SECOND_LOOK_TOKENS
    assert (read.marks == MARK).sum() == 1
    assert read.ids[read.marks == MARK].tolist() == tokenizer.encode("Ann").ids.tolist()


def test_something_of_the_passage_is_read_however_long_the_question_is(
    tokenizer: Tokenizer,
) -> None:
    question = Question("q", "word " * (MAX_QUESTION - 2))
    answer = Answer.span("word " * 100)
    long = Document("Ferry", "Ann built it. " * 50)
    (segment,) = second_look_input(tokenizer, question, answer, long).segments
    assert segment.last - segment.first > 50
    with pytest.raises(LacunaError, match="the model reads at most"):
        second_look_input(tokenizer, Question("q", "word " * 200), answer, long)


class Judge:
    """Takes answers that are marked in their passage for right."""

    at_once = 2

    def __init__(self, *, has_verdict: bool = True) -> None:
        self.has_verdict = has_verdict

    def run(self, inputs: Sequence[ModelInput]) -> list[Outputs]:
        outputs = []
        for read in inputs:
            row = np.zeros(Columns.PER_SEQUENCE, np.float32)
            verdict = AnswerVerdict.RIGHT if read.marks.any() else AnswerVerdict.NOT_HERE
            row[Columns.VERDICT][verdict] = 9.0
            outputs.append((np.zeros((len(read.ids), Columns.PER_TOKEN), np.float32), row))
        return outputs


def test_each_answer_gets_probabilities(tokenizer: Tokenizer) -> None:
    reader = ModelReader(Judge(), tokenizer)
    assert reader.looks_twice
    asked: list[tuple[str, list[tuple[Answer, Document]]]] = [
        ("Who?", [(said("Ann"), PASSAGE), (Answer.span("Ann"), PASSAGE)]),
        ("When?", []),
        ("Who not?", [(said("Bob"), PASSAGE)]),
    ]
    (first, second), nothing, (third,) = reader.look_again(asked)
    assert nothing == []
    assert sum(first) == pytest.approx(1)
    assert first.right == third.right > 0.99
    assert second.not_here > 0.99


def test_a_model_without_the_columns_says_so(tokenizer: Tokenizer) -> None:
    reader = ModelReader(Judge(has_verdict=False), tokenizer)
    assert not reader.looks_twice
    with pytest.raises(LacunaError, match="'second_look'"):
        reader.look_again([("Who?", [(said("Ann"), PASSAGE)])])


def test_older_weights_are_read_as_before(small: Path, tmp_path: Path) -> None:
    folder = tmp_path / "older"
    shutil.copytree(small, folder, ignore=shutil.ignore_patterns(FOUND_WEIGHTS, "checksums.json"))
    reader = ModelReader.load(folder, threads=1)
    assert not reader.looks_twice
    (read,) = reader.read([Question("q", "Who built the ferry?", PASSAGE)])
    assert read.answer is not None
    assert read.answer.text == "Ann"
