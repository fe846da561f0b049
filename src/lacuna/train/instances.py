"""Labelled inputs, and many of them as flat arrays in one file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lacuna.files.writing import replace_bytes

UNKNOWN = -1
"""A missing label; its head learns nothing from the instance."""
MAX_SPANS, MAX_DERIVATIONS, MAX_TERMS = 12, 24, 3


@dataclass(slots=True, eq=False)
class Instance:
    """One input with the labels of each head. Places are the first and last token."""

    source: int
    ids: NDArray[np.int32]
    marks: NDArray[np.int32]
    regions: list[tuple[int, int]]
    """Where a span may lie: the segments of text, and the question."""
    answered: bool = False
    """Whether anything below is a label of the answer."""
    spans: list[tuple[int, int]] = field(default_factory=list)
    tagged: list[tuple[int, int]] = field(default_factory=list)
    numbers: list[tuple[int, int]] = field(default_factory=list)
    derivations: list[tuple[tuple[int, int], ...]] = field(default_factory=list)
    count: int = UNKNOWN
    fixed: int = UNKNOWN
    """The kind itself, where it is the whole answer: yes, no or none."""
    sentences: list[tuple[int, int, int]] = field(default_factory=list)
    links: list[tuple[int, int, int]] = field(default_factory=list)
    relevance: int = UNKNOWN
    choice: int = UNKNOWN
    yes_no_act: int = UNKNOWN
    follow_up_act: int = UNKNOWN
    rival: int = UNKNOWN
    """Which question of its group a window belongs to, where the windows of one compete."""
    group: int = 0
    """Choices and rival windows of one group are compared, and stay in one batch."""


SCALARS = (
    *("source", "answered", "count", "fixed", "relevance", "choice"),
    *("yes_no_act", "follow_up_act", "rival", "group"),
)
PAIRS = ("regions", "spans", "tagged", "numbers")
TRIPLES = ("sentences", "links")


@dataclass(frozen=True, slots=True)
class Ragged:
    """Rows of different length, end to end."""

    values: NDArray[Any]
    ends: NDArray[np.int64]
    sizes: NDArray[np.int64] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "sizes", np.diff(self.ends, prepend=0))

    def __getitem__(self, index: int) -> NDArray[Any]:
        start = self.ends[index - 1] if index else 0
        return self.values[start : self.ends[index]]

    @classmethod
    def of(
        cls, rows: Iterable[Sequence[object] | NDArray[Any]], dtype: str, width: int = 1
    ) -> Ragged:
        arrays = [np.asarray(row, dtype).reshape(-1, width) for row in rows]
        ends = np.cumsum([len(array) for array in arrays], dtype=np.int64)
        joined = np.concatenate(arrays) if arrays else np.zeros((0, width), dtype)
        return cls(joined[:, 0] if width == 1 else joined, ends)


@dataclass(frozen=True, slots=True)
class Instances:
    """Many instances as arrays. ``terms`` are (derivation, number, sign) rows."""

    ids: Ragged
    marks: Ragged
    regions: Ragged
    spans: Ragged
    tagged: Ragged
    numbers: Ragged
    sentences: Ragged
    links: Ragged
    terms: Ragged
    scalars: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.scalars)

    def scalar(self, name: str) -> NDArray[np.int32]:
        """One label of all instances."""
        return self.scalars[:, SCALARS.index(name)]

    @classmethod
    def of(cls, instances: Sequence[Instance]) -> Instances:
        """Pack instances."""
        return cls(
            ids=Ragged.of((each.ids for each in instances), "uint16"),
            marks=Ragged.of((each.marks for each in instances), "uint8"),
            **{n: Ragged.of((getattr(each, n) for each in instances), "int16", 2) for n in PAIRS},
            **{n: Ragged.of((getattr(each, n) for each in instances), "int16", 3) for n in TRIPLES},
            terms=Ragged.of((_terms(each) for each in instances), "int16", 3),
            scalars=np.array(
                [[int(getattr(each, name)) for name in SCALARS] for each in instances], np.int32
            ).reshape(-1, len(SCALARS)),
        )

    @classmethod
    def joined(cls, parts: Sequence[Instances]) -> Instances:
        """Several as one; groups are renumbered so that they stay apart."""
        parts = parts or [cls.of([])]
        joined = {}
        for name in (f.name for f in fields(cls) if f.name != "scalars"):
            raggeds = [getattr(part, name) for part in parts]
            sizes = np.concatenate([ragged.sizes for ragged in raggeds])
            values = np.concatenate([ragged.values for ragged in raggeds])
            joined[name] = Ragged(values, np.cumsum(sizes, dtype=np.int64))
        scalars = [part.scalars.copy() for part in parts]
        first = 0
        for part in scalars:
            group = part[:, SCALARS.index("group")]
            group += first
            first = int(group.max(initial=first - 1)) + 1
        return cls(**joined, scalars=np.concatenate(scalars))

    def arrays(self) -> dict[str, NDArray[Any]]:
        """All arrays, by the names that a file has for them."""
        arrays: dict[str, NDArray[Any]] = {"scalars": self.scalars}
        for name in (f.name for f in fields(self) if f.name != "scalars"):
            ragged: Ragged = getattr(self, name)
            arrays[f"{name}.values"], arrays[f"{name}.ends"] = ragged.values, ragged.ends
        return arrays

    def digest(self) -> str:
        """A short name for exactly these instances."""
        return digest_of(self.arrays().values())

    def save(self, path: Path) -> None:
        """Write them to a file; a kill leaves the old one or the new one."""
        arrays: dict[str, Any] = self.arrays()
        with replace_bytes(path) as out:
            np.savez(out, **arrays)

    @classmethod
    def load(cls, path: Path) -> Instances:
        """Read what ``save`` wrote."""
        with np.load(path, allow_pickle=False) as file:
            raggeds = {
                f.name: Ragged(file[f"{f.name}.values"], file[f"{f.name}.ends"])
                for f in fields(cls)
                if f.name != "scalars"
            }
            return cls(**raggeds, scalars=file["scalars"])


def _terms(instance: Instance) -> list[tuple[int, int, int]]:
    return [
        (number, index, sign)
        for number, terms in enumerate(instance.derivations)
        for index, sign in terms
    ]


def digest_of(arrays: Iterable[NDArray[Any]]) -> str:
    """A short name for exactly this content."""
    whole = sha256()
    for array in arrays:
        whole.update(np.ascontiguousarray(array).tobytes())
    return whole.hexdigest()[:16]
