from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

import pytest

from lacuna.errors import LacunaError
from lacuna.models.model_folder import NETWORK, WEIGHTS, ModelFolder, ModelSystem
from lacuna.models.registry import LOADERS, load_torch_backend


@pytest.mark.parametrize("config", [{}, {"system": "gapqa"}])
def test_weights_and_torch_are_asked_for(
    tmp_path: Path, config: dict[str, str], lab_unloaded: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = ModelFolder(tmp_path, config)
    with pytest.raises(LacunaError, match=f"{WEIGHTS} is missing"):
        load_torch_backend(folder)
    (tmp_path / NETWORK).write_bytes(b"")
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(LacunaError, match=r"pip install 'lacuna-qa\[lab\]'"):
        load_torch_backend(folder)


def test_every_system_has_a_loader() -> None:
    pytest.importorskip("torch")
    pytest.importorskip("transformers")
    assert LOADERS.keys() == set(ModelSystem)
    for loader in LOADERS.values():
        module, _, function = loader.partition(":")
        assert callable(getattr(import_module(module), function))
