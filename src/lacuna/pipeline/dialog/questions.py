"""The parts of a question: what it asks for, its auxiliary, and the rest."""

from __future__ import annotations

import re
from dataclasses import dataclass

from lacuna.pipeline.dialog.verbs import looks_finite
from lacuna.pipeline.dialog.words import (
    ADVERBS,
    AUXILIARIES,
    DETERMINERS,
    PREPOSITIONS,
    PRONOUNS,
    WH,
    PlacedWord,
    sentence_case,
    words_of,
)

WITH_NOUN = frozenset(("what", "which", "whose", "how"))
LEAD = re.compile(r"^(?:(?:and|but|or|so|also|ok(?:ay)?|well|yes|no)\b[,\s]+)+", re.IGNORECASE)
ABOUT = re.compile(r"^(?:what|how) about\s+|^(?:the )?same for\s+", re.IGNORECASE)
WHY_THAT = re.compile(r"^why (?:is|was) (?:that|this|it)\s*\??$", re.IGNORECASE)
NO_NOUN = re.compile(
    r"^\w+ (?:(?:many|much|other|more|else|exactly)\b ?)?(?:(?:kinds?|types?|sorts?) of )?"
)
AFTER_SHORT = frozenset(("exactly", "not", "else", "so", "then"))


@dataclass(frozen=True, slots=True)
class QuestionShape:
    """A question in parts; ``asking`` is "" for yes or no, ``auxiliary`` "" where a verb follows.

    Together they are the question again, apart from its first letter and its question mark.
    """

    preposition: str
    asking: str
    auxiliary: str
    rest: str

    @property
    def wh(self) -> str:
        """The question word, in lower case."""
        first = self.asking.split()
        return first[0].lower() if first else ""

    @property
    def noun(self) -> str:
        """The noun of "which N", "how many N", "what kind of N"."""
        return NO_NOUN.sub("", self.asking + " ").strip()

    @property
    def text(self) -> str:
        """The question."""
        parts = (self.preposition, self.asking, self.auxiliary, self.rest)
        return sentence_case(" ".join(part for part in parts if part))


def shape_of(question: str) -> QuestionShape:
    """The parts of a question.

    >>> shape = shape_of("After how many tries does Caddo give up?")
    >>> shape.preposition, shape.asking, shape.auxiliary, shape.rest
    ('after', 'how many tries', 'does', 'Caddo give up')
    >>> shape_of("Which option skips the checks?").rest
    'skips the checks'
    """
    text = question.strip().rstrip("?. ")
    words = words_of(text)
    preposition = ""
    if len(words) > 1 and words[0].lower in PREPOSITIONS and words[1].lower in WH:
        preposition, words = words[0].lower, words[1:]
    if not words or words[0].lower not in WH:
        if words and words[0].lower in AUXILIARIES and not preposition:
            return QuestionShape("", "", words[0].lower, text[words[0].end :].strip())
        return QuestionShape("", "", "", text)
    size = _asking_size(words)
    asking = text[words[0].start : words[size - 1].end]
    asking = asking[:1].lower() + asking[1:]
    if size < len(words) and words[size].lower in AUXILIARIES:
        rest = text[words[size].end :].strip()
        return QuestionShape(preposition, asking, words[size].lower, rest)
    return QuestionShape(preposition, asking, "", text[words[size - 1].end :].strip())


def _asking_size(words: list[PlacedWord]) -> int:
    """How many words say what is asked for: "who", "how many tries", "which of the rivers"."""
    size = 1
    if words[0].lower not in WITH_NOUN:
        while size < len(words) and words[size].lower in AFTER_SHORT:
            size += 1
        return size
    closed = (DETERMINERS | PRONOUNS | WH | PREPOSITIONS) - {"of", "else"}
    for number, word in enumerate(words[1:], 1):
        if word.lower in AUXILIARIES:
            return number
        if word.lower in closed and words[number - 1].lower != "of":
            break
    for number, word in enumerate(words[1:], 1):
        opens = word.lower in DETERMINERS | PRONOUNS and word.lower != "else"
        if number > 1 and (looks_finite(word.text) or (opens and words[number - 1].lower != "of")):
            return number
        if number == 1 and words[0].lower in ("what", "which") and _acts(word):
            return number
        if number == 1 and opens:
            return number
    return len(words)


def _acts(word: PlacedWord) -> bool:
    """Whether the word after "what" is already its verb: "What happened next?"."""
    low = word.lower
    return (
        low in ADVERBS
        or low == "happen"
        or low.endswith("ed")
        or (looks_finite(low) and low.endswith("s"))
    )


def without_lead(question: str) -> str:
    """Without the "And" that it begins with, and what says no more than "Why?" as that.

    >>> without_lead("And when did he leave?"), without_lead("But why is that?")
    ('When did he leave?', 'Why?')
    """
    bare = LEAD.sub("", question.strip())
    return sentence_case(WHY_THAT.sub("Why", bare))


def fragment_of(question: str) -> str:
    """What stands alone in "And X?", "What about X?" or "X?"; "" for a whole question.

    >>> fragment_of("What about raw ones?"), fragment_of("And where?"), fragment_of("In 2021?")
    ('raw ones', '', 'In 2021')
    """
    bare = LEAD.sub("", question.strip()).rstrip("?. ")
    about = ABOUT.sub("", bare)
    words = words_of(about)
    if not words:
        return ""
    if about != bare:
        return about
    first, second = words[0].lower, words[1].lower if len(words) > 1 else ""
    if first in WH | AUXILIARIES or (first in PREPOSITIONS and second in WH):
        return ""
    led = bare != question.strip().rstrip("?. ")
    small = len(words) <= (6 if led else 4)
    speaks = any(word.lower in AUXILIARIES for word in words) or (
        first in PRONOUNS and first not in ("one", "there")
    )
    anything = first in ("any", "anything", "anyone", "anybody")
    return about if small and not speaks and not anything else ""


def is_short(shape: QuestionShape) -> bool:
    """Whether nothing follows what is asked for: "Since when?", "At what temperature?".

    >>> is_short(shape_of("By whom?")), is_short(shape_of("Who left?"))
    (True, False)
    """
    return bool(shape.asking) and not shape.auxiliary and not shape.rest
