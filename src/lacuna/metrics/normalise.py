"""The answer normalisation and token F1 that SQuAD's, HotpotQA's and QuAC's scorers share."""

from __future__ import annotations

import re
import string
from collections import Counter
from functools import lru_cache
from typing import NamedTuple

ARTICLES = re.compile(r"\b(a|an|the)\b")
ARTICLE_WORDS = frozenset({"a", "an", "the"})
NO_PUNCTUATION = str.maketrans("", "", string.punctuation)


class Overlap(NamedTuple):
    """Precision, recall and F1 of a prediction's tokens against a reference's."""

    precision: float
    recall: float
    f1: float


NO_OVERLAP, FULL_OVERLAP = Overlap(0.0, 0.0, 0.0), Overlap(1.0, 1.0, 1.0)


@lru_cache(maxsize=65536)
def normalise(text: str) -> str:
    """Lower case, no punctuation, no articles, single blanks.

    >>> normalise("The  U.S.A.")
    'usa'
    """
    bare = text.lower().translate(NO_PUNCTUATION)
    if bare.isascii() and bare.isprintable():
        # Only letters, digits and blanks are left, so that words are what stands between blanks.
        return " ".join([word for word in bare.split() if word not in ARTICLE_WORDS])
    return " ".join(ARTICLES.sub(" ", bare).split())


def overlap(prediction: str, reference: str) -> Overlap:
    """Compare two normalised texts token by token."""
    if prediction == reference:
        return FULL_OVERLAP if prediction else NO_OVERLAP
    predicted, wanted = prediction.split(), reference.split()
    distinct = set(predicted), set(wanted)
    if len(distinct[0]) == len(predicted) and len(distinct[1]) == len(wanted):
        same = len(distinct[0] & distinct[1])
    else:
        same = sum((Counter(predicted) & Counter(wanted)).values())
    if not same:
        return NO_OVERLAP
    precision, recall = same / len(predicted), same / len(wanted)
    return Overlap(precision, recall, 2 * precision * recall / (precision + recall))
