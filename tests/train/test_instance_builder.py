"""Labels stand where the gold answer stands, or nowhere."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("tokenizers")

from lacuna.answers import MAY_ABSTAIN, AnswerMode
from lacuna.models.reader.decode import HeadKind
from lacuna.models.reader.encode import QuestionEncoder, Tokenizer
from lacuna.types import Answer, Document, Evidence, Gold, Question, SupportingFact
from lacuna_lab.data.sources import SOURCES, questions_of
from lacuna_lab.data.texts import RIVAL
from lacuna_lab.train.instances import UNKNOWN, Instance, InstanceBuilder, span_places

LONG = " ".join(f"On day {number} it rained ." for number in range(400))
HERE = "The ferry sailed on to Marrow ."


@pytest.fixture(scope="module")
def words(tokenizer: Path) -> Tokenizer:
    return Tokenizer(tokenizer)


@pytest.fixture(scope="module")
def written(words: Tokenizer) -> Any:
    """The text of some tokens of an instance, without spaces."""
    names = {number: token.removeprefix("##") for token, number in words.vocabulary.items()}
    return lambda one, first, last: "".join(names[int(i)] for i in one.ids[first : last + 1])


def bare(text: str) -> str:
    return "".join(text.lower().split())


@pytest.mark.parametrize("name", ["squad1", "unanswerable", "hotpotqa", "iirc", "quac", "drop"])
def test_labels_read_as_the_gold_answer(
    name: str, toy_data: Path, words: Tokenizer, written: Any
) -> None:
    builder, source = InstanceBuilder(words, 1), SOURCES[name]
    seen: Counter[str] = Counter()
    for question in questions_of(name, toy_data, 1, Counter()):
        assert question.gold is not None
        answers = question.gold.answers
        texts = {bare(text) for answer in answers for text in answer.texts}
        for one in builder.build(question, source.mode, 0):
            for place in one.spans:
                assert written(one, *place) in texts
            assert not one.tagged or {written(one, *place) for place in one.tagged} == texts
            if one.fixed != UNKNOWN:
                assert HeadKind(one.fixed).name.lower() in {answer.kind for answer in answers}
            for first, last, label in one.sentences:
                assert written(one, first, last)
                seen["supporting"] += label
            seen["answered"] += one.answered
            seen["ranked"] += one.relevance == 1
    assert seen["answered"]
    if name == "hotpotqa":
        assert seen["supporting"] == 5
        assert seen["ranked"] == 5


def long_question(answer: Answer, gold: Gold | None = None) -> Question:
    passage = Document("p", f"{LONG} {HERE} {LONG}")
    return Question("q", "Where did the ferry sail?", passage, gold=gold or Gold((answer,)))


@pytest.mark.parametrize("mode", [mode for mode in AnswerMode if mode is not AnswerMode.CHOOSE])
def test_windows_without_the_answer(mode: AnswerMode, words: Tokenizer, written: Any) -> None:
    made = InstanceBuilder(words, 1).build(long_question(Answer.span("Marrow")), mode, 0)
    found = [one for one in made if one.spans]
    assert found
    assert all(written(one, *one.spans[0]) == "marrow" for one in found)
    others = [one for one in made if not one.spans]
    if mode in MAY_ABSTAIN:
        assert len(others) > 5
        assert all(one.answered and one.fixed == HeadKind.NONE for one in others)
    else:
        assert not others


def test_an_answer_that_is_nowhere_teaches_nothing(words: Tokenizer) -> None:
    assert not InstanceBuilder(words, 1).build(
        long_question(Answer.span("Ellery")), AnswerMode.ASK, 0
    )
    asked = Question("q", "Where? " * 200, Document("p", HERE), gold=Gold((Answer.span("Marrow"),)))
    assert not InstanceBuilder(words, 1).build(asked, AnswerMode.ASK, 0)


def test_a_given_place_counts_and_not_another(words: Tokenizer) -> None:
    text = "Marrow is near. The ferry sails to Marrow."
    answer = Answer.span("Marrow", Evidence("p", 35, 41))
    question = Question("q", "Where to?", Document("p", text), gold=Gold((answer,)))
    read = QuestionEncoder(words, question, AnswerMode.EXTRACT).whole()
    assert read is not None
    (place,) = span_places(read, question, answer)
    quoted = read.quote(*place)
    assert quoted == ("Marrow", Evidence("p", 35, 41))


def test_what_is_calculated(words: Tokenizer) -> None:
    passage = Document("p", "In 1940 there were 14 boats and 9 crabs, in 1960 only 5 boats.")
    question = Question("q", "How many boats were lost?", passage, gold=Gold((Answer.number(9),)))
    (one,) = InstanceBuilder(words, 1).build(question, AnswerMode.CALCULATE, 0)
    assert one.count == 9
    number_of = {value: at for at, value in enumerate(("hundred", 1940, 14, 9, 1960, 5))}
    assert ((number_of[14], 1), (number_of[5], -1)) in one.derivations
    assert ((number_of[9], 1),) in one.derivations
    (plain,) = InstanceBuilder(words, 1).build(question, AnswerMode.EXTRACT, 0)
    assert not plain.derivations
    assert plain.count == UNKNOWN


def test_choices_stay_in_one_group(toy_data: Path, words: Tokenizer) -> None:
    builder = InstanceBuilder(words, 1)
    made: list[Instance] = []
    for question in questions_of("openbookqa", toy_data, 1, Counter()):
        some = builder.build(question, AnswerMode.CHOOSE, 0)
        assert [one.choice for one in some].count(1) == 1
        assert len({one.group for one in some}) == 1
        made += some
    assert len({one.group for one in made}) == len(made) // 4


def test_paragraphs_are_ranked_by_what_supports(words: Tokenizer) -> None:
    documents = tuple(Document(f"d{number}", f"Text {number}.") for number in range(8))
    gold = Gold((Answer.yes(),), supporting_facts=(SupportingFact("d3", 0),))
    question = Question("q", "Is it so?", documents=documents, gold=gold)
    made = InstanceBuilder(words, 1).build(question, AnswerMode.HOP, 0)
    assert [one.relevance for one in made].count(1) == 1
    assert [one.relevance for one in made].count(0) == 4


def test_rival_windows_say_whose_they_are_and_whether_they_answer(words: Tokenizer) -> None:
    document = Document("Ferry", HERE)
    builder = InstanceBuilder(words, 1)
    place = Evidence("Ferry", HERE.index("Marrow"), HERE.index("Marrow") + 6)
    golds = Gold((Answer.span("Marrow", place),)), Gold((Answer.none(),))
    made = []
    for number, gold in enumerate(golds):
        question = Question(
            str(number), "Where to?", documents=(document,), gold=gold, extra={RIVAL: 1}
        )
        made += builder.build(question, AnswerMode.ASK, 0, with_last=number > 0)
    assert [one.rival for one in made] == [1, 1]
    assert [one.relevance for one in made] == [1, 0]
    assert len({one.group for one in made}) == 1
