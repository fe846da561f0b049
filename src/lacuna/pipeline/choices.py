"""Questions with choices: from what somebody typed, and what every one of them must have."""

from __future__ import annotations

from collections.abc import Sequence
from string import ascii_uppercase

from lacuna.errors import LacunaError
from lacuna.types import Choice, Question

SEPARATOR = "|"
FEWEST, MOST = 2, len(ascii_uppercase)
"""How many choices there may be; each gets a letter."""


class BadChoices(LacunaError):  # noqa: N818 - it is named after the question's fault
    """A question that GapQA cannot be asked; ``code`` names the reason for programs."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


def check_choices(question: Question) -> None:
    """Refuse a question without words, without a core fact, or without choices to choose from."""
    which = f"Question {question.id!r}" if question.id else "The question"
    if not question.text.strip():
        raise BadChoices("question-empty", f"{which} is empty. Write one.")
    if not (question.fact and question.fact.strip()):
        raise BadChoices(
            "fact-empty",
            f"{which} has no core fact, and GapQA begins at one. Give a fact; the reader answers "
            "without one.",
        )
    if len(question.choices) < FEWEST:
        raise BadChoices(
            "too-few-choices", f"{which} has fewer than two choices. Give at least two."
        )
    for choice in question.choices:
        if not choice.text.strip():
            place = f" in question {question.id!r}" if question.id else ""
            raise BadChoices(
                "choice-empty",
                f"Choice {choice.label} is empty{place}. Write something there, or take it out.",
            )


def labelled_question(
    text: str, choices: Sequence[str], fact: str, *, most: int = MOST
) -> Question:
    """A checked question; its choices get the letters A, B, C, … as labels.

    >>> labelled_question("Which is warm?", ["the sun", "ice"], "stars are warm").choices[0]
    Choice(label='A', text='the sun')
    """
    if len(choices) > most:
        raise BadChoices(
            "too-many-choices",
            f"The question has {len(choices)} choices, and may have {most} at most. Leave some "
            "out.",
        )
    labelled = map(Choice, ascii_uppercase, choices)
    question = Question("", text, choices=tuple(labelled), fact=fact)
    check_choices(question)
    return question


def typed_question(text: str, choices: str, fact: str) -> Question:
    """A question whose choices were typed on one line.

    >>> typed_question("Which is warm?", "the sun | ice", "stars are warm").choices[1]
    Choice(label='B', text='ice')
    """
    texts = [part.strip() for part in choices.split(SEPARATOR)]
    try:
        return labelled_question(text, texts, fact.strip())
    except BadChoices as problem:
        if problem.code != "too-few-choices":
            raise
        raise BadChoices(problem.code, f"{problem} Type {SEPARATOR} between them.") from problem
