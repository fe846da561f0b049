from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from lacuna.errors import LacunaError
from lacuna.models import model_folder
from lacuna.models.model_folder import FORMATS, ModelFolder, ModelSystem, find_model

FORMAT = FORMATS[ModelSystem.GAPQA]
CONFIG: dict[str, Any] = {
    "system": "gapqa",
    "format": FORMAT,
    "kind": "bilstm",
    "knowledge": "omcs",
    "retrieve_by": "fact",
}


def find(name: str | Path) -> ModelFolder:
    return find_model(name, system=ModelSystem.GAPQA)


def write(folder: Path, **changes: Any) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config.json").write_text(json.dumps({**CONFIG, **changes}))
    return folder


def test_a_folder_tells_how_it_was_trained(tmp_path: Path) -> None:
    found = find(write(tmp_path / "mine"))
    assert (found.kind, found.knowledge, found.by_span) == ("bilstm", "omcs", False)
    assert {path.parent for path in (found.weights, found.tokenizer, found.network)} == {found.path}
    assert find(write(tmp_path / "mine", retrieve_by="span")).by_span


def test_a_shipped_one_is_found_by_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(model_folder, "SHIPPED", tmp_path / "shipped")
    write(tmp_path / "shipped" / "gapqa")
    monkeypatch.chdir(tmp_path)
    assert find("gapqa").path == tmp_path / "shipped" / "gapqa"
    write(tmp_path / "runs" / "gapqa")
    assert find("runs/gapqa").path == Path("runs/gapqa")


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"system": None}, "is no GapQA model"),
        ({"format": FORMAT + 1}, rf"of format {FORMAT + 1}, this version reads format {FORMAT}"),
    ],
)
def test_a_model_of_another_kind_is_refused(
    tmp_path: Path, changes: dict[str, Any], said: str
) -> None:
    with pytest.raises(LacunaError, match=said):
        find(write(tmp_path, **changes))


def test_what_is_no_model_is_refused(tmp_path: Path) -> None:
    with pytest.raises(LacunaError, match="there is no GapQA model 'nowhere'"):
        find("nowhere")
    for broken in (b"[1]", b"{", b"\xff\xfe"):
        (tmp_path / "config.json").write_bytes(broken)
        with pytest.raises(LacunaError, match="is not a model's configuration"):
            find(tmp_path)
