"""QuAC's simple baselines on dialogs that are made up for them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from lacuna import Answer, Document, Evidence, Gold, LacunaError, Question, Turn
from lacuna.datasets.baselines import (
    BEGINNING,
    NO_ANSWER,
    WIDTH,
    candidates,
    fit_choice,
    next_place,
    right_candidate,
    sentences_of_section,
    transition_matrix,
)
from lacuna.datasets.baselines import QUAC_BASELINES as BASELINES

SENTENCES = (
    "The ferry was built in Osk by two brothers.",
    "Its captain drank nothing but cold tea.",
    "A storm broke the mast in the third winter.",
    "Later the harbour was sold to a bank.",
)
TEXT = " ".join(SENTENCES) + " CANNOTANSWER"
SECTION = Document("s", TEXT)
BY_NAME = {baseline.name: baseline for baseline in BASELINES}


def in_sentence(number: int) -> Answer:
    start = TEXT.index(SENTENCES[number])
    return Answer.span(SENTENCES[number], Evidence("s", start, start + len(SENTENCES[number])))


def dialog(*answers: Answer, text: str = "What then?", id_: str = "d") -> Iterator[Question]:
    history: tuple[Turn, ...] = ()
    for number, answer in enumerate(answers):
        gold = Gold((answer,), given=answer)
        yield Question(f"{id_}_q#{number}", text, SECTION, history=history, gold=gold)
        history = (*history, Turn(text, answer))


def test_the_next_chunk_is_the_one_that_most_often_followed() -> None:
    first, second, third = (Answer.span("x", Evidence("s", at, at + 1)) for at in (1, 60, 140))
    training = [*dialog(first, second), *dialog(first, second), *dialog(first, third)]
    matrix = transition_matrix(training)
    assert sum(matrix[BEGINNING]) == 1
    last = list(dialog(first, third))[-1]
    assert next_place(matrix, last) == 4
    answer = BY_NAME["transition-matrix"].open(training)(last).answer
    assert answer is not None
    place = answer.found_at[0]
    assert TEXT[place.start : place.end] == answer.text
    assert not TEXT[place.start - 1].isalnum(), "it begins with a whole word"
    assert not TEXT[place.end].isalnum(), "it ends with a whole word"


def test_no_answer_is_a_place_of_its_own() -> None:
    training = list(dialog(in_sentence(0), Answer.none(), Answer.none()))
    asked = training[-1]
    assert next_place(transition_matrix(training), asked) == NO_ANSWER
    prediction = BY_NAME["transition-matrix"].open(training)(asked)
    assert prediction.answer == Answer.none()


def test_the_upper_bound_is_told_where_there_is_no_answer() -> None:
    first = in_sentence(0)
    training = [*dialog(first, first), *dialog(first, first)]
    asked = list(dialog(first, Answer.none()))[-1]
    blind, told = (
        BY_NAME[name].open(training)(asked).answer
        for name in ("transition-matrix", "gold-na-transition-matrix")
    )
    assert blind != Answer.none()
    assert told == Answer.none()


def test_the_gold_sentence_is_the_nearest_to_any_reference() -> None:
    (question,) = dialog(Answer.span("nothing but cold tea"))
    assert BY_NAME["gold-sentence"].open(())(question).answer == in_sentence_answer(1)
    (none,) = dialog(Answer.none())
    assert BY_NAME["gold-sentence"].open(())(none).answer == Answer.none()


def in_sentence_answer(number: int) -> Answer:
    answer = BY_NAME["random-sentence"].open(())
    for seed in range(200):
        (question,) = dialog(Answer.none(), id_=f"seed{seed}")
        given = answer(question).answer
        if given is not None and given.texts == (SENTENCES[number],):
            return given
    raise AssertionError("no seed gave it")


def test_a_random_sentence_is_the_same_every_time_and_may_be_any() -> None:
    answer = BY_NAME["random-sentence"].open(())
    questions = [next(dialog(Answer.none(), id_=f"d{number}")) for number in range(100)]
    first = [answer(question).answer for question in questions]
    assert first == [answer(question).answer for question in questions]
    assert {given.text for given in first if given} == {*SENTENCES, "none"}


def test_the_regression_learns_to_match_words() -> None:
    asked = ("Who built the ferry in Osk?", "Which tea did the captain drink?",
             "What broke the mast in the storm?", "Who has the harbour and the bank?")  # fmt: skip
    training = [
        question
        for number, text in enumerate(asked)
        for question in dialog(in_sentence(number), text=text, id_=f"d{number}")
    ]
    answer = BY_NAME["logistic-regression"].open(training * 5)
    (question,) = dialog(Answer.none(), text="Did a storm come in winter?")
    assert answer(question).answer == in_sentence_answer(2)


def test_no_answer_is_one_more_candidate() -> None:
    (none,) = dialog(Answer.none())
    (given,) = dialog(in_sentence(2))
    assert len(sentences_of_section(TEXT)) == len(SENTENCES)
    assert right_candidate(none) == len(SENTENCES)
    assert right_candidate(given) == 2
    rows = np.array(candidates(given))
    assert rows.shape == (len(SENTENCES) + 1, WIDTH)


def test_nothing_to_learn_from_is_an_error() -> None:
    with pytest.raises(LacunaError, match="nothing to learn from"):
        fit_choice([Question("q", "?", SECTION)])
