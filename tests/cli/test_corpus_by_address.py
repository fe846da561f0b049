"""The verbs that take a corpus take an address."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture
def address(lacuna: Any, examples: Path, tmp_path: Path) -> str:
    address = f"file://{tmp_path}/shared/corpus"
    ran = lacuna("index", examples / "notes", "--out", address)
    assert ran.code == 0, ran.err
    assert f"{address}: 4 documents" in ran.out
    return address


def test_a_corpus_at_an_address_is_looked_into_changed_and_copied(
    lacuna: Any, address: str, examples: Path, tmp_path: Path
) -> None:
    again = lacuna("index", examples / "notes", "--out", address)
    assert f"is in {address} already" in again.err
    info = json.loads(lacuna("corpus", "info", address, "--json").out)
    assert info["documents"] == 4
    assert info["sources"][0]["root"] == str(examples / "notes")
    assert "Stony Tarn" in lacuna("search", "smallest island", "--corpus", address, "-k", "1").out
    assert "Marrow" in lacuna("corpus", "path", address, "Stony Tarn", "Ada Quill").out
    assert "Marrow" in lacuna("corpus", "show", address, "marrow").out
    assert lacuna("corpus", "remove", address, "Marrow").code == 0
    assert json.loads(lacuna("corpus", "info", address, "--json").out)["documents"] == 3
    folder = tmp_path / "folder"
    assert lacuna("corpus", "copy", address, folder).code == 0
    assert lacuna("corpus", "check", "--deep", folder).code == 0
    assert json.loads(lacuna("corpus", "info", folder, "--json").out)["documents"] == 3
    refused = lacuna("corpus", "copy", folder, address)
    assert refused.code == 2
    assert "already" in refused.err


def test_an_address_is_a_source_too(lacuna: Any, address: str, tmp_path: Path) -> None:
    made = lacuna("index", address, "--out", tmp_path / "made", "--json")
    assert json.loads(made.out)["documents"] == 4
    refused = lacuna("index", address, "--out", address)
    assert refused.code == 2
    assert "is read by this command" in refused.err


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (
            ("search", "x", "--corpus", "file:///nowhere/at/all"),
            "There is no corpus at file:///nowhere/at/all",
        ),
        (("search", "x", "--corpus", "s3://me:hunter2@bucket/corpus"), "holds no credentials"),
        (("search", "x", "--corpus", "ftp://host/corpus"), "is no address of a corpus"),
        (("corpus", "check", "file:///nowhere"), "lacuna corpus copy file:///nowhere DIR"),
    ],
)
def test_what_is_wrong_with_an_address_is_told(
    lacuna: Any, arguments: tuple[str, ...], told: str
) -> None:
    ran = lacuna(*arguments)
    assert ran.code == 2
    assert told in ran.err
    assert "hunter2" not in ran.err


def test_without_the_extra_it_is_told_how_to_install_it(
    lacuna: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [name for name in sys.modules if name.startswith("lacuna_scale.")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "lance", None)
    ran = lacuna("search", "x", "--corpus", "s3://bucket/corpus")
    assert ran.code == 2
    assert "pip install 'lacuna-qa[scale]'" in ran.err
