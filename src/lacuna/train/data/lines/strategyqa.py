"""StrategyQA: questions for yes or no, and the facts that decide them together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice
from random import Random

from lacuna.datasets.fields import Fields
from lacuna.datasets.hotpotqa.hotpotqa_format import document_of, sentences_of
from lacuna.train.data.evidence_sentences import hidden_among
from lacuna.train.data.lines.boolq import yes_or_no
from lacuna.train.data.text_search import SimilarTexts
from lacuna.types import Gold, Question

AT_ONCE = 1000
"""So many questions give each other facts that decide nothing."""
FEWEST, MOST = 3, 7
"""Facts of other questions that are put among those of a question."""


def decode(fields: Fields, number: int) -> Question:
    """A line: the ``facts`` become one text about the ``term``."""
    facts = (" ".join(fact.split()) for fact in fields.texts("facts"))
    ended = [fact if fact.endswith((".", "!", "?")) else f"{fact}." for fact in facts if fact]
    if not ended:
        raise fields.bad("facts", "some facts")
    document = document_of(fields.text("term"), ended)
    gold = Gold((yes_or_no(fields),))
    return Question(fields.text("qid"), fields.text("question"), document, gold=gold)


def among_facts(questions: Iterable[Question], seed: int) -> Iterator[Question]:
    """The facts of each question among those of others that are most like it in words."""
    random, remaining = Random(seed), iter(questions)
    while block := list(islice(remaining, AT_ONCE)):
        facts = [sentences_of(question.context) for question in block if question.context]
        owners = [(fact, owner) for owner, own in enumerate(facts) for fact in own]
        similar = SimilarTexts([fact for fact, _ in owners])
        nearest = similar.best((question.text for question in block), 2 * MOST)
        for number, (question, near) in enumerate(zip(block, nearest, strict=True)):
            others = [owners[each][0] for each in near if owners[each][0] not in facts[number]]
            others = list(dict.fromkeys(others))[: random.randint(FEWEST, MOST)]
            assert question.context
            assert question.gold
            document, own = hidden_among(question.context.title, facts[number], others, random)
            gold = replace(question.gold, supporting_facts=own)
            yield replace(question, context=document, gold=gold)
