"""Inputs that need no dataset: questions about the demo, with the texts that answer them."""

from __future__ import annotations

from importlib.resources import as_file, files
from itertools import islice

from lacuna.answer_mode import AnswerMode
from lacuna.datasets import get_dataset
from lacuna.models.reader.encode import Packer
from lacuna.models.reader.model_input import ModelInput
from lacuna.models.tokenizer import Tokenizer

MODES = (AnswerMode.ASK, AnswerMode.HOP, AnswerMode.CALCULATE, AnswerMode.ABSTAIN)
"""Those that read a passage and documents; each is shown some of the questions."""


def sample_inputs(pieces: Tokenizer, count: int = 96) -> list[ModelInput]:
    """So many inputs, the same every time."""
    made = []
    arrange = get_dataset("iirc").setting("oracle-context").arrange
    demo = files("lacuna") / "assets" / "demo" / "questions.json"
    with as_file(demo) as path, get_dataset("iirc").open(path) as reader:
        for number, question in enumerate(islice(reader.questions(), count)):
            asked = arrange(question)
            whole = Packer(pieces, asked, MODES[number % len(MODES)]).whole()
            if whole is not None:
                made.append(whole)
    return made
