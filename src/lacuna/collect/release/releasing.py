"""From a project to a folder that can be put on the web as it is."""

from __future__ import annotations

import json
import shutil
import tempfile
from dataclasses import replace
from pathlib import Path

from lacuna.collect.project import CollectProject, check_new
from lacuna.collect.release import loaders
from lacuna.collect.release.dataset_sheet import dataset_sheet
from lacuna.collect.release.licence import check_licence, licence_note
from lacuna.collect.release.project_page import ReleaseNames, project_page
from lacuna.collect.release.released_data import ReleasedData, part_data
from lacuna.collect.release.statistics import (
    statistics_json,
    statistics_markdown,
    statistics_of,
)
from lacuna.datasets import get_dataset
from lacuna.datasets.base import Dataset
from lacuna.errors import LacunaError
from lacuna.files.sha256_sums import write_sums
from lacuna.server.routes.pages import STATIC

KEPT_BACK = "kept-back"
"""The folder of the project that gets, by release, the answers which do not go out."""
LOOK = ("css/base.css", "css/bar.css", "css/sheet.css", "icon.svg")


def release(
    project: CollectProject, out: Path, *, title: str, licence: str, board: str
) -> ReleasedData:
    """Write a new folder, which is there whole or not at all; so is what is kept back."""
    check_new(out)
    check_licence(licence)
    dataset, keeping = _dataset(project), project.folder / KEPT_BACK / out.resolve().name
    if keeping.exists():
        raise LacunaError(
            f"{keeping} has the answers of an earlier release of this name. Give another name, or "
            "move them elsewhere."
        )
    out.parent.mkdir(parents=True, exist_ok=True)
    keeping.parent.mkdir(mode=0o700, exist_ok=True)
    with (
        tempfile.TemporaryDirectory(prefix=f".{out.name}.", dir=out.parent) as place,
        tempfile.TemporaryDirectory(prefix=".", dir=keeping.parent) as beside,
    ):
        exported, made, kept = Path(place) / "exported", Path(place) / "made", Path(beside) / "kept"
        exported.mkdir()
        report = project.export(exported)
        data = part_data(dataset, project.family.companions, exported, made / "data", kept)
        statistics = statistics_of(dataset, made / "data", data)
        names = ReleaseNames(title, dataset.name, dataset.about, licence, board)
        told = statistics_json(statistics)
        sheets = {
            "DATASHEET.md": dataset_sheet(project, title, data, report, licence, board),
            "LICENSE.txt": licence_note(title, licence),
            "statistics.md": statistics_markdown(title, statistics),
            "statistics.json": json.dumps(told, ensure_ascii=False, indent=1) + "\n",
            "index.html": project_page(names, data, made, statistics),
        }
        for name, text in sheets.items():
            (made / name).write_text(text, encoding="utf-8")
        shutil.copyfile(_loader(dataset.name), made / "load.py")
        for name in LOOK:
            (made / name).parent.mkdir(exist_ok=True)
            shutil.copyfile(STATIC / name, made / name)
        write_sums(made)
        if data.kept_back:  # first: no release is without the answers that it hides
            kept.replace(keeping)
        try:
            if out.exists():  # an empty folder, as was checked
                out.rmdir()
            made.replace(out)
        except OSError:
            if data.kept_back:
                keeping.replace(kept)
            raise
    return replace(data, kept_back=[keeping / path.name for path in data.kept_back])


def _dataset(project: CollectProject) -> Dataset:
    if not project.family.dataset:
        raise LacunaError(
            f"A project of the kind {project.family.name!r} makes no dataset to release. Get what "
            "it has with `lacuna collect export`."
        )
    return get_dataset(project.family.dataset)


def _loader(dataset: str) -> Path:
    """The loading code for a dataset's format, or what reads any."""
    own = Path(loaders.__file__).with_name(f"{dataset}.py")
    return own if own.is_file() else own.with_name("any_format.py")
