"""What the model reads of a question with choices: rows of word pieces, each piece with its part.

Three kinds of rows: the question beside the fact (where the key span is found, and what can be
composed with the fact); for each choice the question, the choice and the fact; and for each line
of knowledge the span, the choice and the line. Rows look like the reader's own inputs, since the
model was trained on from the reader.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lacuna.answer_mode import AnswerMode
from lacuna.errors import LacunaError
from lacuna.models.reader.model_input import MAX_TOKENS
from lacuna.models.tokenizer import Tokenizer

Ints = NDArray[np.int32]
LONGEST = MAX_TOKENS


class Part(IntEnum):
    """Whose token it is."""

    PADDING = 0
    GLUE = 1
    QUESTION = 2
    CHOICE = 3
    FACT = 4
    SPAN = 5
    KNOWLEDGE = 6


class Row(NamedTuple):
    """One sequence: ids and the part of each."""

    ids: Ints
    parts: Ints

    @classmethod
    def joined(cls, pieces: Sequence[tuple[Part, Sequence[int] | Ints]]) -> Row:
        """One row of several texts and what stands between them."""
        ids = np.concatenate([np.asarray(some, np.int32) for _, some in pieces])
        parts = np.repeat([part for part, _ in pieces], [len(some) for _, some in pieces])
        return cls(ids.astype(np.int32), parts.astype(np.int32))


class RowMaker:
    """Builds rows of word pieces."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer
        self._between = [tokenizer.document, tokenizer.text]

    def start_of_fact(self, question: str) -> int:
        """Where in ``question_row`` the fact begins."""
        return 2 + len(self._encode(question)) + 1 + len(self._between)

    def question_row(self, question: str, fact: str) -> Row:
        """The question beside the fact."""
        parts = [(Part.QUESTION, self._encode(question)), (Part.FACT, self._encode(fact))]
        return self._row(AnswerMode.EXTRACT, parts)

    def choice_row(self, question: str, choice: str, fact: str | None) -> Row:
        """The question, a choice, and the fact if there is one."""
        parts = [(Part.QUESTION, self._encode(question)), (Part.CHOICE, self._encode(choice))]
        if fact is not None:
            parts.append((Part.FACT, self._encode(fact)))
        return self._row(AnswerMode.CHOOSE, parts)

    def knowledge_row(self, span: str, choice: str, line: str) -> Row:
        """A line of knowledge beside the two that it may relate; a line too long is cut."""
        parts = [(Part.SPAN, self._encode(span)), (Part.CHOICE, self._encode(choice))]
        room = LONGEST - 8 - sum(len(ids) for _, ids in parts)
        if room < 1:
            raise _too_long("The key span and a choice")
        return self._row(AnswerMode.CHOOSE, [*parts, (Part.KNOWLEDGE, self._encode(line)[:room])])

    def _encode(self, text: str) -> Ints:
        return self._tokenizer.encode(text).ids

    def _row(self, mode: AnswerMode, texts: Sequence[tuple[Part, Ints]]) -> Row:
        head = [self._tokenizer.begin, self._tokenizer.modes[mode]]
        row: list[tuple[Part, Sequence[int] | Ints]] = [(Part.GLUE, head), texts[0]]
        row.append((Part.GLUE, [self._tokenizer.separator]))
        for text in texts[1:]:
            row += [(Part.GLUE, self._between), text]
        row.append((Part.GLUE, [self._tokenizer.separator]))
        joined = Row.joined(row)
        if len(joined.ids) > LONGEST:
            raise _too_long("The question, a choice and the fact")
        return joined


def padded(rows: Sequence[Row]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Ids and parts of rows as two arrays [rows, tokens]."""
    longest = max(len(row.ids) for row in rows)
    ids, parts = (np.zeros((len(rows), longest), np.int64) for _ in range(2))
    for number, row in enumerate(rows):
        ids[number, : len(row.ids)] = row.ids
        parts[number, : len(row.ids)] = row.parts
    return ids, parts


def _too_long(what: str) -> LacunaError:
    return LacunaError(
        f"{what} together have more than the {LONGEST} word pieces that the model reads at once. "
        "Say it shorter."
    )
