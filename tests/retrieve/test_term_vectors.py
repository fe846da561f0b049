"""The table of term vectors: written, read, and refused when it is broken."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from lacuna.errors import LacunaError
from lacuna.files.checksums import remove_checksums
from lacuna.retrieve.hybrid import (
    DIRECTIONS,
    TERMS,
    UNKNOWN,
    TermVectors,
    shipped_vectors,
    write_vectors,
)

VECTORS = np.array([[3.0, 4.0], [0.0, -2.0], [1.0, 0.0]], np.float32)


def test_directions_have_length_one_and_lengths_are_weights(tmp_path: Path) -> None:
    write_vectors(tmp_path, ["ferri", "ship", "lamp"], VECTORS)
    vectors = TermVectors(tmp_path)
    rows = vectors.rows(["ship", "nowhere", "ferri"])
    assert rows.tolist() == [1, UNKNOWN, 0]
    assert vectors.directions(rows) == pytest.approx(
        np.array([[0, -1], [0, 0], [0.6, 0.8]]), abs=0.01
    )
    assert vectors.weights(rows) == pytest.approx([2, 0, 5])


@given(arrays(np.float32, (4, 6), elements=st.floats(-100, 100, width=32)))
def test_rounding_to_8_bits_keeps_directions(
    tmp_path_factory: pytest.TempPathFactory,
    table: np.ndarray[tuple[int, int], np.dtype[np.float32]],
) -> None:
    folder = tmp_path_factory.mktemp("vectors")
    write_vectors(folder, ["a", "b", "c", "d"], table)
    read = TermVectors(folder).directions(np.arange(4, dtype=np.int32))
    for vector, direction in zip(table, read, strict=True):
        if (length := float(np.linalg.norm(vector))) > 1e-3:
            assert float(vector @ direction) / length > 0.999


def test_files_that_do_not_belong_together(tmp_path: Path) -> None:
    write_vectors(tmp_path, ["ferri", "ship", "lamp"], VECTORS)
    (tmp_path / TERMS).write_text("ferri\nship\n", encoding="utf-8")
    with pytest.raises(LacunaError, match=r"damaged: terms\.txt"):
        TermVectors(tmp_path)
    remove_checksums(tmp_path)
    with pytest.raises(LacunaError, match="do not belong together"):
        TermVectors(tmp_path)


def test_a_table_that_is_cut_short(tmp_path: Path) -> None:
    write_vectors(tmp_path, ["ferri", "ship", "lamp"], VECTORS)
    whole = (tmp_path / DIRECTIONS).read_bytes()
    (tmp_path / DIRECTIONS).write_bytes(whole[:-1])
    with pytest.raises(LacunaError, match=r"damaged: directions\.npy"):
        TermVectors(tmp_path)
    remove_checksums(tmp_path)
    with pytest.raises(LacunaError, match="cannot be read"):
        TermVectors(tmp_path)


def test_no_table(tmp_path: Path) -> None:
    with pytest.raises(LacunaError, match="cannot be read"):
        TermVectors(tmp_path)


@pytest.mark.parametrize(
    ("word", "like", "unlike"),
    [("delet", "remov", "sing"), ("car", "vehicl", "poem"), ("folder", "directori", "queen")],
)
def test_what_comes_along_knows_what_is_alike(word: str, like: str, unlike: str) -> None:
    vectors = shipped_vectors()
    rows = vectors.rows([word, like, unlike])
    assert UNKNOWN not in rows
    one, near, far = vectors.directions(rows)
    assert one @ near > one @ far + 0.1
