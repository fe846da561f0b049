from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")

from gap_examples import colour_examples, uneven_examples

from lacuna.errors import LacunaError
from lacuna.models.gapqa.rows import Row
from lacuna_lab.gapqa.data import GapDataset, GapExample
from lacuna_lab.gapqa.network import Rows
from lacuna_lab.gapqa.recipe import UNKNOWN

EXAMPLES = uneven_examples()
ORDERS = [[0, 1, 2, 3], [3, 1], [2], [2, 0, 2]]


def unpadded(rows: Rows) -> list[tuple[list[int], list[int]]]:
    """The rows of a batch without their padding."""
    found = []
    for ids, parts in zip(rows.ids.tolist(), rows.parts.tolist(), strict=True):
        size = sum(part > 0 for part in parts)
        assert not any(ids[size:]), "padding comes behind, and is word 0"
        found.append((ids[:size], parts[:size]))
    return found


def plain(row: Row) -> tuple[list[int], list[int]]:
    return row.ids.tolist(), row.parts.tolist()


def lines_of(examples: list[GapExample]) -> list[tuple[int, Row, int]]:
    """All lines in order: the choice that each belongs to, its row, its label."""
    found, choice = [], 0
    for one in examples:
        labels = iter(one.lines or [UNKNOWN] * sum(map(len, one.rows.knowledge)))
        for lines in one.rows.knowledge:
            found += [(choice, row, next(labels)) for row in lines]
            choice += 1
    return found


@pytest.mark.parametrize("numbers", ORDERS)
@pytest.mark.parametrize("blocks", [1, 3])
def test_a_batch_has_exactly_the_rows_of_its_examples(numbers: list[int], blocks: int) -> None:
    chosen = [EXAMPLES[number] for number in numbers]
    batch, targets = GapDataset.of(EXAMPLES).batch(numbers, blocks=blocks)
    assert unpadded(batch.questions) == [plain(one.rows.question) for one in chosen]
    choices = [row for one in chosen for row in one.rows.choices]
    assert unpadded(batch.rows)[len(chosen) :] == list(map(plain, choices))
    asked = [place for place, one in enumerate(chosen) for _ in one.rows.choices]
    assert batch.asked.tolist() == asked

    lines = lines_of(chosen)
    in_blocks = [row for block in batch.knowledge for row in unpadded(block)]
    order = batch.order.tolist()
    assert sorted(order) == list(range(len(lines)))
    assert in_blocks == [plain(lines[at][1]) for at in order]
    assert batch.choice_of.tolist() == [lines[at][0] for at in order]
    assert targets.lines.tolist() == [lines[at][2] for at in order]
    assert len(batch.knowledge) <= blocks
    lengths = [len(ids) for ids, _ in in_blocks]
    assert lengths == sorted(lengths, reverse=True), "blocks are of like length"

    right = [place for place, one in enumerate(asked) if asked[place + 1 : place + 2] != [one]]
    assert targets.right.tolist() == right, "the last choice of each is the right one here"
    assert targets.spans.tolist() == [list(one.span or (-1, -1)) for one in chosen]
    known = [set(np.flatnonzero(some).tolist()) for some in targets.relations.numpy()]
    assert known == [set(one.relations) for one in chosen]


def test_no_knowledge_at_all() -> None:
    data = GapDataset.of(colour_examples(knowledge=False))
    batch, targets = data.batch([0, 5], blocks=3)
    assert batch.knowledge == []
    assert len(batch.asked) == 4
    assert len(batch.choice_of) == len(batch.order) == len(targets.lines) == 0


def test_a_file_gives_back_what_was_put_in(tmp_path: Path) -> None:
    data = GapDataset.of(EXAMPLES)
    data.save(tmp_path / "examples.npz")
    again = GapDataset.load(tmp_path / "examples.npz")
    assert len(again) == len(EXAMPLES)
    assert again.names == [one.id for one in EXAMPLES]
    assert again.arrays.keys() == data.arrays.keys()
    for name, array in data.arrays.items():
        assert array.dtype == again.arrays[name].dtype
        assert (array == again.arrays[name]).all()


@pytest.mark.parametrize("kept", [0, 20, 700])
def test_a_file_cut_short_is_named(tmp_path: Path, kept: int) -> None:
    path = tmp_path / "examples.npz"
    GapDataset.of(EXAMPLES).save(path)
    path.write_bytes(path.read_bytes()[:kept])
    with pytest.raises(LacunaError, match=r"examples\.npz cannot be read .* made again"):
        GapDataset.load(path)


def test_a_file_of_something_else_is_named(tmp_path: Path) -> None:
    np.savez(tmp_path / "other.npz", ids=np.arange(3))
    with pytest.raises(LacunaError, match="cannot be read"):
        GapDataset.load(tmp_path / "other.npz")
    with pytest.raises(LacunaError, match="cannot be read"):
        GapDataset.load(tmp_path / "none.npz")
