"""Inputs that need no dataset: questions about the demo, with the texts that answer them."""

from __future__ import annotations

from importlib.resources import as_file, files
from itertools import islice

from lacuna.read.packing import Packer
from lacuna.read.sequence import Input
from lacuna.read.settings import enter
from lacuna.read.style import Style
from lacuna.read.tokens import Pieces
from lacuna.tasks import get_task

STYLES = (Style.ASK, Style.HOP, Style.CALCULATE, Style.DOUBT)
"""Those that read a passage and documents; each is shown some of the questions."""


def sample_inputs(pieces: Pieces, count: int = 96) -> list[Input]:
    """So many inputs, the same every time."""
    made = []
    demo = files("lacuna") / "demo" / "questions.json"
    with as_file(demo) as path, get_task("iirc").open(path) as reader:
        for number, question in enumerate(islice(reader.questions(), count)):
            asked = enter("iirc", "oracle-context", question)
            whole = Packer(pieces, asked, STYLES[number % len(STYLES)]).whole()
            if whole is not None:
                made.append(whole)
    return made
