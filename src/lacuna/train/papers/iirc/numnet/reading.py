"""A question with its texts and their numbers, as NumNet+ reads them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lacuna.quantities.arithmetic import HUNDRED
from lacuna.quantities.find_quantities import Quantity, find_quantities
from lacuna.train.papers.batch import NOWHERE
from lacuna.train.papers.encoded.example import PieceInput, piece_input
from lacuna.train.papers.encoded.pieces import PieceTokenizer
from lacuna.train.papers.iirc.context.windows import WINDOW_START
from lacuna.train.papers.tokens import Ints
from lacuna.types import Document, Evidence, Question, Role

MOST_NUMBERS = 80
"""Numbers of an input; those of its end are left out."""
QUESTION = 0
"""The part that is the question; texts are numbered from 1."""


@dataclass(frozen=True, slots=True)
class NumberedInput:
    """Pieces, and the numbers among them: the implicit hundred, those of texts, the question's."""

    question: str
    documents: tuple[Document, ...]
    made: PieceInput
    parts: Ints
    """[pieces]: 0 for the question, then the texts; -1 for special pieces."""
    quantities: tuple[Quantity, ...]
    """The hundred and the numbers of texts: what can be added and subtracted."""
    number_places: Ints
    """[numbers]: the first piece of each, those of the question last."""
    number_values: NDArray[np.float32]
    """[numbers]"""

    def span(self, first: int, last: int) -> tuple[str, Evidence | None]:
        """What the pieces from one to another stand for, and where that is."""
        part = int(self.parts[first])
        if part == QUESTION:
            tokens, offset = self.made.question, 1
        else:
            tokens, offset = self.made.texts[part - 1], self.made.firsts[part - 1]
        start, end = int(tokens.starts[first - offset]), int(tokens.ends[last - offset])
        if part == QUESTION:
            return self.question[start:end], None
        document = self.documents[part - 1]
        moved = document.extra.get(WINDOW_START, 0)
        where = Evidence(document.title, start + moved, end + moved, Role.ANSWER)
        return document.text[start:end], where


def numbered_input(question: Question, tokenizer: PieceTokenizer, longest: int) -> NumberedInput:
    """The linked texts first, then the passage: if anything is cut off, it is cut off there."""
    documents = (*question.documents, *((question.context,) if question.context else ()))
    texts = [document.text for document in documents]
    made = piece_input(question.text, texts, tokenizer, longest)
    parts = np.full(len(made.ids), NOWHERE, np.int32)
    parts[1 : 1 + len(made.question.ids)] = QUESTION
    quantities, places = [HUNDRED], [0]
    for number, document in enumerate(documents):
        first = made.firsts[number]
        parts[first : first + made.kept[number]] = number + 1
        for quantity in find_quantities(document.text):
            cover = made.cover(number, quantity.start, quantity.end)
            if cover is not None and len(quantities) < MOST_NUMBERS:
                quantities.append(quantity)
                places.append(cover[0])
    values = [quantity.value for quantity in quantities]
    for quantity in find_quantities(question.text):
        if (cover := made.cover_question(quantity.start, quantity.end)) is not None:
            places.append(cover[0])
            values.append(quantity.value)
    return NumberedInput(
        question.text,
        documents,
        made,
        parts,
        tuple(quantities),
        np.array(places, np.int32),
        np.array(values, np.float32),
    )
