"""Word pieces with the characters that they stand for."""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Sequence
from pathlib import Path
from threading import Lock
from typing import NamedTuple

import numpy as np
import tokenizers
from numpy.typing import NDArray

from lacuna.answer_mode import AnswerMode
from lacuna.errors import LacunaError

Ints = NDArray[np.int32]
Covers = tuple[Ints, Ints]
"""First and last piece of many segments of a text; first is behind last where no piece is."""
REMEMBERED = 1 << 20
"""Tokens that stay cached, of the texts read last: the questions of a dialog share one section."""
HALF_A_PAIR = re.compile(r"[\ud800-\udfff]")
"""What JSON may hold but no tokenizer takes."""


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

    def covers(self, spans: Sequence[tuple[int, int]]) -> Covers:
        """What ``cover`` says of many segments at once."""
        edges = np.array(spans, np.int32).reshape(-1, 2)
        first = np.searchsorted(self.ends, edges[:, 0], "right")
        last = np.searchsorted(self.starts, edges[:, 1], "left") - 1
        return first.astype(np.int32), last.astype(np.int32)


class Tokenizer:
    """A tokenizer file and the special pieces that inputs are built with.

    Several threads may share one.
    """

    def __init__(self, path: Path) -> None:
        try:
            self._tokenizer = tokenizers.Tokenizer.from_file(str(path))
        except Exception as problem:  # the only class that tokenizers raises
            raise LacunaError(
                f"{path} cannot be loaded as a tokenizer; it may be cut short. Get the model "
                f"again. (tokenizers says: {problem})"
            ) from problem
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()
        self._tokenizer.encode_special_tokens = True  # "[SEP]" in a user's text is only text
        self._path = path
        self._seen: OrderedDict[str, TokenText] = OrderedDict()
        self._held = 0
        self._lock = Lock()
        self.pad = self._id("[PAD]")
        self.begin = self._id("[CLS]")
        self.separator = self._id("[SEP]")
        self.document = self._id("[unused1]")
        self.text = self._id("[unused2]")
        self.turn = self._id("[unused3]")
        self.modes = {mode: self._id(f"[unused{20 + i}]") for i, mode in enumerate(AnswerMode)}

    def _id(self, piece: str) -> int:
        found = self._tokenizer.token_to_id(piece)
        if found is None:
            raise LacunaError(
                f"the tokenizer in {self._path} has no piece {piece}; a vocabulary of BERT's is "
                "needed. Get the model again, or train from another encoder."
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
        with self._lock:
            if (known := self._seen.get(text)) is not None:
                self._seen.move_to_end(text)
                return known
        whole = HALF_A_PAIR.sub("\N{REPLACEMENT CHARACTER}", text)
        encoding = self._tokenizer.encode(whole, add_special_tokens=False)
        offsets = np.array(encoding.offsets, np.int32).reshape(-1, 2)
        ids = np.array(encoding.ids, np.int32)
        made = TokenText(ids, offsets[:, 0].copy(), offsets[:, 1].copy())
        self._remember(text, made)
        return made

    def _remember(self, text: str, made: TokenText) -> None:
        """Keep the pieces of a text, and forget the texts that were read longest ago."""
        with self._lock:
            if text in self._seen:  # another thread was quicker
                return
            self._seen[text] = made
            self._held += len(made.ids) + 1
            while self._held > REMEMBERED:
                _, old = self._seen.popitem(last=False)
                self._held -= len(old.ids) + 1
