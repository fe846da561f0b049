"""Questions whose file has them in lower case, written as a text would have them.

Neighbours are written alike, so that the way a question is written tells nothing about its answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from random import Random

from lacuna.train.data.together import units
from lacuna.types import Question

WORD = re.compile(r"[^\W_]+")
WORD_OF_SENTENCE = re.compile(r"((?:[.!?]\s{1,3}|\n)\W{0,3})?([^\W_]+)")
"""A word, and before it what says that a sentence begins."""
APART = re.compile(r"(?<=\w) - (?=\w)")
"""A hyphen that a source has put between blanks."""


def reworded(questions: Iterable[Question], seed: int) -> Iterator[Question]:
    """Half of the questions in writing, the others as typed into a search box."""
    random = Random(seed)
    for unit in units(questions):
        in_writing = random.random() < 0.5
        for question in unit:
            passage = question.context.text if question.context else ""
            text = written(question.text, passage) if in_writing else typed(question.text)
            yield replace(question, text=text)


def typed(text: str) -> str:
    """The question in lower case, without its mark.

    >>> typed("Who built the non - German ferry?")
    'who built the non-german ferry'
    """
    return APART.sub("-", text.lower()).rstrip("?!. ")


def written(text: str, passage: str) -> str:
    """The question with the capitals that its passage has, and a mark.

    What the passage also has in lower case is no name, nor what only begins a sentence. Whatever
    capitals the question has itself are not used: only some questions have them.

    >>> written("who built the ferry marrow", "The ferry Marrow was built by Ada.")
    'Who built the ferry Marrow?'
    """
    forms: dict[str, str] = {}
    for begins, form in WORD_OF_SENTENCE.findall(f"\n{passage}"):
        if not begins and forms.get(form.lower()) != form.lower():
            forms[form.lower()] = form
    text = WORD.sub(lambda match: forms.get(match.group(), match.group()), typed(text))
    return f"{text[:1].upper()}{text[1:]}?"
