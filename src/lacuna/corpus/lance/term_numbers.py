"""A number for every term that is the same on every machine: nobody has to give them out."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b

import numpy as np

TERM_NUMBER = np.dtype("<u8")
MOST_KNOWN = 1_000_000
"""Terms whose numbers are remembered; then all are forgotten."""


class TermNumbers:
    """Numbers of terms; that two of ten million terms share one has odds of 1 to 300,000."""

    def __init__(self) -> None:
        self._known: dict[str, int] = {}

    def of(self, terms: Iterable[str]) -> list[int]:
        """The numbers of some terms."""
        known = self._known
        if len(known) > MOST_KNOWN:
            known = self._known = {}
        return [known.get(term) or self._new(term, known) for term in terms]

    def packed(self, words: str) -> bytes:
        """Those of terms with spaces between, one after the other, as bytes."""
        return np.array(self.of(words.split()), TERM_NUMBER).tobytes()

    def _new(self, term: str, known: dict[str, int]) -> int:
        digest = blake2b(term.encode("utf-8"), digest_size=TERM_NUMBER.itemsize).digest()
        number = known[term] = int.from_bytes(digest, "little")
        return number
