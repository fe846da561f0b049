"""The scorers' quirks one by one, and what must hold for any answer."""

from __future__ import annotations

import re
import string
from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lacuna import (
    Answer,
    AnswerKind,
    Choice,
    DialogActs,
    Document,
    FollowUp,
    Gold,
    LacunaError,
    Prediction,
    Question,
    SupportingFact,
    YesNo,
)
from lacuna.datasets.drop import metric as drop
from lacuna.datasets.metrics import get_metric
from lacuna.metrics.metric import Metric
from lacuna.metrics.normalise import normalise, overlap
from lacuna.metrics.report import evaluate

answers = st.text(st.sampled_from("aAnthe .-’–\t5,é_0$ yesno"), max_size=25)


def values(metric: Metric, question: Question, prediction: Prediction | None) -> dict[str, Any]:
    row = metric.judge(question, prediction)
    return dict(zip(metric.measures, row, strict=True))


@given(answers | st.text())
def test_normalisation_is_the_official_one(text: str) -> None:
    """The official steps, spelt out: lower case, punctuation, articles, blanks."""
    bare = "".join(ch for ch in text.lower() if ch not in set(string.punctuation))
    assert normalise(text) == " ".join(re.sub(r"\b(a|an|the)\b", " ", bare).split())


@given(answers.map(normalise), answers.map(normalise))
def test_overlap_counts_tokens_as_often_as_they_stand_in_both(one: str, two: str) -> None:
    found = overlap(one, two)
    same = sum((Counter(one.split()) & Counter(two.split())).values())
    assert found.precision == (same / len(one.split()) if same else 0)
    assert found.recall == (same / len(two.split()) if same else 0)
    assert 0 <= found.f1 <= 1
    back = overlap(two, one)
    assert (back.precision, back.recall) == (found.recall, found.precision)


# HotpotQA


def hotpot(answer: str, *facts: SupportingFact) -> Question:
    kinds = {"yes": Answer.yes(), "no": Answer.no(), "noanswer": Answer.none()}
    return Question(
        "q", "?", gold=Gold((kinds.get(answer, Answer.span(answer)),), supporting_facts=facts)
    )


@pytest.mark.parametrize(
    ("predicted", "wanted", "em", "f1"),
    [
        ("yes", "yes", 1, 1),
        ("Yes.", "yes", 1, 1),
        ("yes indeed", "yes", 0, 0),
        ("no", "yes", 0, 0),
        ("yes", "yes it is", 0, 0),
        ("noanswer", "no answer", 0, 0),
        ("", "", 1, 0),
        ("The ferry", "a ferry", 1, 1),
        ("old ferry", "ferry", 0, pytest.approx(2 / 3)),
    ],
)
def test_hotpotqa_answers(predicted: str, wanted: str, em: float, f1: float) -> None:
    found = values(get_metric("hotpotqa"), hotpot(wanted), Prediction(Answer.span(predicted)))
    assert (found["em"], found["f1"]) == (em, f1)
    assert found["joint_f1"] == 0, "without supporting facts there is no joint score"


def test_hotpotqa_multiplies_answer_and_support() -> None:
    first, second = SupportingFact("Tarn", 0), SupportingFact("Tarn", 1)
    prediction = Prediction(Answer.span("old ferry"), supporting_facts=(first,))
    found = values(get_metric("hotpotqa"), hotpot("ferry", first, second), prediction)
    assert (found["sp_prec"], found["sp_recall"], found["sp_em"]) == (1, 0.5, 0)
    assert (found["joint_prec"], found["joint_recall"]) == (0.5, 0.5)


def test_hotpotqa_predictions_without_support_are_told_aloud() -> None:
    report = evaluate(
        get_metric("hotpotqa"), [hotpot("ferry")], {"q": Prediction(Answer.span("ferry"))}
    )
    assert report.missing == []
    assert "1 of 1 predictions HAVE NO SUPPORTING FACTS" in report.warnings()[0]


def test_hotpotqa_divides_by_all_questions() -> None:
    questions = [Question(str(n), "?", gold=hotpot("ferry").gold) for n in range(4)]
    report = evaluate(get_metric("hotpotqa"), questions, {"0": Prediction(Answer.span("ferry"))})
    assert report.official["em"] == 0.25
    assert report.missing == ["1", "2", "3"]


# DROP and IIRC


@pytest.mark.parametrize(
    ("predicted", "wanted", "exact", "f1"),
    [
        (("3",), ("3.0",), 1, 1),
        (("3 boats",), ("4 boats",), 0, 0),
        (("three boats",), ("3 boats",), 0, 0),
        (("boats",), ("old boats",), 0, 0.67),
        (("b", "c"), ("c", "b"), 1, 1),
        (("b", "b"), ("b",), 0, 0.5),
        (("b", "b"), ("b", "c"), 0, 0.5),
        (("half-built",), ("half built",), 1, 1),
        (("nan",), ("NaN",), 1, 1),
        ((), ("b",), 0, 0),
        (("a",), ("the",), 1, 1),
    ],
)
def test_drop(predicted: tuple[str, ...], wanted: tuple[str, ...], exact: float, f1: float) -> None:
    assert drop.compare(predicted, wanted) == (exact, f1)


