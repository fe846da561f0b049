"""Instances as arrays: nothing is lost on the way to the disk and back."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from lacuna_lab.train.instances import PAIRS, SCALARS, TRIPLES, Instance, Instances, Ragged

places = st.lists(st.tuples(st.integers(0, 511), st.integers(0, 511)), max_size=4)
labelled = st.lists(
    st.tuples(st.integers(0, 511), st.integers(0, 511), st.integers(0, 1)), max_size=4
)
terms = st.lists(st.tuples(st.integers(0, 9), st.sampled_from([-1, 1])), min_size=1, max_size=3)


@st.composite
def instance(draw: st.DrawFn) -> Instance:
    size = draw(st.integers(1, 9))
    ids = st.lists(st.integers(0, 2**16 - 1), min_size=size, max_size=size)
    marks = st.lists(st.integers(0, 3), min_size=size, max_size=size)
    labels: dict[str, Any] = {name: draw(places) for name in PAIRS if name != "regions"}
    labels |= {name: draw(labelled) for name in TRIPLES}
    return Instance(
        draw(st.integers(0, 12)),
        np.array(draw(ids), np.int32),
        np.array(draw(marks), np.int32),
        draw(places),
        answered=draw(st.booleans()),
        derivations=[tuple(one) for one in draw(st.lists(terms, max_size=3))],
        count=draw(st.integers(-1, 9)),
        group=draw(st.integers(0, 5)),
        **labels,
    )


def check_same(packed: Instances, at: int, one: Instance) -> None:
    assert packed.ids[at].tolist() == one.ids.tolist()
    assert packed.marks[at].tolist() == one.marks.tolist()
    for name in (*PAIRS, *TRIPLES):
        assert [tuple(row) for row in getattr(packed, name)[at]] == getattr(one, name)
    found: dict[int, list[tuple[int, int]]] = {}
    for number, index, sign in packed.terms[at].tolist():
        found.setdefault(number, []).append((index, sign))
    assert [tuple(terms) for terms in found.values()] == one.derivations
    for name in SCALARS:
        if name != "group":
            assert packed.scalar(name)[at] == int(getattr(one, name))


@given(st.lists(st.lists(instance(), max_size=4), max_size=3))
def test_packed_joined_saved_and_loaded(parts: list[list[Instance]]) -> None:
    joined = Instances.joined([Instances.of(part) for part in parts])
    with tempfile.TemporaryDirectory() as folder:
        joined.save(Path(folder) / "data.npz")
        loaded = Instances.load(Path(folder) / "data.npz")
    alone = [(number, one) for number, part in enumerate(parts) for one in part]
    assert len(loaded) == len(alone)
    groups: dict[int, set[tuple[int, int]]] = {}
    for at, (number, one) in enumerate(alone):
        check_same(loaded, at, one)
        groups.setdefault(int(loaded.scalar("group")[at]), set()).add((number, one.group))
    assert all(len(same) == 1 for same in groups.values())
    assert len(groups) == len({(number, one.group) for number, one in alone})


@given(st.lists(st.lists(st.integers(-9, 9), max_size=5), max_size=6))
def test_rows_of_different_length(rows: list[list[int]]) -> None:
    ragged = Ragged.of(rows, "int16")
    assert ragged.sizes.tolist() == [len(row) for row in rows]
    assert [ragged[index].tolist() for index in range(len(rows))] == rows
