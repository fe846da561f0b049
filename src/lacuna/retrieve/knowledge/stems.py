"""Stems: what two texts must share for the knowledge search to call it a match."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Protocol, cast

from lacuna.text import ARTICLES, STOPWORDS, words


class _Stemmer(Protocol):
    def stemWord(self, word: str) -> str: ...  # noqa: N802 - PyStemmer's name


@cache
def _stemmer() -> _Stemmer:
    # Imported on first use: nothing but the knowledge search needs it.
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
    return [_stem(word) for word in words(text) if word not in STOPWORDS]


def sameness_key(text: str) -> str:
    """Two texts with the same key say the same in the same words.

    Case, punctuation, articles and word endings make no difference; word order does.

    >>> sameness_key("The metals let heat through.") == sameness_key("a metal lets heat through")
    True
    """
    return " ".join(_stem(word) for word in words(text) if word not in ARTICLES)
