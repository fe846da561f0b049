"""More questions for yes or no, from supported and contradicted claims about the same texts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from random import Random

from lacuna.train.yes_no_compare import both, compared
from lacuna.train.yes_no_numbers import how_many, how_old
from lacuna.train.yes_no_other import Source
from lacuna.train.yes_no_rules import Claim, Rule, when, where, who
from lacuna.types import Answer, Question

RULES: tuple[Rule, ...] = (both, compared, when, where, how_many, how_old, who)


def yes_no_questions(
    questions: Iterable[Question], *, seed: int, at_most: int
) -> Iterator[Question]:
    """Questions for yes or no over the same texts, as many of one as of the other by each rule.

    Questions that no rule fits, and those of a dialog, give none.
    """
    random = Random(seed)
    balance: Counter[Rule] = Counter()
    made = 0
    for question in questions:
        if made >= at_most:
            return
        found = _claim(question, random)
        if found is None:
            continue
        rule, claim = found
        lead = balance[rule]
        yes = lead < 0 or (lead == 0 and random.random() < 0.5)
        balance[rule] += 1 if yes else -1
        made += 1
        yield _made(question, claim.yes if yes else claim.no, yes)


def _claim(question: Question, random: Random) -> tuple[Rule, Claim] | None:
    source = None if question.history or question.choices else Source.of(question)
    if source is None:
        return None
    for rule in RULES:
        if rule is both and random.random() < 0.5:
            continue
        if claim := rule(source, random):
            return rule, claim
    return None


def _made(question: Question, text: str, yes: bool) -> Question:
    answer = Answer.yes() if yes else Answer.no()
    assert question.gold is not None
    gold = replace(question.gold, answers=(answer,), given=None, acts=None)
    id_ = f"{question.id}/{answer.kind}"
    return replace(question, id=id_, text=text, gold=gold, extra={})
