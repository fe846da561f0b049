"""Questions for yes or no, from supported and contradicted claims about the same texts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import groupby, islice
from random import Random

from lacuna.train.data.names import answers_by_kind, kind_of
from lacuna.train.data.yes_no.claim_rules import ClaimRule, YesNoClaim, when, where, who
from lacuna.train.data.yes_no.comparison_claims import both, compared
from lacuna.train.data.yes_no.named_claims import amounts, did_it, is_the
from lacuna.train.data.yes_no.number_claims import how_many, how_old
from lacuna.train.data.yes_no.other_values import AnsweredQuestion
from lacuna.types import Answer, Question

RULES: tuple[ClaimRule, ...] = (
    both, compared, when, where, how_many, how_old, amounts, did_it, is_the, who,
)  # fmt: skip
TOGETHER = 1000
"""At most so many questions give each other's other values."""


def yes_no_questions(
    questions: Iterable[Question], *, seed: int, at_most: int, of_one_rule: float = 1.0
) -> Iterator[Question]:
    """Pairs of questions about the same texts, one to be answered with yes and one with no.

    Questions that no rule fits, and those of a dialog, give none. No rule makes more than its
    share of ``at_most``.
    """
    random = Random(seed)
    pairs: Counter[ClaimRule] = Counter()
    for article in _together(questions):
        kinds = answers_by_kind(article)
        for question in article:
            if 2 * pairs.total() + 2 > at_most:
                return
            claimed = _claim(question, kinds, random)
            if claimed is None or 2 * pairs[claimed[0]] >= of_one_rule * at_most:
                continue
            rule, claim = claimed
            pairs[rule] += 1
            yield _with_answer(question, claim.yes, Answer.yes())
            yield _with_answer(question, claim.no, Answer.no())


def _together(questions: Iterable[Question]) -> Iterator[list[Question]]:
    for _, group in groupby(questions, key=lambda q: q.context.title if q.context else ""):
        while part := list(islice(group, TOGETHER)):
            yield part


def _claim(
    question: Question, kinds: dict[str, tuple[str, ...]], random: Random
) -> tuple[ClaimRule, YesNoClaim] | None:
    if question.history or question.choices:
        return None
    asked = AnsweredQuestion.of(question, kinds.get(kind_of(question.text), ()))
    if asked is None:
        return None
    for rule in RULES:
        if rule is both and random.random() < 0.5:
            continue
        claim = rule(asked, random)
        if claim and claim.yes != claim.no:
            return rule, claim
    return None


def _with_answer(question: Question, text: str, answer: Answer) -> Question:
    assert question.gold is not None
    gold = replace(question.gold, answers=(answer,), given=None, acts=None)
    id_ = f"{question.id}/{answer.kind}"
    return replace(question, id=id_, text=text, gold=gold, extra={})
