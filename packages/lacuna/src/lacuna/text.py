"""The words of a text, their stems, and the words that say little by themselves.

Three ways to find words stand side by side, because indexes, trained models and published
algorithms depend on each: ``words`` for comparing texts, ``word_runs`` for HotpotQA's retriever,
and the corpus index's own (``corpus.text_index.Analyzer``), which shares its stop words with the
search for names.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache
from typing import Protocol, cast

WORD = re.compile(r"[^\W_]+")
WORD_RUN = re.compile(r"\w+")
APOSTROPHES = str.maketrans({"'": None, "’": None})

ARTICLES = frozenset({"a", "an", "the"})

# The list of Lucene's English analyzer: every corpus on disk was indexed without these words, so
# changing it needs a new store format.
# fmt: off
INDEX_STOP_WORDS = (
    "a", "an", "and", "are", "as", "at", "be", "but", "by", "for", "if", "in", "into", "is", "it",
    "no", "not", "of", "on", "or", "such", "that", "the", "their", "then", "there", "these",
    "they", "this", "to", "was", "will", "with",
)
# fmt: on

# All closed-class English words: the knowledge search needs every word it looks up to carry
# meaning, and GapQA was trained on what it finds. They are removed before stemming, without their
# apostrophes.
STOP_WORDS = ARTICLES | frozenset(
    """
    i me my mine myself we us our ours ourselves you your yours yourself yourselves he him his
    himself she her hers herself it its itself they them their theirs themselves
    this that these those here there who whom whose which what when where why how
    am is are was were be been being do does did doing done have has had having
    can could may might must shall should will would ought
    isnt arent wasnt werent dont doesnt didnt havent hasnt hadnt cant cannot couldnt mustnt
    shouldnt wont wouldnt im youre theyre ive youve weve theyve youll theyll
    and or but nor if then else than so because as while until though although whether
    of at by for with about against between into through during before after above below to from
    up down in out on off over under onto upon within without across along toward towards
    again further once only same such too very just also not no yes
    some any each every both all most more few other another several much many
    s t etc
    """.split()  # noqa: SIM905 - a list of quoted words would fill a page
)


def words(text: str) -> list[str]:
    """The words of a text in lower case, without punctuation.

    >>> words("The dog's well-fed.")
    ['the', 'dogs', 'well', 'fed']
    """
    plain = text if text.isascii() else unicodedata.normalize("NFKC", text)
    return WORD.findall(plain.lower().translate(APOSTROPHES))


def word_runs(text: str) -> list[str]:
    """Lower-case runs of letters, digits and underscores, as HotpotQA's retriever counts words.

    >>> word_runs("The dog's well-fed.")
    ['the', 'dog', 's', 'well', 'fed']
    """
    return WORD_RUN.findall(text.lower())


class _Stemmer(Protocol):
    def stemWord(self, word: str) -> str: ...  # noqa: N802 - PyStemmer's name


@cache
def _stemmer() -> _Stemmer:
    # Imported on first use: only GapQA and its knowledge search need it.
    import Stemmer  # type: ignore[import-not-found] # it has no types

    return cast(_Stemmer, Stemmer.Stemmer("english"))


@lru_cache(maxsize=1 << 16)
def _stem(word: str) -> str:
    return _stemmer().stemWord(word)


def content_stems(text: str) -> list[str]:
    """The stems of the words that are not stop words, in order.

    >>> content_stems("a steel spoon in the cafeterias")
    ['steel', 'spoon', 'cafeteria']
    """
    return [_stem(word) for word in words(text) if word not in STOP_WORDS]


def sameness_key(text: str) -> str:
    """Two texts with the same key say the same in the same words.

    Case, punctuation, articles and word endings make no difference; word order does.

    >>> sameness_key("The metals let heat through.") == sameness_key("a metal lets heat through")
    True
    """
    return " ".join(_stem(word) for word in words(text) if word not in ARTICLES)