spans = st.lists(answers, min_size=1, max_size=4).map(tuple)


@given(spans, spans)
def test_drop_scores_stay_between_nothing_and_all(
    one: tuple[str, ...], two: tuple[str, ...]
) -> None:
    exact, f1 = drop.compare(one, two)
    assert exact in (0, 1)
    assert 0 <= f1 <= 1
    assert round(f1, 2) == f1
    assert drop.compare(one, one) == (1, 1)
    assert drop.compare(tuple(reversed(one)), two) == pytest.approx((exact, f1))


def asked(*gold: Answer, **rest: Any) -> Question:
    return Question("q", "?", gold=Gold(gold), **rest)


def test_an_empty_gold_is_none_in_iirc_and_nothing_in_drop() -> None:
    question, abstains = asked(Answer.none()), Prediction(Answer.none())
    assert get_metric("iirc").judge(question, abstains) == (1, 1)
    assert get_metric("drop").judge(question, abstains) == (0, 0)
    assert get_metric("iirc").judge(question, Prediction(Answer.span("None."))) == (1, 1)


def test_the_best_alternative_counts() -> None:
    question = asked(Answer.span("ferry"), Answer.spans(("old", "ferry")))
    prediction = Prediction(Answer.spans(("ferry", "old")))
    assert get_metric("drop").judge(question, prediction) == (1, 1)


# SQuAD


def squad(impossible: bool | None, *texts: str) -> Question:
    extra = {} if impossible is None else {"is_impossible": impossible}
    gold = tuple(Answer.span(text) for text in texts) or (Answer.none(),)
    return asked(*gold, extra=extra)


def test_squad_takes_the_best_reference() -> None:
    question = squad(False, "sea mark", "a mark")
    assert get_metric("squad").judge(question, Prediction(Answer.span("the mark"))) == (1, 1)


def test_squad_2_gives_no_partial_credit_without_an_answer() -> None:
    metric = get_metric("squad")
    assert metric.judge(squad(True), Prediction(Answer.none())) == (1, 1)
    assert metric.judge(squad(True), Prediction(Answer.span("mark"))) == (0, 0)
    assert metric.judge(squad(True), Prediction(Answer.span("the"))) == (1, 1)
    assert metric.judge(squad(False, "mark"), Prediction(Answer.none())) == (0, 0)


def test_squad_1_and_2_differ_on_answers_that_normalise_to_nothing() -> None:
    prediction = Prediction(Answer.span("the"))
    assert get_metric("squad").judge(squad(None, "a"), prediction) == (1, 0)
    assert get_metric("squad").judge(squad(False, "a"), prediction) == (1, 1)


def test_squad_1_and_2_have_names_of_their_own() -> None:
    prediction = {"q": Prediction(Answer.span("mark"))}
    first = evaluate(get_metric("squad"), [squad(None, "mark")], prediction)
    assert first.official == {"exact_match": 100, "f1": 100}
    second = evaluate(get_metric("squad"), [squad(False, "mark")], prediction)
    assert second.official == {
        "exact": 100,
        "f1": 100,
        "total": 1,
        "HasAns_exact": 100,
        "HasAns_f1": 100,
        "HasAns_total": 1,
    }


def test_a_probability_above_the_threshold_overrides_the_answer() -> None:
    metric = get_metric("squad", no_answer_probability={"q": 1.5})
    found = values(metric, squad(False, "mark"), Prediction(Answer.span("mark")))
    assert (found["exact"], found["raw_exact"]) == (0, 1)


def test_equal_probabilities_stay_in_the_order_of_their_file() -> None:
    """One right and one wrong answer at the same probability: which comes first decides."""
    questions = [
        Question("good", "?", gold=squad(False, "mark").gold, extra={"is_impossible": False}),
        Question("bad", "?", gold=squad(True).gold, extra={"is_impossible": True}),
    ]
    predictions = {
        "good": Prediction(Answer.span("mark")),
        "bad": Prediction(Answer.span("mark")),
    }

    def best(*order: str) -> float:
        metric = get_metric("squad", no_answer_probability=dict.fromkeys(order, 0.5))
        return float(evaluate(metric, questions, predictions).official["best_exact"])

    assert (best("good", "bad"), best("bad", "good")) == (100, 50)


def test_squad_1_has_its_floor_and_interval_and_no_probabilities() -> None:
    questions = [Question(n, "?", gold=squad(None, "mark").gold) for n in "ab"]
    predictions = {"a": Prediction(Answer.span("mark")), "b": Prediction(Answer.none())}
    report = evaluate(get_metric("squad"), questions, predictions)
    assert report.official["exact_match"] == 50
    assert report.floor["exact_match"] == 0
    assert report.interval["exact_match"] == (0, 100)
    assert report.parts["span"]["exact_match"] == 50
    metric = get_metric("squad", no_answer_probability={"a": 0.1, "b": 0.2})
    with pytest.raises(LacunaError, match=r"belongs to SQuAD 2\.0"):
        evaluate(metric, questions, predictions)


