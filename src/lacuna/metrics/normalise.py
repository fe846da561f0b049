"""The answer normalisation and token F1 that SQuAD's, HotpotQA's and QuAC's scorers share."""

from __future__ import annotations

import re
import string
from collections import Counter
from functools import lru_cache
from typing import NamedTuple

ARTICLES = re.compile(r"\b(a|an|the)\b")
NO_PUNCTUATION = str.maketrans("", "", string.punctuation)


class Overlap(NamedTuple):
    """Precision, recall and F1 of a prediction's tokens against a reference's."""

    precision: float
    recall: float
    f1: float


NO_OVERLAP = Overlap(0.0, 0.0, 0.0)


@lru_cache(maxsize=8192)
def normalise(text: str) -> str:
    """Lower case, no punctuation, no articles, single blanks.

    >>> normalise("The  U.S.A.")
    'usa'
    """
    return " ".join(ARTICLES.sub(" ", text.lower().translate(NO_PUNCTUATION)).split())


def overlap(prediction: str, reference: str) -> Overlap:
    """Compare two normalised texts token by token."""
    predicted, wanted = prediction.split(), reference.split()
    same = sum((Counter(predicted) & Counter(wanted)).values())
    if not same:
        return NO_OVERLAP
    precision, recall = same / len(predicted), same / len(wanted)
    return Overlap(precision, recall, 2 * precision * recall / (precision + recall))
