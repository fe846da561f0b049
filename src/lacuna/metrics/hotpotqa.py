"""HotpotQA's scorer: answer, supporting facts, and both jointly."""

from __future__ import annotations

from collections.abc import Iterable

from lacuna import answer_text
from lacuna.answer_text import text_from_answer
from lacuna.metrics.metric import Metric, Values
from lacuna.metrics.normalise import NO_OVERLAP, normalise, overlap
from lacuna.types import Answer, Prediction, Question, SupportingFact

NO_ANSWER = answer_text.NO_ANSWER["hotpotqa"]
CLOSED = frozenset({"yes", "no", NO_ANSWER})
PARTS = ("em", "f1", "prec", "recall")
Four = tuple[float, float, float, float]
NOTHING: Four = (0.0, 0.0, 0.0, 0.0)


class HotpotQAMetric(Metric):
    """A missing prediction scores 0 and still counts: the official script divides by all."""

    main = ("em", "f1", "sp_em", "sp_f1", "joint_em", "joint_f1")

    def judge(self, question: Question, prediction: Prediction | None) -> Values:
        gold = question.gold
        assert gold is not None
        answer = facts = joint = NOTHING
        if prediction and prediction.answer:
            answer = _answer(prediction.answer, gold.answers[0])
        if prediction and prediction.supporting_facts is not None:
            facts = _facts(prediction.supporting_facts, gold.supporting_facts or ())
            if prediction.answer:
                joint = _joint(answer, facts)
        values: Values = {}
        for prefix, four in (("", answer), ("sp_", facts), ("joint_", joint)):
            values.update((prefix + part, value) for part, value in zip(PARTS, four, strict=True))
        return values

    def abstention(self, question: Question) -> Prediction:
        return Prediction(Answer.none(), supporting_facts=())


def _answer(predicted: Answer, wanted: Answer) -> Four:
    prediction = normalise(text_from_answer(predicted, NO_ANSWER))
    reference = normalise(text_from_answer(wanted, NO_ANSWER))
    same = prediction == reference
    # A yes, a no or an abstention is right or wrong: shared words do not count.
    closed = prediction in CLOSED or reference in CLOSED
    tokens = NO_OVERLAP if closed and not same else overlap(prediction, reference)
    return float(same), tokens.f1, tokens.precision, tokens.recall


def _facts(predicted: Iterable[SupportingFact], wanted: Iterable[SupportingFact]) -> Four:
    prediction, reference = set(predicted), set(wanted)
    right = len(prediction & reference)
    precision = right / len(prediction) if prediction else 0.0
    recall = right / len(reference) if reference else 0.0
    return float(prediction == reference), _f1(precision, recall), precision, recall


def _joint(answer: Four, facts: Four) -> Four:
    precision, recall = answer[2] * facts[2], answer[3] * facts[3]
    return answer[0] * facts[0], _f1(precision, recall), precision, recall


def _f1(precision: float, recall: float) -> float:
    return 2 * precision * recall / (precision + recall) if precision + recall > 0 else 0.0
