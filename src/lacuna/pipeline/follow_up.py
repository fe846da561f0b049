"""Questions that need the turns before them: "And when did he leave?"."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from lacuna.corpus.store import Store
from lacuna.types import AnswerKind, Evidence, Turn

PRONOUN = re.compile(
    r"\b(he|she|it|they|him|them|his|hers|its|their|theirs|her|himself|herself|itself|there)\b",
    re.IGNORECASE,
)
POSSESSIVE = frozenset(("his", "its", "their"))
UNSUITED = frozenset(("there", "hers", "theirs", "himself", "herself", "itself"))
"""A name in their place would not read as English; "there" may also stand for nothing."""
DEMONSTRATIVE = re.compile(r"\b(this|that|these|those|then|else|more|again)\b", re.IGNORECASE)
GOES_ON = re.compile(r"(and|but|or|so|also|what about|how about)\b", re.IGNORECASE)
NAME = re.compile(r"[A-Z][\w'’.-]*(?: (?:of|the|de|and|von|van|[A-Z0-9][\w'’.-]*))* ?")
ENDS_SMALL = re.compile(r"(?: (?:of|the|de|and|von|van))+$")
AFTER_OBJECT = frozenset(
    ("a", "an", "the", "to", "for", "in", "on", "at", "by", "of", "with", "from", "and", "or",
     "as", "when", "while", "after", "before", "during", "do", "die", "leave", "become", "was")
)  # fmt: skip
FEW_WORDS = 3
CALCULATED = re.compile(
    r"\bhow (?:old|long|many (?:years|months|weeks|days|more|fewer)|much \w*(?:er|more|less))\b",
    re.IGNORECASE,
)

Knows = Callable[[str], bool]
"""Whether a name is that of a document, or of a person's."""
LIFETIME = re.compile(r"\([^()]*\b\d{3,4}\b[^()]*\)|\bborn\b")
BEGINNING = 160
"""Characters in which a person's lifetime stands, if anywhere."""
PERSONAL = re.compile(r"\b(he|she|him|his|her|hers|himself|herself)\b", re.IGNORECASE)


def needs_context(question: str) -> bool:
    """Whether a question cannot be understood by itself.

    >>> [needs_context(question) for question in ("And when did he leave?", "Why?")]
    [True, True]
    >>> needs_context("When did Ada Quill leave her ship?")
    False
    """
    if GOES_ON.match(question) or len(question.split()) <= FEW_WORDS:
        return True
    found = PRONOUN.search(question)
    if found and not any(name in question[: found.start()] for name in names_in(question)):
        return True
    return not names_in(question) and bool(DEMONSTRATIVE.search(question))


def may_need_calculation(question: str) -> bool:
    """Whether the answer may be a difference of numbers or dates, which no text quotes.

    >>> may_need_calculation("How old was he then?")
    True
    """
    return CALCULATED.search(question) is not None


def rewrite(question: str, topic: str) -> str:
    """The question with the topic in the place of its first pronoun.

    >>> rewrite("And when did he leave?", "Ada Quill")
    'When did Ada Quill leave?'
    >>> rewrite("How long was her ship?", "Ada Quill")
    "How long was Ada Quill's ship?"
    """
    text = re.sub(r"^(and|but|so|or)[,\s]+", "", question.strip(), flags=re.IGNORECASE)
    text = text[:1].upper() + text[1:]
    found = next((one for one in PRONOUN.finditer(text) if one[0].lower() not in UNSUITED), None)
    if found is None:
        return text
    word, rest = found[0].lower(), text[found.end() :]
    owns = word in POSSESSIVE or (word == "her" and _names_a_thing(rest))
    return text[: found.start()] + topic + ("'s" if owns else "") + rest


def topic_of(
    question: str, history: Sequence[Turn], title: str, known: Knows, person: Knows
) -> str:
    """What a question is about: the last name in an answer or a question; else the title.

    A name of which there is a document goes before one of which there is none. "He" or "she" is a
    person if there was one, be it only in the text that an answer was taken from.
    """
    named = [name for turn in reversed(history) for name in _names_of(turn)]
    if PERSONAL.search(question):
        read = [place.document for turn in reversed(history) for place in _places(turn)]
        if found := next((name for name in (*named, title, *read) if name and person(name)), ""):
            return found
    return next((name for name in named if known(name)), "") or title or next(iter(named), "")


def _places(turn: Turn) -> tuple[Evidence, ...]:
    return turn.answer.found_at if turn.answer else ()


def names_in(text: str) -> list[str]:
    """What looks like names; the first word of a question, which is always capital, is none.

    >>> names_in("When did the Bank of Selmory open?")
    ['Bank of Selmory']
    """
    first = re.match(r"\W*\w+", text)
    found = NAME.finditer(text, first.end() if first else 0)
    names = (ENDS_SMALL.sub("", one[0].strip(" .")).removesuffix("'s") for one in found)
    return [name for name in names if name]


def _names_of(turn: Turn) -> list[str]:
    answer = turn.answer
    in_question = names_in(turn.question)
    if answer is None or answer.kind not in (AnswerKind.SPAN, AnswerKind.SPANS):
        return in_question
    whole = [text for text in answer.texts if NAME.fullmatch(text)]
    return whole + in_question


def _names_a_thing(rest: str) -> bool:
    """Whether "her" is followed by what is hers, not by the rest of a sentence about her."""
    following = re.match(r"\s+([\w-]+)", rest)
    return following is not None and following[1].lower() not in AFTER_OBJECT


def is_person(store: Store, title: str) -> bool:
    """Whether the document of that title begins with a lifetime, as those of people do."""
    resolved = store.resolve(title)
    if resolved is None:
        return False
    return bool(LIFETIME.search(store.document(resolved).text[:BEGINNING]))
