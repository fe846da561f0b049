"""The words of a question that a search looks for: not those that only ask."""

from __future__ import annotations

from collections.abc import Iterator

from lacuna.corpus.text_index import Analyzer

QUESTION_WORDS = frozenset(
    """
    what which who whom whose when where why how do does did can could may might should would
    has have had am were been being any some so than from about
    I i my me we our you your he she his her its
    """.split()  # noqa: SIM905 - a list of quoted words would fill a page
)
"""Words that say how something is asked; the index has no "is", "was", "the" and the like."""
ENDINGS = frozenset({"s", "t", "m", "d", "ll", "re", "ve"})
"""What the index makes of the end of "Voss's" and "don't"."""
APOSTROPHES = ("'", "’")


def query_terms(query: str, analyzer: Analyzer) -> list[str]:
    """The terms of a query in order; all of them where it has nothing but question words.

    A capital tells a name from a question word, but not where the question begins.

    >>> query_terms("How old was the ferry's captain in May?", Analyzer())
    ['old', 'ferri', 'captain', 'may']
    """
    return list(_telling(query, analyzer)) or analyzer.terms(query)


def _telling(query: str, analyzer: Analyzer) -> Iterator[str]:
    begins = len(query) - len(query.lstrip())
    for token in analyzer.tokens(query):
        word = query[token.start : token.end]
        if token.start <= begins:
            word = word.lower()
        ending = query[: token.start].endswith(APOSTROPHES) and word in ENDINGS
        if word not in QUESTION_WORDS and not ending:
            yield token.term
