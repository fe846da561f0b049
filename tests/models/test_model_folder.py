from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from lacuna import LacunaError
from lacuna.files.checksums import read_checksums
from lacuna.models.model_folder import (
    CONFIG,
    FORMATS,
    NETWORK,
    SHIPPED,
    TOKENIZER,
    WEIGHTS,
    ModelSystem,
    find_model,
    write_config,
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


def test_a_trained_network_needs_torch(
    folder: Path, lab_unloaded: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / WEIGHTS).unlink()
    (folder / NETWORK).write_bytes(b"")
    monkeypatch.setitem(sys.modules, "torch", None)
    assert "lacuna-qa[lab]" in refused(folder)


def test_a_shipped_name_means_the_shipped_model(
    small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "small").mkdir()
    monkeypatch.chdir(tmp_path)
    assert find_model("small").path == small
    assert f"no {CONFIG}" in refused("./small")


def test_what_is_shipped_is_as_its_checksums_say() -> None:
    for model in SHIPPED.iterdir():
        if model.is_dir():
            checksums = read_checksums(model)
            assert checksums is not None, model
            assert checksums.damaged(model) == []
            told = {name for name in checksums.files if name != "checksums.json"}
            there = {path.name for path in model.iterdir()} - {"CARD.md", "checksums.json"}
            assert told == there, "python -m lacuna.models.checksums writes them"


def test_what_changed_since_it_was_written_is_refused(folder: Path) -> None:
    write_config(folder, {"format": FORMAT})
    for name in (CONFIG, TOKENIZER, WEIGHTS):
        good = (folder / name).read_bytes()
        (folder / name).write_bytes(bytes([good[0] ^ 1]) + good[1:])
        assert f"damaged: {name}" in refused(folder)
        (folder / name).unlink()
        assert name in refused(folder)
        (folder / name).write_bytes(good)
    assert find_model(folder).config == {"format": FORMAT}


def test_who_changes_the_configuration_keeps_the_checksums_right(folder: Path) -> None:
    write_config(folder, {"format": FORMAT})
    write_config(folder, {**find_model(folder).config, "temperature": 2.0})
    assert find_model(folder).temperature == 2.0


def test_what_was_changed_by_hand_can_be_sealed_anew(folder: Path) -> None:
    write_config(folder, {"format": FORMAT})
    (folder / TOKENIZER).write_text("{}")
    assert f"python -m lacuna.models.checksums {folder}" in refused(folder)
    command = [sys.executable, "-m", "lacuna.models.checksums", str(folder)]
    subprocess.run(command, check=True, capture_output=True)
    assert find_model(folder)


def test_a_kill_between_two_files_leaves_a_model_that_opens(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_config(folder, {"format": FORMAT})

    def die(_: Path) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("lacuna.models.model_folder.seal_model", die)
    with pytest.raises(KeyboardInterrupt):
        write_config(folder, {"format": FORMAT, "temperature": 3.0})
    assert find_model(folder).temperature == 3.0
