"""Word pieces with the characters that they stand for."""

from __future__ import annotations

from collections import OrderedDict
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from lacuna.read.style import Style

Ints = NDArray[np.int32]
REMEMBERED = 4096
"""Texts whose pieces are kept: the questions of a dialog share one section."""


class TokenText(NamedTuple):
    """The pieces of a text; piece ``i`` is ``text[starts[i]:ends[i]]``."""

    ids: Ints
    starts: Ints
    ends: Ints

    def cover(self, start: int, end: int) -> tuple[int, int] | None:
        """The first and last piece that touch a stretch of characters, or None."""
        first = int(np.searchsorted(self.ends, start, "right"))
        last = int(np.searchsorted(self.starts, end, "left")) - 1
        return (first, last) if first <= last else None


class Pieces:
    """A tokenizer file and the special pieces that inputs are built with."""

    def __init__(self, path: Path) -> None:
        self._tokenizer = Tokenizer.from_file(str(path))
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()
        self._tokenizer.encode_special_tokens = True  # "[SEP]" in a user's text is only text
        self._seen: OrderedDict[str, TokenText] = OrderedDict()
        self.pad = self._id("[PAD]")
        self.begin = self._id("[CLS]")
        self.separator = self._id("[SEP]")
        self.document = self._id("[unused1]")
        self.text = self._id("[unused2]")
        self.turn = self._id("[unused3]")
        self.styles = {style: self._id(f"[unused{20 + i}]") for i, style in enumerate(Style)}

    def _id(self, piece: str) -> int:
        found = self._tokenizer.token_to_id(piece)
        if found is None:
            raise ValueError(
                f"the tokenizer has no piece {piece}; a vocabulary of BERT's is needed"
            )
        return int(found)

    @property
    def vocabulary(self) -> dict[str, int]:
        """Every piece and its number."""
        return dict(self._tokenizer.get_vocab())

    def turn_number(self, turn: int) -> int:
        """The piece that says how far a dialog has gone."""
        return self._id(f"[unused{40 + min(turn, 15)}]")

    def encode(self, text: str) -> TokenText:
        """The pieces of a text, without special ones."""
        if (known := self._seen.get(text)) is not None:
            self._seen.move_to_end(text)
            return known
        encoding = self._tokenizer.encode(text, add_special_tokens=False)
        offsets = np.array(encoding.offsets, np.int32).reshape(-1, 2)
        ids = np.array(encoding.ids, np.int32)
        made = TokenText(ids, offsets[:, 0].copy(), offsets[:, 1].copy())
        self._seen[text] = made
        if len(self._seen) > REMEMBERED:
            self._seen.popitem(last=False)
        return made
