"""IIRC's answers as its snippet file writes them, turned into typed answers."""

from __future__ import annotations

import re

from lacuna.datasets.drop.drop_format import number_value
from lacuna.train.data.text_search import find_text
from lacuna.types import Answer, AnswerKind

NUMBER = re.compile(r"[$£€]?(\d[\d,]*(?:\.\d+)?)%?(?: [^\W\d]+\.?)?")
"""A number, at most with a word for its unit."""
MONTH = re.compile(r"\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b", re.IGNORECASE)


def cleaned(text: str) -> str:
    r"""An answer without the punctuation and lines that were marked along with it.

    >>> cleaned(" Kim Philby\n\nHarold Adrian Russell Philby")
    'Kim Philby'
    >>> cleaned("the West Branch, and East Branch.")
    'the West Branch, and East Branch'
    """
    lines = [" ".join(line.split()) for line in text.splitlines()]
    first = next((line for line in lines if line), "")
    bare = first.rstrip(" ,;:").lstrip(" ,;:.")
    # A last full stop stays where it ends an abbreviation: "Normal, Ill.", "Inc.", "U.S."
    if bare.endswith(".") and not re.search(r"(?:\b\w|\.\w|\b[A-Z]\w{1,3})\.$", bare):
        bare = bare[:-1]
    return bare


def bare_number(text: str) -> float | None:
    """The value of a text that is a number and at most a unit.

    >>> bare_number("3,190 km"), bare_number("16 May"), bare_number("route 66")
    (3190.0, None, None)
    """
    match = NUMBER.fullmatch(text)
    return number_value(match[1]) if match and not MONTH.search(text) else None


def typed_answers(answer: Answer, texts: tuple[str, ...]) -> tuple[Answer, ...]:
    """The types that an answer may have, given the texts; none where they do not contain it.

    A number may be calculated, so the texts need not contain it.
    """
    if answer.kind is not AnswerKind.SPAN:
        return (answer,)
    text = cleaned(answer.texts[0])
    written = next((match for where in texts if (match := find_text(text, where))), None)
    value = bare_number(text)
    number = () if value is None else (Answer.number(value, text),)
    return (*((Answer.span(written),) if written else ()), *number)
