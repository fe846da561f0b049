"""What kind of thing a question asks for, and others of the kind in the same article."""

from __future__ import annotations

import re
from collections.abc import Iterable

from lacuna.types import AnswerKind, Question

PERSON = re.compile(r"(?:Who|Whom|Whose)\b", re.IGNORECASE)
OF_KIND = re.compile(
    r"(?:(?:In|On|At|To|From|With|By|For|Of) )?(?:what|which) (?P<noun>[a-z]+)"
    r"(?: (?P<second>[a-z]+))? ",
    re.IGNORECASE,
)
THE_KIND = re.compile(
    r"what (?:is|was|are|were) the (?:name of (?:the )?)?(?P<noun>[a-z]+)(?: (?P<second>[a-z]+))?",
    re.IGNORECASE,
)
WHERE = re.compile(r"where\b", re.IGNORECASE)
VERBS = re.compile(
    r"(?:is|was|are|were|did|does|do|has|had|have|can|could|will|would|the|of|\w+ed)$"
)


def kind_of(question: str) -> str:
    """One word for what is asked for; "" where the words do not say it.

    >>> kind_of("In which small town was she born?"), kind_of("Who built it?"), kind_of("Why?")
    ('town', 'who', '')
    """
    if PERSON.match(question):
        return "who"
    if WHERE.match(question):
        return "where"
    found = THE_KIND.match(question) or OF_KIND.match(question)
    if not found or VERBS.match(found["noun"]):
        return ""
    second = found["second"]
    return (found["noun"] if not second or VERBS.match(second) else second).casefold()


def answers_by_kind(questions: Iterable[Question]) -> dict[str, tuple[str, ...]]:
    """The short answers of some questions, each once, by what was asked for."""
    found: dict[str, dict[str, None]] = {}
    for question in questions:
        kind = kind_of(question.text)
        answers = question.gold.answers if question.gold else ()
        if kind and answers and answers[0].kind is AnswerKind.SPAN:
            text = " ".join(answers[0].text.split())
            if len(text.split()) <= 5:
                found.setdefault(kind, {})[text] = None
    return {kind: tuple(texts) for kind, texts in found.items()}
