"""How the choices of a multiple-choice question are read."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from lacuna.answer_mode import AnswerMode
from lacuna.models.reader.backend import Outputs
from lacuna.models.reader.encode import Packer
from lacuna.models.reader.heads import Columns
from lacuna.models.reader.model_input import ModelInput
from lacuna.models.tokenizer import Tokenizer
from lacuna.types import Document, Question


def choice_inputs(tokenizer: Tokenizer, question: Question, index: int) -> list[ModelInput]:
    """A choice is read as the context, the fact as a document beside it.

    Nearly always that is one input; where it does not fit, every window of the choice is read
    beside every window of the fact.
    """
    fact = () if question.fact is None else (Document("", question.fact),)
    choice = Document("choice", question.choices[index].text)
    packer = Packer(
        tokenizer, Question(question.id, question.text, choice, fact), AnswerMode.CHOOSE
    )
    if (whole := packer.whole()) is not None:
        return [whole]
    return packer.windows() if len(packer.encoded.documents) == 1 else packer.pairs()


def best_windows(inputs: Sequence[ModelInput], outputs: Sequence[Outputs]) -> list[Outputs]:
    """Of each choice the window that speaks for it most; one choice's windows share a reading."""
    pairs = zip(inputs, outputs, strict=True)
    return [
        max((scores for _, scores in same), key=lambda scores: float(scores[1][Columns.CHOICE]))
        for _, same in groupby(pairs, key=lambda pair: id(pair[0].encoded))
    ]
