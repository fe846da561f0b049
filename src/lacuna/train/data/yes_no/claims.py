"""More questions for yes or no, from supported and contradicted claims about the same texts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import groupby, islice
from random import Random

from lacuna.train.data.yes_no.comparisons import both, compared
from lacuna.train.data.yes_no.kinds import answers_by_kind, kind_of
from lacuna.train.data.yes_no.named_claims import amounts, did_it, is_the
from lacuna.train.data.yes_no.numbers import how_many, how_old
from lacuna.train.data.yes_no.other_values import Source
from lacuna.train.data.yes_no.rules import Claim, Rule, when, where, who
from lacuna.types import Answer, Question

RULES: tuple[Rule, ...] = (
    both, compared, when, where, how_many, how_old, amounts, did_it, is_the, who,
)  # fmt: skip
TOGETHER = 1000
"""Questions at most among which others of a kind are looked for."""


def yes_no_questions(
    questions: Iterable[Question], *, seed: int, at_most: int, of_one_rule: float = 1.0
) -> Iterator[Question]:
    """Pairs of questions over the same texts, one for yes and one for no.

    Questions that no rule fits, and those of a dialog, give none. No rule makes more than its
    share of ``at_most``.
    """
    random = Random(seed)
    made: Counter[Rule] = Counter()
    for article in _together(questions):
        kinds = answers_by_kind(article)
        for question in article:
            if 2 * made.total() + 2 > at_most:
                return
            found = _claim(question, kinds, random)
            if found is None or 2 * made[found[0]] >= of_one_rule * at_most:
                continue
            rule, claim = found
            made[rule] += 1
            yield _made(question, claim.yes, Answer.yes())
            yield _made(question, claim.no, Answer.no())


def _together(questions: Iterable[Question]) -> Iterator[list[Question]]:
    for _, group in groupby(questions, key=lambda q: q.context.title if q.context else ""):
        while some := list(islice(group, TOGETHER)):
            yield some


def _claim(
    question: Question, kinds: dict[str, tuple[str, ...]], random: Random
) -> tuple[Rule, Claim] | None:
    if question.history or question.choices:
        return None
    source = Source.of(question, kinds.get(kind_of(question.text), ()))
    if source is None:
        return None
    for rule in RULES:
        if rule is both and random.random() < 0.5:
            continue
        claim = rule(source, random)
        if claim and claim.yes != claim.no:
            return rule, claim
    return None


def _made(question: Question, text: str, answer: Answer) -> Question:
    assert question.gold is not None
    gold = replace(question.gold, answers=(answer,), given=None, acts=None)
    id_ = f"{question.id}/{answer.kind}"
    return replace(question, id=id_, text=text, gold=gold, extra={})
