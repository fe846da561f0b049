"""Many examples as a few arrays: small in a file, quick to batch."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np
import torch
from numpy.typing import NDArray

from lacuna.errors import LacunaError
from lacuna.files.writing import replace_bytes
from lacuna.models.gapqa.relations import DIRECTIONS
from lacuna.models.gapqa.rows import Row
from lacuna.train.gapqa.labels import UNKNOWN
from lacuna.train.gapqa.loss import Targets
from lacuna.train.gapqa.network import GapBatch, Rows
from lacuna.train.gapqa.prepare import GapExample
from lacuna.train.instances import digest_of

CPU = torch.device("cpu")


class GapDataset:
    """Examples in order. A question's rows come together: its own, its choices', the lines'."""

    def __init__(self, arrays: dict[str, NDArray[Any]], device: torch.device = CPU) -> None:
        self.arrays, self.device = arrays, device
        self._ids = torch.from_numpy(arrays["ids"]).to(device)
        self._parts = torch.from_numpy(arrays["parts"]).to(device)
        ends = arrays["row_ends"]
        self._starts = np.concatenate([[0], ends[:-1]])
        self._lengths = ends - self._starts
        self._first_choices = np.concatenate([[0], np.cumsum(arrays["choices"])])
        lines = np.concatenate([[0], np.cumsum(arrays["lines"])])[self._first_choices]
        self._first_lines = lines[:-1]
        rows = 1 + arrays["choices"] + lines[1:] - lines[:-1]
        self._first_rows = np.concatenate([[0], np.cumsum(rows)])

    def to(self, device: torch.device) -> GapDataset:
        """The same with its tokens on a device."""
        return GapDataset(self.arrays, device)

    @classmethod
    def of(cls, examples: Sequence[GapExample]) -> GapDataset:
        """Pack examples."""
        rows: list[Row] = []
        for example in examples:
            question, choices, knowledge = example.rows
            rows += [question, *choices, *(row for lines in knowledge for row in lines)]
        counts = [len(lines) for example in examples for lines in example.rows.knowledge]
        relations = np.zeros((len(examples), len(DIRECTIONS)), bool)
        for number, example in enumerate(examples):
            relations[number, list(example.relations)] = True
        return cls(
            {
                "names": np.array([each.id for each in examples], np.str_),
                "ids": np.concatenate([row.ids for row in rows]).astype(np.int32),
                "parts": np.concatenate([row.parts for row in rows]).astype(np.uint8),
                "row_ends": np.cumsum([len(row.ids) for row in rows]),
                "choices": np.array([len(each.rows.choices) for each in examples], np.int64),
                "lines": np.array(counts, np.int64),
                "right": np.array([each.right for each in examples], np.int64),
                "spans": np.array([each.span or (-1, -1) for each in examples], np.int64),
                "relations": relations,
                "line_relations": np.concatenate([_line_labels(each) for each in examples]),
            }
        )

    def save(self, path: Path) -> None:
        """Write it to one file."""
        with replace_bytes(path) as out:
            np.savez_compressed(out, allow_pickle=False, **self.arrays)

    @classmethod
    def load(cls, path: Path) -> GapDataset:
        """Read it back."""
        try:
            with np.load(path, allow_pickle=False) as file:
                return cls({name: file[name] for name in file.files})
        except (OSError, EOFError, ValueError, KeyError, BadZipFile, zlib.error) as error:
            raise LacunaError(
                f"{path} cannot be read ({error}). Delete it; it will be made again."
            ) from error

    def __len__(self) -> int:
        return len(self.arrays["right"])

    def digest(self) -> str:
        """A short name for exactly these examples."""
        return digest_of(self.arrays.values())

    @property
    def names(self) -> list[str]:
        """The ids of the questions."""
        return [str(name) for name in self.arrays["names"]]

    def batch(self, numbers: Sequence[int], *, blocks: int) -> tuple[GapBatch, Targets]:
        """Some of the examples, ready for the network."""
        chosen = np.asarray(numbers, np.int64)
        choices = self.arrays["choices"][chosen]
        first_rows = self._first_rows[chosen]
        lines = [self.arrays["lines"][slice(*self._first_choices[n : n + 2])] for n in chosen]
        own = [
            np.arange(start + 1 + size, start + 1 + size + int(some.sum()))
            for start, size, some in zip(first_rows, choices, lines, strict=True)
        ]
        knowledge = np.concatenate(own)
        order = np.argsort(-self._lengths[knowledge], kind="stable")
        first_choices = np.concatenate([[0], np.cumsum(choices)])
        of_choices = [
            np.arange(start + 1, start + 1 + size)
            for start, size in zip(first_rows, choices, strict=True)
        ]
        first_lines = self._first_lines[chosen]
        line_labels = [
            self.arrays["line_relations"][start : start + int(some.sum())]
            for start, some in zip(first_lines, lines, strict=True)
        ]
        choice_of = np.repeat(np.arange(first_choices[-1]), np.concatenate(lines))
        batch = GapBatch(
            self._rows(np.concatenate([first_rows, *of_choices])),
            self._tensor(np.repeat(np.arange(len(chosen)), choices)),
            [self._rows(knowledge[block]) for block in np.array_split(order, blocks) if len(block)],
            self._tensor(choice_of[order]),
            torch.from_numpy(order),
        )
        right = first_choices[:-1] + self.arrays["right"][chosen]
        return batch, Targets(
            self._tensor(right),
            self._tensor(self.arrays["relations"][chosen].astype(np.float32)),
            self._tensor(self.arrays["spans"][chosen]),
            self._tensor(np.concatenate(line_labels)[order].astype(np.int64)),
        )

    def _rows(self, numbers: NDArray[Any]) -> Rows:
        starts, lengths = self._tensor(self._starts[numbers]), self._tensor(self._lengths[numbers])
        place = torch.arange(int(self._lengths[numbers].max()), device=self.device)
        inside = place[None, :] < lengths[:, None]
        places = (starts[:, None] + place[None, :]) * inside
        return Rows(self._ids[places].long() * inside, self._parts[places].long() * inside)

    def _tensor(self, array: NDArray[Any]) -> torch.Tensor:
        return torch.from_numpy(array).to(self.device, non_blocking=True)


def _line_labels(example: GapExample) -> NDArray[Any]:
    """A label for every line; none is known where an example has none."""
    lines = sum(len(some) for some in example.rows.knowledge)
    return np.array(example.lines or [UNKNOWN] * lines, np.int8)
