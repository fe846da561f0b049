"""Complete names: a question that says "Penhale" for "Agnes Penhale" cannot be found by itself.

The paper asked its workers for complete names, so that most questions are clear without their
paragraphs. Here the server looks: what a title is called without what only tells it apart, and the
words of it that are no name by themselves.
"""

from __future__ import annotations

import re

from lacuna.collect.tasks.hotpotqa.whole_tokens import stands_whole
from lacuna.corpus.mining.paragraphs import ResolveTitle
from lacuna.text import STOP_WORDS

TELLS_APART = re.compile(r"\s*\([^()]*\)\s*$")
SHORTEST = 3


def plain_name(title: str) -> str:
    """A title without the brackets that tell it apart from others.

    >>> plain_name("Kestrel (ship)")
    'Kestrel'
    """
    return TELLS_APART.sub("", title) or title


def short_forms(title: str, resolve: ResolveTitle) -> list[str]:
    """The words of a name that stand for it, but are not the whole of it.

    A word that is a title by itself names something else, and small words name nothing.

    >>> short_forms("Battle of Osk Roads", {"Osk": "Osk"}.get)
    ['Battle', 'Roads']
    """
    words = re.findall(r"[^\W_]+", plain_name(title))
    if len(words) < 2:
        return []
    return [
        word
        for word in dict.fromkeys(words)
        if len(word) >= SHORTEST
        and word[0].isupper()
        and word.lower() not in STOP_WORDS
        and resolve(word) is None
    ]


def names_whole(question: str, title: str) -> bool:
    """Whether a question has the complete name, in whatever capitals."""
    return stands_whole(question.casefold(), plain_name(title).casefold())


def named_in_part(question: str, title: str, short: list[str]) -> str:
    """The word by which a question names something incompletely; empty if it does not."""
    if names_whole(question, title):
        return ""
    # The first word of a question has a capital letter whatever it is.
    _, _, rest = question.strip().partition(" ")
    return next((word for word in short if stands_whole(rest, word)), "")
