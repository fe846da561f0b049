from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from lacuna import LacunaError
from lacuna.models.model_folder import (
    CONFIG,
    FORMATS,
    NETWORK,
    TOKENIZER,
    WEIGHTS,
    ModelSystem,
    find_model,
)
from lacuna.models.reader.reader import ModelReader

FORMAT = FORMATS[ModelSystem.READER]


@pytest.fixture
def folder(tmp_path: Path, tokenizer_file: Path) -> Path:
    """Sound in all but its weights."""
    made = tmp_path / "model"
    made.mkdir()
    (made / CONFIG).write_text(json.dumps({"format": FORMAT}))
    (made / TOKENIZER).write_bytes(tokenizer_file.read_bytes())
    (made / WEIGHTS).write_bytes(b"no network")
    return made


def refused(model: str | Path) -> str:
    with pytest.raises(LacunaError) as caught:
        ModelReader.load(model)
    message = str(caught.value)
    assert "\n" not in message
    return message


def test_a_folder_is_found(folder: Path) -> None:
    assert find_model(folder).weights == folder / WEIGHTS
    assert find_model(str(folder)).config == {"format": FORMAT}


def test_what_is_no_model(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("")
    for name in ("smal", file, tmp_path / "nowhere", "a/b"):
        assert "there is no model" in refused(name)
    assert f"no {CONFIG}" in refused(tmp_path)


@pytest.mark.parametrize("name", [CONFIG, TOKENIZER, WEIGHTS])
def test_a_missing_file_is_named(folder: Path, name: str) -> None:
    (folder / name).unlink()
    assert name in refused(folder)


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"\xff\xfe", b'{"format": "\xff"}'])
def test_a_damaged_configuration(folder: Path, content: bytes) -> None:
    (folder / CONFIG).write_bytes(content)
    assert "is not a model's configuration" in refused(folder)


@pytest.mark.parametrize("content", ["{}", '{"format": 0}', '{"format": "1"}'])
def test_a_model_of_another_version(folder: Path, content: str) -> None:
    (folder / CONFIG).write_text(content)
    assert f"this version reads format {FORMAT}" in refused(folder)


def test_damaged_weights(folder: Path) -> None:
    assert "cannot be loaded as a model" in refused(folder)


def test_a_damaged_tokenizer(small: Path, folder: Path) -> None:
    (folder / WEIGHTS).unlink()
    (folder / WEIGHTS).symlink_to(small / WEIGHTS)
    (folder / TOKENIZER).write_text("{}")
    assert "cannot be loaded as a tokenizer" in refused(folder)


def test_a_trained_network_needs_torch(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / WEIGHTS).unlink()
    (folder / NETWORK).write_bytes(b"")
    for name in [name for name in sys.modules if name.startswith("lacuna.train.")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "torch", None)
    assert "lacuna-qa[train]" in refused(folder)


def test_a_shipped_name_means_the_shipped_model(
    small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "small").mkdir()
    monkeypatch.chdir(tmp_path)
    assert find_model("small").path == small
    assert f"no {CONFIG}" in refused("./small")
