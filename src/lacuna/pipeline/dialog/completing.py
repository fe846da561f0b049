"""Questions that name only "the festival" or "version 2": of what they are is the topic."""

from __future__ import annotations

import re

from lacuna.pipeline.dialog.phrases import phrases_of
from lacuna.pipeline.dialog.questions import shape_of
from lacuna.pipeline.dialog.words import head_of, is_capital, is_code, is_time

PART = re.compile(
    r"\b(?:version|release|chapter|part|step|section|volume|season|episode|edition|phase|stage) "
    r"[\dIVX][\w.]*(?! of\b)"
)
DEFINITE = re.compile(r"the [a-z][a-z-]*")
UNIQUE = frozenset(
    ("world", "internet", "sun", "moon", "earth", "past", "future", "same", "latter", "former")
)


def completed(question: str, topic: str) -> str:
    """With the topic, where a question leaves it out; as it is where it names something itself.

    >>> completed("When was version 2 released?", "Caddo")
    'When was version 2 of Caddo released?'
    >>> completed("When is the festival?", "Lake Orm")
    'When is the festival of Lake Orm?'
    >>> completed("How deep is the lake?", "Lake Orm")
    'How deep is Lake Orm?'
    >>> completed("How high is Mount Arrel?", "Lake Orm")
    'How high is Mount Arrel?'
    """
    if not (is_capital(topic) or is_code(topic) or topic.startswith("the ")):
        return question
    own = [phrase.text for phrase in phrases_of(shape_of(question))]
    if part := PART.search(question):
        alone = all(part[0] in text for text in own)
        return f"{question[: part.end()]} of {topic}{question[part.end() :]}" if alone else question
    if len(own) != 1 or any(_is_name(text) for text in own):
        return question
    noun = head_of(own[0])
    if not DEFINITE.fullmatch(own[0]) or noun in UNIQUE:
        return question
    same = noun == head_of(topic) or (is_capital(topic) and noun in topic.lower().split())
    if not same and noun in topic.split():
        return question
    return question.replace(own[0], topic if same else f"{own[0]} of {topic}", 1)


def _is_name(text: str) -> bool:
    return is_capital(text.split()[-1]) or is_code(text) or is_time(text)
