from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lacuna import Document, LacunaError, Question
from lacuna.answers import AnswerMode
from lacuna.models.reader.encode import (
    MAX_QUESTION,
    MAX_TITLE,
    MAX_TOKENS,
    ModelInput,
    QuestionEncoder,
    Tokenizer,
)
from lacuna.types import Turn

SIZES = st.lists(st.integers(0, 1500), max_size=5)
QUESTION_SIZES = st.integers(0, MAX_QUESTION - 2)


def encoder_of(
    tokenizer: Tokenizer, sizes: list[int], asked: int = 3, mode: AnswerMode = AnswerMode.ASK
) -> QuestionEncoder:
    documents = tuple(Document(f"{'ann ' * i}", "word " * size) for i, size in enumerate(sizes))
    history = tuple(Turn("word " * size) for size in (500, 60, 20, 3))
    question = Question("q", "word " * asked, None, documents, history=history)
    return QuestionEncoder(tokenizer, question, mode)


def held(inputs: list[ModelInput]) -> set[tuple[int, int]]:
    return {
        (segment.document, token)
        for one in inputs
        for segment in one.segments
        for token in range(segment.first, segment.last)
    }


@given(SIZES, QUESTION_SIZES, st.sampled_from(AnswerMode))
def test_every_token_is_in_a_window_and_every_window_fits(
    tokenizer: Tokenizer, sizes: list[int], asked: int, mode: AnswerMode
) -> None:
    encoder = encoder_of(tokenizer, sizes, asked, mode)
    everything = {
        (number, token)
        for number, tokens in enumerate(encoder.encoded.tokens)
        for token in range(len(tokens.ids))
    }
    chunks = [encoder.input([part]) for part in encoder.chunks()]
    for inputs in (encoder.windows(), chunks):
        assert held(inputs) == everything
        assert all(len(one.ids) <= MAX_TOKENS for one in inputs)
    whole = encoder.whole()
    if whole is not None:
        assert len(whole.ids) <= MAX_TOKENS
        assert held([whole]) == everything


@given(st.integers(600, 5000))
def test_neighbours_share_a_quarter(tokenizer: Tokenizer, size: int) -> None:
    windows = encoder_of(tokenizer, [size]).windows()
    segments = [window.segments[0] for window in windows]
    assert len(segments) > 1
    width = segments[0].last - segments[0].first
    assert {one.last - two.first for one, two in pairwise(segments)} == {width // 4}


def test_windows_grow_with_the_text_and_no_faster(tokenizer: Tokenizer) -> None:
    few, many = (len(encoder_of(tokenizer, [size]).windows()) for size in (10_000, 100_000))
    assert many <= 10 * few


@given(SIZES, st.data())
def test_the_best_chunks_fit_together(
    tokenizer: Tokenizer, sizes: list[int], data: st.DataObject
) -> None:
    encoder = encoder_of(tokenizer, sizes)
    chunks = encoder.chunks()
    scores = [data.draw(st.floats(-5, 5)) for _ in chunks]
    best = encoder.best(chunks, scores)
    assert len(best.ids) <= MAX_TOKENS
    places = [(segment.document, segment.first, segment.last) for segment in best.segments]
    assert places == sorted(places)
    assert all(a[0] != b[0] or a[2] < b[1] for a, b in pairwise(places))  # touching ones are merged
    if chunks:
        number, first, last = chunks[scores.index(max(scores))]
        assert {(number, token) for token in range(first, last)} <= held([best])


@given(st.integers(0, 1200), st.integers(0, 1200))
def test_pairs_hold_both_texts_side_by_side(tokenizer: Tokenizer, one: int, other: int) -> None:
    encoder = encoder_of(tokenizer, [one, other])
    if len(encoder.encoded.documents) < 2:
        return
    pairs = encoder.pairs()
    assert all(len(pair.ids) <= MAX_TOKENS for pair in pairs)
    assert all([segment.document for segment in pair.segments] == [0, 1] for pair in pairs)
    assert held(pairs) == {(0, i) for i in range(one)} | {(1, i) for i in range(other)}


def test_a_question_that_is_too_long_is_refused(tokenizer: Tokenizer) -> None:
    with pytest.raises(LacunaError, match=f"'q' has {MAX_QUESTION - 1} tokens"):
        encoder_of(tokenizer, [5], MAX_QUESTION - 1)


def test_of_a_long_history_the_latest_questions_stay(tokenizer: Tokenizer) -> None:
    history = (Turn("ann " * 5), Turn("bob " * 5), Turn("word " * 160), Turn("the"))
    question = Question("q", "in", Document("t", "ferry"), history=history)
    read = QuestionEncoder(tokenizer, question, AnswerMode.DIALOG).whole()
    assert read is not None
    (the,) = tokenizer.encode("the").ids
    assert read.ids[2:5].tolist() == [tokenizer.turn_number(4), the, tokenizer.turn]


def test_documents_without_a_word_are_left_out(tokenizer: Tokenizer) -> None:
    documents = (Document("a", ""), Document("b", " \n"), Document("c", "ann"))
    encoder = QuestionEncoder(
        tokenizer, Question("q", "", Document("p", "\t"), documents), AnswerMode.ASK
    )
    assert [document.title for document in encoder.encoded.documents] == ["c"]
    assert len(encoder.encoded.titles[0].ids) == 1  # it is not the passage, whose title is left out


def test_a_long_title_is_shortened(tokenizer: Tokenizer) -> None:
    document = Document("word " * 3000, "ann")
    read = QuestionEncoder(
        tokenizer, Question("q", "in", None, (document,)), AnswerMode.ASK
    ).whole()
    assert read is not None
    assert len(read.ids) == 8 + MAX_TITLE
