from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lacuna import Answer, Document, Evidence, Question, SupportingFact
from lacuna.answers import AnswerMode
from lacuna.models.reader.decode import (
    LONGEST_SPAN,
    TAGS,
    Columns,
    Scores,
    best_span,
    decode,
    dialog_acts,
    support,
    tagged_spans,
)
from lacuna.models.reader.encode import ModelInput, QuestionEncoder, Tokenizer
from lacuna.types import DialogActs, FollowUp, Span, YesNo

QUESTION = "the ferry in 1901"
FERRY = Document("ferry", "ann built the ferry", sentences=(Span(0, 9), Span(10, 19)))
WORD = Document("word", "bob word", sentences=(Span(0, 8), Span(8, 8)))


def read_all(tokenizer: Tokenizer, *documents: Document, asked: str = QUESTION) -> ModelInput:
    read = QuestionEncoder(tokenizer, Question("q", asked, None, documents), AnswerMode.ASK).whole()
    assert read is not None
    return read


def zeros(read: ModelInput) -> Scores:
    return np.zeros((len(read.ids), Columns.PER_TOKEN), np.float32)


def marked(read: ModelInput, first: str, last: str) -> Scores:
    """Scores that start a span at one word of the documents and end it at another."""
    made = zeros(read)
    for number, document in enumerate(read.encoded.documents):
        for word, column in ((first, Columns.START), (last, Columns.END)):
            if word in document.text:
                at = document.text.index(word)
                (place,) = read.places(number, at, at + len(word))
                made[place.first, column] = 5.0
    return made


def test_the_best_span_has_its_place(tokenizer: Tokenizer) -> None:
    read = read_all(tokenizer, FERRY, WORD)
    found = best_span(read, marked(read, "built", "ferry"), QUESTION, AnswerMode.EXTRACT)
    assert found is not None
    assert found[0] == Answer.span("built the ferry", Evidence("ferry", 4, 19))


def test_a_span_never_runs_from_one_document_into_another(tokenizer: Tokenizer) -> None:
    read = read_all(tokenizer, FERRY, WORD)
    found = best_span(read, marked(read, "built", "bob"), QUESTION, AnswerMode.EXTRACT)
    assert found is not None
    (place,) = found[0].found_at
    text = {"ferry": FERRY.text, "word": WORD.text}[place.document]
    assert found[0].texts == (text[place.start : place.end],)


@given(st.integers(0, 2**32 - 1), st.sampled_from(AnswerMode))
def test_every_answer_is_the_text_at_its_evidence(
    tokenizer: Tokenizer, seed: int, mode: AnswerMode
) -> None:
    texts = {"a": "ann built 1901 ferry " * 9, "b": "\u200b", "c": "bob, 1950! é 한 word"}
    documents = [Document(title, text, sentences=(Span(0, 1),)) for title, text in texts.items()]
    read = read_all(tokenizer, *documents)
    scores = np.random.default_rng(seed).normal(0, 3, (len(read.ids), Columns.PER_TOKEN))
    per_token = scores.astype(np.float32)
    for found in (best_span(read, per_token, QUESTION, mode), tagged_spans(read, per_token)):
        if found is None:
            continue
        answer = found[0]
        told = [texts[place.document][place.start : place.end] for place in answer.found_at]
        assert list(answer.texts) == told or answer.texts[0] in QUESTION
        assert all(answer.texts)


def test_the_question_may_hold_the_answer(tokenizer: Tokenizer) -> None:
    read = read_all(tokenizer, FERRY)
    scores = zeros(read)
    scores[read.question.last, [Columns.START, Columns.END]] = 5.0
    found = best_span(read, scores, QUESTION, AnswerMode.HOP)
    assert found is not None
    assert found[0] == Answer.span("1901")
    within = best_span(read, scores, QUESTION, AnswerMode.EXTRACT)
    assert within is not None
    assert within[0].found_at


def test_a_span_has_its_greatest_length(tokenizer: Tokenizer) -> None:
    read = read_all(tokenizer, Document("t", "ann " + "word " * 40 + "bob"))
    found = best_span(read, marked(read, "ann", "bob"), QUESTION, AnswerMode.EXTRACT)
    assert found is not None
    assert len(found[0].texts[0].split()) <= LONGEST_SPAN


@pytest.mark.parametrize("mode", AnswerMode)
@pytest.mark.parametrize("asked", ["", "in"])
def test_nothing_to_read_breaks_nothing(tokenizer: Tokenizer, mode: AnswerMode, asked: str) -> None:
    for documents in ((), (Document("t", "\u200b"),), (Document("t", "\x00"), Document("u", "é"))):
        read = read_all(tokenizer, *documents, asked=asked)
        decode(read, zeros(read), np.zeros(Columns.PER_SEQUENCE, np.float32), asked, mode)
    empty = read_all(tokenizer, Document("t", "\u200b"), asked="")
    assert best_span(empty, zeros(empty), "", mode) is None
    assert tagged_spans(empty, zeros(empty)) is None


def tagged(read: ModelInput, *tags: str) -> Scores:
    made = zeros(read)
    made[:, Columns.TAG][:, TAGS.index("outside")] = 1.0
    at = read.segments[0].at
    for token, tag in enumerate(tags):
        made[at + token, Columns.TAG][TAGS.index(tag)] = 5.0
    return made


def test_tagged_spans(tokenizer: Tokenizer) -> None:
    read = read_all(tokenizer, FERRY)
    found = tagged_spans(read, tagged(read, "begin", "begin", "outside", "inside"))
    assert found is not None
    places = (Evidence("ferry", 0, 3), Evidence("ferry", 4, 9), Evidence("ferry", 14, 19))
    assert found[0] == Answer.spans(("ann", "built", "ferry"), *places)
    one = tagged_spans(read, tagged(read, "outside", "begin", "inside"))
    assert one is not None
    assert one[0] == Answer.span("built the", Evidence("ferry", 4, 13))
    assert tagged_spans(read, tagged(read, "outside")) is None


def test_sentences_are_scored_at_both_ends(tokenizer: Tokenizer) -> None:
    read = read_all(tokenizer, FERRY, WORD)
    scores = zeros(read)
    (place,) = read.places(0, 10, 19)
    scores[place.first, Columns.SENTENCE[0]] = 1.0
    scores[place.last, Columns.SENTENCE[1]] = 2.0
    assert dict(support(read, scores)) == {
        SupportingFact("ferry", 0): 0.0,
        SupportingFact("ferry", 1): 3.0,
        SupportingFact("word", 0): 0.0,  # its empty second one has no token
    }


def test_dialog_acts() -> None:
    row = np.zeros(Columns.PER_SEQUENCE, np.float32)
    row[Columns.YES_NO_ACT][list(YesNo).index(YesNo.NO)] = 1
    row[Columns.FOLLOW_UP_ACT][list(FollowUp).index(FollowUp.MAYBE)] = 1
    assert dialog_acts(row) == DialogActs(YesNo.NO, FollowUp.MAYBE)