# QuAC


def turn(
    *references: str, acts: DialogActs | None = None, id_: str = "C_q#0", **rest: Any
) -> Question:
    gold = tuple(
        Answer.none() if text == "CANNOTANSWER" else Answer.span(text) for text in references
    )
    return Question(id_, "?", gold=Gold(gold, acts=acts), **rest)


def test_the_majority_decides_whether_there_is_an_answer() -> None:
    metric = get_metric("quac")
    assert metric.kind(turn("a cook", "CANNOTANSWER")) is AnswerKind.NONE
    assert metric.kind(turn("a cook", "a cook", "CANNOTANSWER")) is AnswerKind.SPAN


def test_each_reference_is_left_out_in_turn() -> None:
    found = values(
        get_metric("quac"), turn("red boat", "blue boat"), Prediction(Answer.span("red boat"))
    )
    assert found["f1"] == pytest.approx(100 / 100 * (1 + 0.5) / 2)
    assert found["HEQ"] == 1, "two annotators agree by half, and the prediction is better"


def test_low_agreement_counts_only_where_the_prediction_is_missing() -> None:
    question = turn("red", "blue", "green")
    answered = values(get_metric("quac"), question, Prediction(Answer.span("red")))
    assert (answered["f1"], answered["HEQ"]) == (None, None)
    assert answered["unfiltered_f1"] == pytest.approx(2 / 3)
    missing = values(get_metric("quac"), question, None)
    assert (missing["f1"], missing["HEQ"]) == (0, 0)


def test_a_dialog_is_good_if_all_its_answers_are() -> None:
    passage, other = Document("C", "a b"), Document("D", "a b")
    questions = [
        turn("a cook", id_="C_q#0", context=passage),
        turn("a boat", id_="C_q#1", context=passage),
        turn("a lamp", id_="D_q#0", context=other),
    ]
    good = {
        question.id: Prediction(question.gold.answers[0]) for question in questions if question.gold
    }
    assert evaluate(get_metric("quac"), questions, good).official["DHEQ"] == 100
    one_wrong = {**good, "C_q#0": Prediction(Answer.span("a mast"))}
    assert evaluate(get_metric("quac"), questions, one_wrong).official["DHEQ"] == 50


def test_acts_are_null_where_the_gold_has_none() -> None:
    acts = DialogActs(YesNo.YES, FollowUp.NO)
    prediction = {"C_q#0": Prediction(Answer.span("a cook"), acts=acts)}
    without = evaluate(get_metric("quac"), [turn("a cook")], prediction)
    assert (without.official["yes/no"], without.official["followup"]) == (None, None)
    right = evaluate(get_metric("quac"), [turn("a cook", acts=acts)], prediction)
    assert (right.official["yes/no"], right.official["followup"]) == (100, 100)


# OpenBookQA


def test_a_tie_shares_the_credit() -> None:
    question = asked(Answer.choice("B"), choices=tuple(Choice(label, "") for label in "ABCD"))
    metric = get_metric("openbookqa")
    assert metric.judge(question, Prediction(Answer.choice("B"))) == (1,)
    assert metric.judge(question, Prediction(Answer.choice("A;B"))) == (0.5,)
    assert metric.judge(question, Prediction(Answer.choice("A"))) == (0,)
    assert metric.judge(question, metric.abstention(question)) == (0.25,)


def test_a_choice_that_is_not_offered_is_told_aloud() -> None:
    question = asked(Answer.choice("B"), choices=tuple(Choice(label, "") for label in "ABCD"))
    report = evaluate(get_metric("openbookqa"), [question], {"q": Prediction(Answer.choice("b"))})
    assert report.official["accuracy"] == 0
    assert "HAVE NO CHOICE THAT THE QUESTION OFFERS" in report.warnings()[0]


# All of them


@given(st.data())
@pytest.mark.parametrize("task", ["hotpotqa", "drop", "iirc", "squad", "quac"])
def test_scores_are_bounded_and_the_gold_itself_is_perfect(task: str, data: st.DataObject) -> None:
    texts = data.draw(st.lists(answers.filter(normalise), min_size=1, max_size=1))
    predicted = data.draw(answers)
    facts = (SupportingFact("Tarn", 0),)
    question = Question("q", "?", gold=Gold(tuple(map(Answer.span, texts)), supporting_facts=facts))
    metric = get_metric(task)
    for value in metric.judge(question, Prediction(Answer.span(predicted), supporting_facts=facts)):
        assert value is None or 0 <= value <= 1
    perfect = metric.judge(question, Prediction(Answer.span(texts[0]), supporting_facts=facts))
    assert {value for value in perfect if value is not None} <= {1.0}
    missing = metric.judge(question, None)
    assert {value for value in missing if value is not None} <= {0.0}
