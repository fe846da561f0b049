"""GapQA's classes of errors (section 5.4), and what made a wrong choice win.

Whether a key span is wrong, or a relation out of scope, only KGD's annotations tell. What the
trace tells of any question: which of the two scores preferred the wrong choice, and whether
anything was found for the right one.
"""

from __future__ import annotations

from lacuna.datasets.answer_trace import AnswerTrace
from lacuna.types import Evidence, Prediction, Question, Role

ERROR, PREFERRED, KNOWLEDGE = (
    "error (section 5.4)",
    "the wrong choice was preferred by",
    "knowledge of the right choice",
)
ERROR_FIELDS = {
    ERROR: "it takes KGD's answer_spans and relations, and a system that names its key span (gapqa)"
}
SPAN, SCORES, SCOPE = (
    "incorrect predicted span",
    "incorrect relation scores",
    "out-of-scope gap relation",
)
IN_SCOPE = frozenset(
    "causes definedas definition enables isa locatedin madeof partof provides synonym synonymof".split()  # noqa: E501, SIM905
)


def error_labels(question: Question, prediction: Prediction, trace: AnswerTrace) -> dict[str, str]:
    """All that is known of one error."""
    kind = error_class(question, prediction)
    return {**({ERROR: kind} if kind else {}), **_by_scores(question, prediction, trace)}


def error_class(question: Question, prediction: Prediction) -> str | None:
    """The paper's class; None where the file has no annotation, or the system no key span."""
    gold = question.gold
    spans = [piece for piece in (gold and gold.evidence) or () if piece.role is Role.KEY_SPAN]
    given = [piece for piece in prediction.evidence if piece.role is Role.KEY_SPAN]
    if gold is None or not spans or not given or gold.relations is None:
        return None
    if not any(_overlap(given[0], span) for span in spans):
        return SPAN
    return SCORES if any(map(_in_scope, gold.relations)) else SCOPE


def _overlap(one: Evidence, other: Evidence) -> bool:
    return one.start < other.end and other.start < one.end


def _in_scope(relation: str) -> bool:
    plain = relation.casefold().replace(" ", "").replace("_", "").replace("⁻¹", "-1")
    return plain.removesuffix("-1") in IN_SCOPE


def _by_scores(question: Question, prediction: Prediction, trace: AnswerTrace) -> dict[str, str]:
    choices = {choice.label: choice for choice in trace.choices}
    right = choices.get(question.gold.answers[0].label) if question.gold else None
    chosen = choices.get(prediction.answer.label) if prediction.answer else None
    if right is None or chosen is None:
        return {}
    by_fact = chosen.fact_score > right.fact_score
    by_relation = chosen.relation_score > right.relation_score
    if by_fact and by_relation:
        preferred = "both scores"
    else:
        preferred = "the fact score alone" if by_fact else "the relation score alone"
    return {PREFERRED: preferred, KNOWLEDGE: "found" if right.known else "none"}
