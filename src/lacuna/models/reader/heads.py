"""What the model gives out: the contract between the network and all that reads it.

Every head is a column of one of two matrices, so that one file holds them all. A score that the
papers take from a first and a last token (a link, a sentence, a number) is a sum of two columns,
one read at each of these tokens.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Final

COUNTS: Final = 10
SIGNS: Final = (0, 1, -1)
TAGS: Final = ("outside", "begin", "inside")


class HeadKind(IntEnum):
    """How an answer comes about; the order of the kind head's columns."""

    SPAN = 0
    SPANS = 1
    NUMBER = 2
    COUNT = 3
    YES = 4
    NO = 5
    NONE = 6


class Columns:
    """Names for the columns of both matrices."""

    # one row a token
    START: Final = 0
    END: Final = 1
    SENTENCE: Final = (2, 3)  # at its first token, at its last
    LINK: Final = (4, 5)
    TAG: Final = slice(6, 9)
    SIGN: Final = (slice(9, 12), slice(12, 15))
    PER_TOKEN: Final = 15

    # one row a sequence
    KIND: Final = slice(0, 7)
    COUNT: Final = slice(7, 17)
    RELEVANCE: Final = 17
    CHOICE: Final = 18
    YES_NO_ACT: Final = slice(19, 22)
    FOLLOW_UP_ACT: Final = slice(22, 25)
    PER_SEQUENCE: Final = 25
