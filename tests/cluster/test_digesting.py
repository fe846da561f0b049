"""A knowledge base that a cluster has looked through is the one of one machine."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from lacuna.retrieve.knowledge import build as digested_lines


def test_the_same_arrays_byte_by_byte(
    lacuna: Any, cluster: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(digested_lines, "LINES_AT_ONCE", 30)  # so that there are several pieces
    rows = [f"book {n % 3}\tHerring number {n % 170} swims in sea {n % 7}." for n in range(200)]
    rows[5], rows[90], rows[130] = "broken", "book\tIt is not so.", "book\tOne. And two."
    sentences, triples = tmp_path / "sentences.tsv", tmp_path / "triples.tsv"
    sentences.write_text("\n".join(rows))
    triples.write_text("isa\therring\tfish\t1.0\ta\n")
    told = []
    for name, ray in (("here", ""), ("there", cluster.address)):
        ran = lacuna("knowledge", sentences, triples, "--out", tmp_path / name, ray=ray)
        assert ran.code == 1, ran.err
        told.append((ran.out.replace(str(tmp_path / name), "base"), ran.err))
    assert told[1] == told[0]
    here, there = arrays(tmp_path / "here"), arrays(tmp_path / "there")
    assert len(here) > 5
    assert there == here


def arrays(base: Path) -> dict[tuple[str, str], bytes]:
    """Of each part by their names: the folder that they are in has a new name each time."""
    found = base.rglob("arrays-*/*")
    return {(path.parts[-3], path.name): path.read_bytes() for path in found}
