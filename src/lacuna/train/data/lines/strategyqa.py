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
    """The facts of each question among others: those most like it in words, then any."""
    random, remaining = Random(seed), iter(questions)
    while block := list(islice(remaining, AT_ONCE)):
        facts = [sentences_of(question.context) for question in block if question.context]
        everything = [fact for own in facts for fact in own]
        asked = (question.text for question in block)
        nearest = SimilarTexts(everything).best(asked, 2 * MOST)
        for number, (question, near) in enumerate(zip(block, nearest, strict=True)):
            any_ = random.sample(range(len(everything)), min(2 * MOST, len(everything)))
            others = dict.fromkeys(everything[each] for each in (*near, *any_))
            distinct = [fact for fact in others if fact not in facts[number]]
            assert question.context
            assert question.gold
            title, chosen = question.context.title, distinct[: random.randint(FEWEST, MOST)]
            document, own = hidden_among(title, facts[number], chosen, random)
            gold = replace(question.gold, supporting_facts=own)
            yield replace(question, context=document, gold=gold)
