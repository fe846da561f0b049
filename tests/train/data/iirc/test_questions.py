"""Whether and how much evidence is there must not give an answer away."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable
from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import pytest

from lacuna.datasets.hotpotqa import document_of
from lacuna.types import Answer, AnswerKind, Document, Gold, Question
from lacuna_lab.data.iirc import NOT_IN_TEXT, Shares, iirc_questions, opening_quotes
from lacuna_lab.data.sources import training_questions
from lacuna_lab.data.texts import find_text


def snippet(number: int, link: str, answer: Answer, own: str = "He lived by a river.") -> Question:
    documents = (Document("main_context", own), Document("link_context", link))
    text = f"How long is river {number}?"
    return Question(f"line-{number}", text, documents=documents, gold=Gold((answer,)))


def made(questions: list[Question], shares: Shares) -> tuple[list[Question], Counter[str]]:
    left_out: Counter[str] = Counter()
    return list(iirc_questions(questions, seed=1, left_out=left_out, shares=shares)), left_out


def length(number: int | str) -> str:
    return f"River {number}, from Tarn{number} to Port{number}, is {number}00 km long"


RIVERS = [snippet(n, length(n), Answer.span(f"{n}00 km")) for n in range(3, 30)]
NONES = [snippet(n, "none", Answer.none(), f"River {n} is long.") for n in range(30, 50)]


def test_both_sorts_get_quotes() -> None:
    questions, _ = made([*RIVERS, *NONES], Shares(no_quote=0, contrast=0, changed=0))
    counts = {
        none: Counter(
            len(question.documents)
            for question in questions
            if (question.gold is not None and question.gold.answers == (Answer.none(),)) == none
        )
        for none in (True, False)
    }
    assert set(counts[True]) == set(counts[False]) == {1, 2}
    assert not any(d.text == "none" for question in questions for d in question.documents)


def test_evidence_is_the_real_quote_alone() -> None:
    questions, _ = made([*RIVERS, *NONES], Shares(no_quote=0, contrast=0, changed=0))
    for question in questions[: len(RIVERS)]:
        gold = question.gold
        assert gold is not None
        assert gold.evidence is not None
        number = question.id.removeprefix("line-")
        texts = {document.title: document.text for document in question.documents}
        assert [texts[piece.document] for piece in gold.evidence if piece.document in texts] == [
            length(number)
        ]
        near = [text for text in texts.values() if not text.startswith(f"River {number},")]
        assert not any(find_text(f"{number}00 km", text) for text in near)
        assert len(texts) == len(question.documents)


def test_contrast_questions_have_no_answer_and_not_their_quote() -> None:
    questions, _ = made([*RIVERS, *NONES], Shares(contrast=1))
    contrast = [question for question in questions if question.id.endswith("/contrast")]
    assert len(contrast) == len(RIVERS)
    for question in contrast:
        assert question.gold is not None
        assert question.gold.answers == (Answer.none(),)
        number = question.id.removeprefix("line-").removesuffix("/contrast")
        assert not any(
            find_text(f"{number}00 km", document.text) for document in question.documents
        )


def test_an_answer_that_the_passage_gives_has_no_contrast() -> None:
    known = snippet(1, "River 1 is 700 km long", Answer.span("700 km"), "By the 700 km river.")
    questions, _ = made([known, *RIVERS], Shares(contrast=1))
    assert "line-1/contrast" not in {question.id for question in questions}


def test_an_answer_that_nothing_gives_is_left_out() -> None:
    unknown = snippet(1, "He lived by a river. ", Answer.span("Yukon"))
    questions, left_out = made([unknown, *RIVERS], Shares())
    assert left_out == {NOT_IN_TEXT: 1}
    assert "line-1" not in {question.id for question in questions}


def test_changed_questions_keep_the_quote_and_have_no_answer() -> None:
    known = snippet(70, "Norway opened it in 1919.", Answer.span("1919"), "A river in Norway.")
    known = replace(known, text="When was the river in Norway opened?")
    questions, _ = made([known, *RIVERS], Shares(changed=1, no_quote=0))
    (changed,) = [q for q in questions if q.id == "line-70/changed"]
    assert "Norway" not in changed.text or "opened" not in changed.text
    assert changed.gold is not None
    assert changed.gold.answers == (Answer.none(),)
    assert changed.gold.evidence is None
    assert any(document.text.startswith("Norway opened") for document in changed.documents)


def test_quotes_on_topic_come_first() -> None:
    own = "The Marrow Canal was dug by Ada Quill."
    first = snippet(1, "Tarn wrote that the canal is 9 m deep.", Answer.span("9 m"), own)
    other = snippet(2, "Ada Quill died in 1931.", Answer.span("1931"), own)
    openings = {"ada quill": document_of("Ada Quill", ["Ada Quill was a poet.", " She sang."])}
    shares = Shares(second_quote=1, no_quote=0, contrast=0, changed=0, on_topic=1)
    questions = iirc_questions(
        [first, other, *RIVERS], seed=1, left_out=Counter(), shares=shares, openings=openings
    )
    asked = {question.id: question for question in questions}
    assert {document.text for document in asked["line-1"].documents} == {
        "Tarn wrote that the canal is 9 m deep.",
        "Ada Quill died in 1931.",
    }
    quoted = list(opening_quotes(["Ada Quill", "Ben"], openings, True, Random(1)))
    assert [quote.title for quote in quoted] == ["Ada Quill"]


def looks(question: Question) -> Hashable:
    """All that can be said of a question without reading it."""
    assert question.context is not None
    size = sum(len(document.text) for document in question.documents)
    titled = any(not document.title.startswith("link ") for document in question.documents)
    return len(question.documents), size // 80, titled, len(question.context.text) // 200


@pytest.mark.parametrize("part", ["all", "originals"])
def test_evidence_by_itself_decides_nothing(data_folder: Path, part: str) -> None:
    questions = list(training_questions("iirc", data_folder, seed=5, evaluated=()))
    if part == "originals":
        questions = [question for question in questions if question.id.count("/") == 1]
    Random(1).shuffle(questions)
    rows = [
        (looks(question), question.gold.answers[0].kind is AnswerKind.NONE)
        for question in questions
        if question.gold is not None
    ]
    half = len(rows) // 2
    seen: dict[Hashable, list[bool]] = defaultdict(list)
    for look, none in rows[:half]:
        seen[look].append(none)
    usual = np.mean([none for _, none in rows[:half]]) > 0.5
    guesses = np.array([np.mean(seen.get(look, [usual])) > 0.5 for look, _ in rows[half:]])
    truth = np.array([none for _, none in rows[half:]])
    majority = max(truth.mean(), 1 - truth.mean())
    assert (guesses == truth).mean() <= majority + 0.03
