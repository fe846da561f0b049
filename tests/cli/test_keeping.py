"""``lacuna corpus check|repair|backup``."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from lacuna.models.model_folder import SHIPPED

Lacuna = Callable[..., Any]


@pytest.fixture
def corpus(lacuna: Lacuna, examples: Path, tmp_path: Path) -> Path:
    folder = tmp_path / "corpus"
    assert lacuna("index", examples / "notes", "--out", folder).code == 0
    return folder


def flip(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


def test_a_sound_corpus(lacuna: Lacuna, corpus: Path) -> None:
    for options in ((), ("--deep",)):
        ran = lacuna("corpus", "check", corpus, *options)
        assert ran.code == 0
        assert "Nothing is wrong" in ran.err
    told = json.loads(lacuna("corpus", "check", corpus, "--json").out)
    assert told["has_checksums"]
    assert told["problems"] == []
    assert "Nothing is wrong" in lacuna("corpus", "repair", corpus).err


def test_a_damaged_index(lacuna: Lacuna, corpus: Path) -> None:
    (path,) = (corpus / "index").glob("*.idx")
    flip(path)
    ran = lacuna("search", "pilots", "--corpus", corpus)
    assert ran.code == 2
    assert f"lacuna corpus repair {corpus}" in ran.err
    ran = lacuna("corpus", "check", corpus)
    assert ran.code == 1
    assert f"index/{path.name}" in ran.out
    assert "can be rebuilt" in ran.out
    ran = lacuna("corpus", "repair", corpus)
    assert ran.code == 0
    assert "text index and link graph" in ran.err
    assert lacuna("search", "pilots", "--corpus", corpus).code == 0


def test_a_damaged_database(lacuna: Lacuna, corpus: Path, examples: Path) -> None:
    flip(corpus / "documents.sqlite")
    assert lacuna("corpus", "show", corpus, "Marrow").code == 2
    ran = lacuna("corpus", "repair", corpus)
    assert ran.code in (0, 1)
    assert f"lacuna index {(examples / 'notes').resolve()} --out {corpus}" in ran.err
    assert lacuna("index", examples / "notes", "--out", corpus).code == 0
    assert lacuna("corpus", "show", corpus, "Marrow").code == 0
    assert lacuna("corpus", "check", corpus, "--deep").code == 0


def test_a_backup(lacuna: Lacuna, corpus: Path, tmp_path: Path) -> None:
    assert "4 documents copied" in lacuna("corpus", "backup", corpus, tmp_path / "copy").err
    assert lacuna("corpus", "check", tmp_path / "copy", "--deep").code == 0
    assert lacuna("corpus", "backup", corpus, tmp_path / "copy").code == 2
    assert lacuna("corpus", "backup", corpus).code == 2


def test_of_a_folder_its_corpus_in_the_cache_is_checked(lacuna: Lacuna, tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "a.md").write_text("# Ferry\n\nIt sails.\n")
    ran = lacuna("corpus", "check", tmp_path / "notes")
    assert ran.code == 2
    assert "is not indexed yet" in ran.err
    assert lacuna("search", "ferry", "--corpus", tmp_path / "notes").code == 0
    assert lacuna("corpus", "check", tmp_path / "notes").code == 0
    assert lacuna("corpus", "check", tmp_path / "nowhere").code == 2


def test_a_knowledge_base_and_a_model_are_checked_too(lacuna: Lacuna, tmp_path: Path) -> None:
    knowledge, model = tmp_path / "knowledge", tmp_path / "model"
    (tmp_path / "facts.tsv").write_text("facts\tmetal conducts heat\n")
    assert lacuna("knowledge", tmp_path / "facts.tsv", "--out", knowledge).code == 0
    shutil.copytree(SHIPPED / "gapqa", model)
    for folder, file in ((knowledge, "*/*/*.npy"), (model, "model.onnx")):
        ran = lacuna("corpus", "check", folder)
        assert (ran.code, "Nothing is wrong" in ran.err) == (0, True)
        path = sorted(folder.glob(file))[-1]
        flip(path)
        ran = lacuna("corpus", "check", folder)
        assert ran.code == 1
        assert path.name in ran.out
        assert "again" in ran.out
        told = json.loads(lacuna("corpus", "check", folder, "--json").out)
        assert [problem["part"] for problem in told["problems"]] == [
            path.relative_to(folder).as_posix()
        ]
        for sums in folder.rglob("checksums.json"):
            sums.unlink()
        ran = lacuna("corpus", "check", folder)
        assert (ran.code, "has no checksums" in ran.err) == (0, True)
