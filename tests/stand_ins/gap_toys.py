"""What tests of GapQA share: a question, a small knowledge base, and a stand-in for a network."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from lacuna.models.gapqa.gapqa_reader import (
    ChoiceScores,
    Floats,
    GapQAReader,
    MakesRows,
    QuestionRows,
    Shown,
)
from lacuna.models.gapqa.relations import DIRECTIONS
from lacuna.models.gapqa.rows import Part, Row, RowMaker
from lacuna.models.model_folder import SHIPPED, TOKENIZER, ModelFolder
from lacuna.models.reader.encode import Tokenizer
from lacuna.retrieve.knowledge.knowledge_base import KnowledgeBase, build_base
from lacuna.types import Answer, Choice, Gold, Question

FACT = "metal lets heat travel through"
CHOICES = Choice("A", "a wooden oar"), Choice("B", "a steel spoon"), Choice("C", "a wool sock")
QUESTION = Question(
    *("q", "Which of these would let the most heat travel?"),
    choices=CHOICES,
    fact=FACT,
    gold=Gold((Answer.choice("B", "a steel spoon"),)),
)
TRIPLES = (
    "MadeOf\tspoon\tmetal\t2\tcn100k",
    "IsA\tsteel\tmetal\t1\toewn",
    "Antonym\twool\tmetal\t1\toewn",
)
SENTENCES = (
    "book\tThe metal of a steel spoon gets hot.",
    "book\tAn oar has a ring of metal.",
    "book\tThe metals let heat travel through.",
)


def build(
    folder: Path, triples: Sequence[str] = TRIPLES, sentences: Sequence[str] = SENTENCES
) -> KnowledgeBase:
    """A knowledge base of these rows."""
    folder.mkdir(parents=True, exist_ok=True)
    files = []
    for name, rows in (("triples.tsv", triples), ("sentences.tsv", sentences)):
        if rows:
            files.append(folder / name)
            files[-1].write_text("".join(f"{row}\n" for row in rows), "utf-8")
    build_base(files, folder / "base")
    return KnowledgeBase.open(folder / "base")


def shipped_pieces() -> Tokenizer:
    """The word pieces of the reader that comes along."""
    return Tokenizer(SHIPPED / "small" / TOKENIZER)


def pieces_of(row: Row, part: Part) -> list[int]:
    """The word pieces of one part of a row."""
    return [int(one) for one in row.ids[row.parts == part]]


class CountingBackend:
    """Takes a given word for the key span, and counts: word pieces that fact and choice share, and
    rows of knowledge. Line n of a choice is sure of direction n, and of no other."""

    def __init__(self, pieces: Tokenizer, key: str = "metal") -> None:
        self.rows: MakesRows = RowMaker(pieces)
        self._key = pieces.encode(key).ids
        self.seen: list[QuestionRows] = []

    def spans(self, rows: Sequence[Row]) -> list[Floats]:
        found = []
        for row in rows:
            ends = (row.ids == self._key[0], row.ids == self._key[-1])
            found.append(np.stack(ends, 1).astype(np.float32))  # the question's words as well
        return found

    def score(self, questions: Sequence[QuestionRows]) -> list[list[ChoiceScores]]:
        self.seen += questions
        return [
            [
                _counted(choice, lines)
                for choice, lines in zip(one.choices, one.knowledge, strict=True)
            ]
            for one in questions
        ]


def _counted(choice: Row, lines: Sequence[Row]) -> ChoiceScores:
    shared = set(pieces_of(choice, Part.CHOICE)) & set(pieces_of(choice, Part.FACT))
    each = np.full((len(lines), len(DIRECTIONS)), -3.0, np.float32)
    each[np.arange(len(lines)), np.arange(len(lines))] = 3.0
    mean = each.mean(0) if len(lines) else np.zeros(len(DIRECTIONS), np.float32)
    return ChoiceScores(float(len(shared)), float(len(lines)), mean, each)


def reader(
    shown: Shown | None = None, *, key: str = "metal", **config: Any
) -> tuple[GapQAReader, CountingBackend]:
    """A reader over the stand-in, and the stand-in."""
    pieces = shipped_pieces()
    backend = CountingBackend(pieces, key)
    trained = {"kind": "transformer", "knowledge": "all", "retrieve_by": "span", **config}
    folder = ModelFolder(Path("toy"), {**trained, "shown": asdict(shown or Shown())})
    return GapQAReader(folder, backend, pieces, backend), backend
