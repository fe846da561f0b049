"""The export in a process of its own."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import pytest

pytest.importorskip("sqlalchemy", reason="the extra `collect` is not installed")

from lacuna.errors import LacunaError
from lacuna_collect.project import ExportProcess
from lacuna_collect.simulate.demo_project import make_demo


@pytest.fixture
def project(tmp_path: Path) -> Path:
    make_demo(tmp_path / "project").close()
    return tmp_path / "project"


def test_files_are_those_of_the_project(project: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    ExportProcess(project)(out)
    assert {"train.json", "context_articles.json"} <= {path.name for path in out.iterdir()}


def test_what_can_be_mended_is_told(tmp_path: Path) -> None:
    with pytest.raises(LacunaError, match="is no project"):
        ExportProcess(tmp_path / "nowhere")(tmp_path)


def test_closing_ends_what_runs(project: Path, tmp_path: Path) -> None:
    export = ExportProcess(project)
    told: list[str] = []

    def run() -> None:
        try:
            export(tmp_path)
        except LacunaError as error:
            told.append(str(error))

    running = threading.Thread(target=run)
    running.start()
    while export.child.pid is None:
        time.sleep(0.001)
    export.close()
    running.join()
    assert "broke off" in told[0]
    with pytest.raises(LacunaError, match="being stopped"):
        export(tmp_path)
