from __future__ import annotations

import numpy as np
import pytest

from lacuna import Document, Question
from lacuna.answers import AnswerMode
from lacuna.models.reader.decode import SIGNS, Columns, Scores, derive, placed_quantities
from lacuna.models.reader.encode import ModelInput, QuestionEncoder, Tokenizer

BORN = Document("ann", "ann was born in 1901.")
LEFT = Document("bob", "she left in 1950 with 37% of it.")


def read_all(tokenizer: Tokenizer, *documents: Document) -> ModelInput:
    read = QuestionEncoder(tokenizer, Question("q", "in", None, documents), AnswerMode.ASK).whole()
    assert read is not None
    return read


def signed(read: ModelInput, signs: dict[float, int]) -> Scores:
    """Scores that give each value its sign, and every other number none."""
    made = np.zeros((len(read.ids), Columns.PER_TOKEN), np.float32)
    for one in placed_quantities(read):
        column = SIGNS.index(signs.get(one.quantity.value, 0))
        made[one.place.first, Columns.SIGN[0]][column] = 9.0
    return made


def test_numbers_stand_where_they_are_in_the_input(tokenizer: Tokenizer) -> None:
    read = read_all(tokenizer, BORN, LEFT)
    hundred, *placed = placed_quantities(read)
    assert hundred.document is None
    assert [(one.quantity.value, one.document) for one in placed] == [(1901, 0), (1950, 1), (37, 1)]
    for one in placed:
        assert one.document is not None
        assert one.place in read.places(one.document, one.quantity.start, one.quantity.end)


def test_a_window_has_only_the_numbers_it_holds(tokenizer: Tokenizer) -> None:
    text = " ".join(f"word {number} word" for number in range(1000, 1600))
    encoder = QuestionEncoder(tokenizer, Question("q", "in", Document("t", text)), AnswerMode.ASK)
    windows = encoder.windows()
    assert len(windows) > 3
    for window in windows:
        (segment,) = window.segments
        tokens = encoder.encoded.tokens[0]
        begin, end = int(tokens.starts[segment.first]), int(tokens.ends[segment.last - 1])
        numbers = [str(n) for n in range(1000, 1600) if begin <= text.index(str(n)) <= end - 4]
        placed = placed_quantities(window)[1:]
        assert [text[one.quantity.start : one.quantity.end] for one in placed] == numbers
        assert all(window.quote(*one.place) is not None for one in placed)


def test_a_difference_of_years_with_its_expression_and_evidence(tokenizer: Tokenizer) -> None:
    read = read_all(tokenizer, BORN, LEFT)
    made = derive(read, signed(read, {1950: 1, 1901: -1}), "How old was she?")
    assert made is not None
    assert (made.answer.value, made.answer.unit) == (49, "years")
    assert made.answer.expression == "1950 − 1901"
    texts = {"ann": BORN.text, "bob": LEFT.text}
    told = [texts[place.document][place.start : place.end] for place in made.answer.found_at]
    assert told == ["1950", "1901"]
    assert made.log_probability == pytest.approx(0, abs=0.01)


def test_the_rest_of_a_hundred_has_one_place(tokenizer: Tokenizer) -> None:
    read = read_all(tokenizer, BORN, LEFT)
    scores = signed(read, {100: 1, 37: -1})
    made = derive(read, scores, "How many percent were not?")
    assert made is not None
    assert made.answer.value == 63
    assert [place.document for place in made.answer.found_at] == ["bob"]


def test_a_single_number_has_no_expression(tokenizer: Tokenizer) -> None:
    read = read_all(tokenizer, LEFT)
    made = derive(read, signed(read, {37: 1}), "How many percent?")
    assert made is not None
    assert (made.answer.value, made.answer.expression) == (37, "")


@pytest.mark.parametrize("text", ["ann built it.", "\u200b", "!?"])
def test_without_numbers_there_is_nothing_to_calculate(tokenizer: Tokenizer, text: str) -> None:
    read = read_all(tokenizer, Document("t", text))
    assert derive(read, signed(read, {}), "How many?") is None


def test_no_sum_where_a_difference_is_asked_for(tokenizer: Tokenizer) -> None:
    read = read_all(tokenizer, Document("t", "61 people live there and 22 here."))
    scores = signed(read, {61: 1, 22: 1})
    both = derive(read, scores, "How many people live in both?")
    assert both is not None
    assert both.answer.value == 83
    more = derive(read, scores, "How many more people live there?")
    assert more is not None
    assert more.answer.value != 83


def test_a_length_of_time_is_no_date_and_an_amount(tokenizer: Tokenizer) -> None:
    read = read_all(tokenizer, Document("t", "it opened in 1907 with 24 men."))
    made = derive(read, signed(read, {1907: 1, 24: 1}), "For how many years was it open?")
    assert made is None or made.answer.value not in (1907, 1931)
