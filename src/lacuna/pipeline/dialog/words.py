"""Words of closed classes, and the words of a question with their places."""

from __future__ import annotations

import re
from typing import NamedTuple

WH = frozenset(("who", "whom", "whose", "what", "which", "when", "where", "why", "how"))
BE = frozenset(("is", "are", "was", "were", "be", "been"))
DO = frozenset(("do", "does", "did"))
NEGATED = frozenset(
    ("don't", "doesn't", "didn't", "isn't", "aren't", "wasn't", "weren't", "hasn't", "haven't",
     "hadn't", "mustn't", "can't", "couldn't", "shouldn't", "wouldn't", "won't")
)  # fmt: skip
AUXILIARIES = BE | DO | NEGATED | frozenset(
    ("has", "have", "had", "can", "could", "may", "might", "must", "shall", "should", "will",
     "would")
)  # fmt: skip
PREPOSITIONS = frozenset(
    ("about", "above", "across", "after", "against", "along", "among", "around", "as", "at",
     "before", "behind", "below", "beside", "between", "beyond", "by", "during", "except", "for",
     "from", "in", "inside", "into", "like", "near", "off", "on", "onto", "out", "outside", "over",
     "per", "since", "than", "through", "to", "toward", "towards", "under", "until", "up", "upon",
     "via", "with", "within", "without")
)  # fmt: skip
ARTICLES = frozenset(("a", "an", "the"))
POSSESSIVES = frozenset(("my", "your", "our", "his", "her", "its", "their"))
DETERMINERS = ARTICLES | POSSESSIVES | frozenset(
    ("this", "that", "these", "those", "each", "every", "any", "some", "all", "both", "no",
     "another")
)  # fmt: skip
PRONOUNS = frozenset(
    ("i", "me", "you", "we", "us", "he", "him", "she", "it", "they", "them", "hers", "theirs",
     "himself", "herself", "itself", "themselves", "there", "one", "someone", "anyone", "else",
     "anything", "something", "nothing", "everything", "everyone", "nobody")
)  # fmt: skip
CONJUNCTIONS = frozenset(("and", "or", "but", "if", "because", "while", "whether", "though"))
ADVERBS = frozenset(
    ("also", "always", "ever", "exactly", "first", "last", "never", "not", "now", "often", "once",
     "only", "really", "still", "then", "today", "usually", "again", "already", "back", "down",
     "so", "together", "further", "afterwards", "later", "next", "well", "anymore", "too", "just")
)  # fmt: skip
PEOPLE = frozenset(
    ("people", "men", "women", "children", "mice", "feet", "teeth", "staff", "police")
)
"""Plurals that do not end in s."""
YEAR = re.compile(r"\b(?:1\d{3}|20\d\d)\b")
MONTH = re.compile(
    r"\b(?:January|February|March|April|June|July|August|September|October|November|December)\b"
    r"|\bMay(?= \d| of )"
)
CODE = re.compile(r"_|^-{1,2}\w|\w[./:]\w|[a-z]\d|\d[a-z]|[()=$]")
TRIMMED = '?!,;:"“”«»()`'


class PlacedWord(NamedTuple):
    """A word of a text, and where it stands."""

    text: str
    start: int
    end: int

    @property
    def lower(self) -> str:
        """As it would be in the middle of a sentence."""
        return self.text.lower()


def words_of(text: str) -> list[PlacedWord]:
    """The words between spaces, without the punctuation around them.

    >>> [word.text for word in words_of("Is --quick safe, or slow?")]
    ['Is', '--quick', 'safe', 'or', 'slow']
    """
    found = []
    for match in re.finditer(r"\S+", text):
        left = match[0].lstrip(TRIMMED + "'‘")
        bare = left.rstrip(TRIMMED + "'’").rstrip(".") if left else ""
        if bare:
            start = match.start() + len(match[0]) - len(left)
            found.append(PlacedWord(bare, start, start + len(bare)))
    return found


def is_capital(word: str) -> bool:
    """Whether a word is written like a name.

    >>> is_capital("Orm"), is_capital("i32")
    (True, False)
    """
    return word[:1].isupper()


def is_code(text: str) -> bool:
    """Whether it is something that one types: an option, a setting, a path.

    >>> [is_code(text) for text in ("cache_size", "--quick", "f64", "lake")]
    [True, True, True, False]
    """
    return any(CODE.search(word) for word in text.split())


def is_time(text: str) -> bool:
    """Whether a year or a month is in it.

    >>> is_time("the summer of 1931"), is_time("the lake")
    (True, False)
    """
    return bool(YEAR.search(text) or MONTH.search(text))


def head_of(phrase: str) -> str:
    """The word that says what a phrase names: its last one, before "of" and the like.

    >>> head_of("the default value of cache_size")
    'value'
    """
    before = re.split(r" (?:of|in|on|for|at|from|with) ", phrase, maxsplit=1)[0].split()
    return before[-1] if before else ""


def is_plural(phrase: str) -> bool:
    """Whether it names several things, as its spelling goes.

    >>> is_plural("reed otters"), is_plural("the bus of a class"), is_plural("Mr Watts")
    (True, False, False)
    """
    head = head_of(phrase)
    if " and " in phrase and not is_capital(phrase):
        return True
    if is_code(head) or (is_capital(head) and not phrase.startswith(("the ", "The "))):
        return False
    low = head.lower()
    return low in PEOPLE or (
        len(low) > 3 and low.endswith("s") and not low.endswith(("ss", "us", "is"))
    )


def plural_of(phrase: str) -> str:
    """Several of them.

    >>> plural_of("male giraffe"), plural_of("daily entry")
    ('male giraffes', 'daily entries')
    """
    if phrase.endswith("y") and phrase[-2:-1] not in "aeiou":
        return phrase[:-1] + "ies"
    return phrase + ("es" if phrase.endswith(("s", "x", "ch", "sh")) else "s")


def sentence_case(text: str) -> str:
    """With a capital letter to begin with, and a question mark at the end.

    >>> sentence_case("when did he leave")
    'When did he leave?'
    """
    bare = text.strip().rstrip("?. ")
    return f"{bare[:1].upper()}{bare[1:]}?"
