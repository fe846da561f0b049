"""Windows: the paper's length and stride, and labels by what they hold."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

pytest.importorskip("torch")

from lacuna.types import Answer, Document, Evidence, Gold, Question, Span
from lacuna_lab.papers.iirc import (
    WINDOW_START,
    AnnotatedText,
    ContextRecipe,
    ContextTask,
    annotated_texts,
    holds,
    in_articles,
    located,
    window_document,
    window_length,
    window_places,
)
from lacuna_lab.papers.words import PieceTokenizer


def test_windows_of_all_links_the_passage_and_the_question_fit_together() -> None:
    assert window_length(512, 12, 1) == 250
    assert window_length(512, 12, 3) == 125
    assert window_length(10, 20, 1) == 1


@pytest.mark.parametrize(
    ("pieces", "length"), [(1000, 200), (199, 200), (201, 200), (7, 3), (1, 1)]
)
def test_windows_are_a_quarter_apart_and_cover_the_text(pieces: int, length: int) -> None:
    windows = list(window_places(pieces, length))
    assert windows[0][0] == 0
    assert windows[-1][1] == pieces
    apart = {after[0] - before[0] for before, after in pairwise(windows)}
    assert apart <= {max(1, length // 4)}


def test_only_a_whole_annotation_counts() -> None:
    assert holds(Span(10, 20), [Span(0, 5), Span(12, 20)])
    assert not holds(Span(10, 20), [Span(5, 15), Span(15, 21)])
    assert located("was  passed\nin 1958", "It was passed in 1958.") == Span(3, 21)
    assert located("lost", "It was passed.") is None


def test_a_window_knows_where_it_stands() -> None:
    document = Document("Act", "It was passed in 1958.")
    window = window_document(document, Span(7, 22))
    assert window.extra[WINDOW_START] == 7
    assert window_document(window, Span(3, 5)).extra[WINDOW_START] == 10


def test_labels_come_from_the_articles(encoder: Path) -> None:
    article = Document("act", " ".join(f"Word {n} is here." for n in range(60)) + " It was 1958.")
    gold = Gold(
        (Answer.span("1958"),), evidence=(Evidence("act", 0, 12), Evidence("passage", 0, 3))
    )
    documents = (Document("act", "It was 1958."),)
    question = Question("1", "When?", Document("passage", "The act."), documents, gold=gold)
    texts = in_articles(question, {"act": article}.get)
    assert [text.is_linked for text in texts] == [True, False]
    tokenizer = PieceTokenizer.of_encoder(str(encoder))
    recipe = ContextRecipe(name="x", system="iirc-context", longest=80, wrong_windows=2)
    inputs = ContextTask(recipe).inputs(question, texts[:1], tokenizer)
    right = [each for each in inputs if each.label]
    assert right
    assert len(inputs) == 3 * len(right)
    ids = tokenizer.encode("1958").ids.tolist()
    for each in inputs:
        written = each.ids.tolist()
        held = any(written[n : n + len(ids)] == ids for n in range(len(written)))
        assert held == each.label
    missing: dict[str, Document] = {}
    assert [text.is_linked for text in in_articles(question, missing.get)] == [False]


def test_without_articles_quotes_stand_around_the_gold_one(toy_data: Path) -> None:
    made: list[AnnotatedText] = [text for _, texts in annotated_texts(toy_data) for text in texts]
    assert made
    for text in made:
        (place,) = text.annotations
        assert text.document.text[place.start : place.end]
        assert "\n" in text.document.text
    answerless = [q for q, texts in annotated_texts(toy_data) if not texts]
    assert answerless
