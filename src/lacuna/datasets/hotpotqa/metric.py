"""HotpotQA's scorer: answer, supporting facts, and both jointly."""

from __future__ import annotations

from collections.abc import Iterable

from lacuna.answer_text import text_from_answer
from lacuna.datasets.hotpotqa.hotpotqa_format import NO_ANSWER
from lacuna.metrics.metric import Metric, Row
from lacuna.metrics.normalise import normalise, overlap
from lacuna.types import Answer, Prediction, Question, SupportingFact

CLOSED = frozenset({"yes", "no", NO_ANSWER})
Four = tuple[float, float, float, float]
NOTHING: Four = (0.0, 0.0, 0.0, 0.0)
ABSTENTION = Prediction(Answer.none(), supporting_facts=())


class HotpotQAMetric(Metric):
    """A missing prediction scores 0 and still counts: the official script divides by all."""

    measures = tuple(
        part + name for part in ("", "sp_", "joint_") for name in ("em", "f1", "prec", "recall")
    )
    main = ("em", "f1", "sp_em", "sp_f1", "joint_em", "joint_f1")

    def judge(self, question: Question, prediction: Prediction | None) -> Row:
        gold = question.gold
        assert gold is not None
        answer = facts = joint = NOTHING
        if prediction and prediction.answer:
            answer = _answer(prediction.answer, gold.answers[0])
        if prediction and prediction.supporting_facts is not None:
            facts = _facts(prediction.supporting_facts, gold.supporting_facts or ())
            if prediction.answer:
                joint = _joint(answer, facts)
        return (*answer, *facts, *joint)

    def lacking(self, question: Question, prediction: Prediction) -> str | None:
        if prediction.answer and prediction.supporting_facts is None:
            return "supporting facts"
        return super().lacking(question, prediction)

    def abstention(self, question: Question) -> Prediction:
        return ABSTENTION


def _answer(predicted: Answer, wanted: Answer) -> Four:
    prediction = normalise(text_from_answer(predicted, NO_ANSWER))
    reference = normalise(text_from_answer(wanted, NO_ANSWER))
    same = prediction == reference
    # A yes, a no or an abstention is right or wrong: shared words do not count.
    if not same and (prediction in CLOSED or reference in CLOSED):
        return NOTHING
    precision, recall, f1 = overlap(prediction, reference)
    return float(same), f1, precision, recall


def _facts(predicted: Iterable[SupportingFact], wanted: Iterable[SupportingFact]) -> Four:
    prediction, reference = set(predicted), set(wanted)
    right = len(prediction & reference)
    if not right:
        return float(prediction == reference), 0.0, 0.0, 0.0
    precision, recall = right / len(prediction), right / len(reference)
    return float(prediction == reference), _f1(precision, recall), precision, recall


def _joint(answer: Four, facts: Four) -> Four:
    precision, recall = answer[2] * facts[2], answer[3] * facts[3]
    if not precision and not recall:
        return answer[0] * facts[0], 0.0, 0.0, 0.0
    return answer[0] * facts[0], _f1(precision, recall), precision, recall


def _f1(precision: float, recall: float) -> float:
    return 2 * precision * recall / (precision + recall)
