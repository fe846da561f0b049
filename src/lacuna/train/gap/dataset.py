"""Many examples as a few arrays: small in a file, quick to batch."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np
import torch
from numpy.typing import NDArray

from lacuna.errors import LacunaError
from lacuna.files.writing import replace_bytes
from lacuna.gap.rows import Row, padded
from lacuna.spot.relations import DIRECTIONS
from lacuna.train.gap.examples import Example
from lacuna.train.gap.loss import Targets
from lacuna.train.gap.network import GapBatch, Rows

BLOCKS = 4
"""Into so many blocks of like length the knowledge of a batch is cut."""
Array = NDArray[Any]


class Dataset:
    """Examples in order. A question's rows stand together: its own, its choices', the lines'."""

    def __init__(self, arrays: dict[str, Array]) -> None:
        self.arrays = arrays
        self._row_ends = arrays["row_ends"]
        self._first_rows = np.concatenate([[0], np.cumsum(self._rows_each())])[:-1]
        self._first_choices = np.concatenate([[0], np.cumsum(arrays["choices"])])

    @classmethod
    def of(cls, examples: Sequence[Example]) -> Dataset:
        """Pack examples."""
        rows: list[Row] = []
        for one in examples:
            question, choices, knowledge = one.rows
            rows += [question, *choices, *(row for some in knowledge for row in some)]
        lines = [len(some) for one in examples for some in one.rows.knowledge]
        relations = np.zeros((len(examples), len(DIRECTIONS)), bool)
        for number, one in enumerate(examples):
            relations[number, list(one.relations)] = True
        return cls(
            {
                "names": np.array([one.id for one in examples], np.str_),
                "ids": np.concatenate([row.ids for row in rows]).astype(np.int32),
                "parts": np.concatenate([row.parts for row in rows]).astype(np.uint8),
                "row_ends": np.cumsum([len(row.ids) for row in rows]),
                "choices": np.array([len(one.rows.choices) for one in examples], np.int64),
                "lines": np.array(lines, np.int64),
                "right": np.array([one.right for one in examples], np.int64),
                "spans": np.array([one.span or (-1, -1) for one in examples], np.int64),
                "relations": relations,
            }
        )

    def save(self, path: Path) -> None:
        """Keep it in one file."""
        with replace_bytes(path) as out:
            np.savez_compressed(out, allow_pickle=False, **self.arrays)

    @classmethod
    def load(cls, path: Path) -> Dataset:
        """Read it back."""
        try:
            with np.load(path, allow_pickle=False) as kept:
                return cls({name: kept[name] for name in kept.files})
        except (OSError, ValueError, KeyError, BadZipFile) as error:
            raise LacunaError(
                f"{path} cannot be read ({error}). Delete it; it is made again."
            ) from error

    def __len__(self) -> int:
        return len(self.arrays["right"])

    @property
    def names(self) -> list[str]:
        """The ids of the questions."""
        return [str(name) for name in self.arrays["names"]]

    def batch(self, numbers: Sequence[int]) -> tuple[GapBatch, Targets]:
        """Some of the examples, ready for the network."""
        questions: list[Row] = []
        choices: list[Row] = []
        knowledge: list[Row] = []
        asked: list[int] = []
        choice_of: list[int] = []
        right = []
        for place, number in enumerate(numbers):
            row = int(self._first_rows[number])
            size = int(self.arrays["choices"][number])
            questions.append(self._row(row))
            right.append(len(choices) + int(self.arrays["right"][number]))
            row += 1 + size
            for choice, lines in enumerate(self._lines(number)):
                choices.append(self._row(int(self._first_rows[number]) + 1 + choice))
                asked.append(place)
                knowledge += [self._row(row + line) for line in range(lines)]
                choice_of += [len(choices) - 1] * lines
                row += lines
        order = np.argsort([-len(one.ids) for one in knowledge], kind="stable")
        blocks = [block for block in np.array_split(order, BLOCKS) if len(block)]
        batch = GapBatch(
            _rows(questions),
            _rows(choices),
            torch.tensor(asked),
            [_rows([knowledge[i] for i in block]) for block in blocks],
            torch.tensor(choice_of, dtype=torch.long)[torch.from_numpy(order)],
            torch.from_numpy(order),
        )
        chosen = np.asarray(numbers, np.int64)
        return batch, Targets(
            torch.tensor(right),
            torch.from_numpy(self.arrays["relations"][chosen].astype(np.float32)),
            torch.from_numpy(self.arrays["spans"][chosen]),
        )

    def _lines(self, number: int) -> list[int]:
        first, last = self._first_choices[number : number + 2]
        return [int(lines) for lines in self.arrays["lines"][first:last]]

    def _rows_each(self) -> Array:
        choices = self.arrays["choices"]
        edges = np.concatenate([[0], np.cumsum(choices)])
        lines = np.concatenate([[0], np.cumsum(self.arrays["lines"])])
        each: Array = 1 + choices + lines[edges[1:]] - lines[edges[:-1]]
        return each

    def _row(self, number: int) -> Row:
        start = int(self._row_ends[number - 1]) if number else 0
        end = int(self._row_ends[number])
        return Row(self.arrays["ids"][start:end], self.arrays["parts"][start:end])


def _rows(rows: Sequence[Row]) -> Rows:
    return Rows(*(torch.from_numpy(array) for array in padded(rows)))
