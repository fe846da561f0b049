"""SNLI: statements that a sentence supports or contradicts, asked as questions for yes or no."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import groupby

from lacuna.datasets.fields import Fields
from lacuna.train.data.together import together
from lacuna.types import Answer, AnswerKind, Document, Gold, Question

ANSWERS = {
    "entailment": (Answer.yes(),),
    "contradiction": (Answer.no(),),
    "neutral": (Answer.none(),),
    "-": (),
}
"""By their labels; annotators did not agree on "-"."""
VERB = re.compile(r"\b(is|are|was|were|can|will|could|has|have)(n't| not)?\b", re.IGNORECASE)
NO_SUBJECT = re.compile(r"\b(?:who|that|which|where|while|when|as|if)$", re.IGNORECASE)
PERFECT = re.compile(r" (?:not )?(?:been|\w+ed|gone|taken|fallen|made|done|got|gotten)\b")
LONGEST_SUBJECT = 8
NO_QUESTION = "a statement that gives no question, or has no opposite"


def decode(fields: Fields, number: int) -> Question:
    """A line: the ``hypothesis`` stands for the question, the ``premise`` is its text."""
    label = fields.text("label")
    if label not in ANSWERS:
        raise fields.bad("label", "entailment, contradiction, neutral or -")
    document = Document("", fields.text("premise"))
    gold = Gold(ANSWERS[label])
    return Question(str(number), fields.text("hypothesis"), document, gold=gold)


def opposite_claims(questions: Iterable[Question], left_out: Counter[str]) -> Iterator[Question]:
    """Pairs of a supported and a contradicted statement about the same sentence, as questions."""
    for _, group in groupby(questions, key=lambda q: q.context.text if q.context else ""):
        claims: dict[AnswerKind, list[Question]] = {kind: [] for kind in AnswerKind}
        seen = used = 0
        for statement in group:
            seen += 1
            assert statement.gold is not None
            if text := asked(statement.text):
                claims[statement.gold.answers[0].kind].append(replace(statement, text=text))
        for pair in zip(claims[AnswerKind.YES], claims[AnswerKind.NO], strict=False):
            used += len(pair)
            yield from together(*pair)
        left_out[NO_QUESTION] += seen - used


def asked(statement: str) -> str | None:
    """The question whether it is so; None where its first verb cannot simply be put in front.

    >>> asked("The old men aren't at home.")
    'Are the old men not at home?'
    >>> asked("A man smokes.")
    """
    statement = " ".join(statement.split()).rstrip(".!")
    found = VERB.search(statement)
    if found is None:
        return None
    subject, rest = statement[: found.start()].rstrip(), statement[found.end() :]
    if not subject or not rest or NO_SUBJECT.search(subject):
        return None
    if len(subject.split()) > LONGEST_SUBJECT or "," in subject or "?" in statement:
        return None
    verb = found[1].capitalize()
    if verb in ("Has", "Have") and not PERFECT.match(rest):
        return None
    negation = " not" if found[2] else ""
    return f"{verb} {subject[:1].lower()}{subject[1:]}{negation}{rest}?"
