"""Whatever a legal file holds or leaves out, it is described, and a sheet of it can be read."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import formats
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lacuna.datasets import get_dataset
from lacuna_lab.describe.labelling import FilledSheet, write_sheet, written_id

quick = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
FILES = st.one_of(
    formats.iirc().map(lambda content: ("iirc", content)),
    formats.iirc_snippets().map(lambda content: ("iirc", content)),
    formats.hotpotqa().map(lambda content: ("hotpotqa", content)),
    formats.hotpotqa_gold_sentences().map(lambda content: ("hotpotqa", content)),
    formats.quac().map(lambda content: ("quac", {"data": content})),
    formats.openbookqa().map(lambda content: ("openbookqa", content)),
    formats.squad().map(lambda content: ("squad", {"data": content})),
    formats.drop().map(lambda content: ("drop", content)),
    formats.drop_reduced().map(lambda content: ("drop", content)),
    formats.real_questions().map(lambda content: ("real", content)),
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("any-file")


@quick
@given(file=FILES)
def test_it_is_described(folder: Path, file: tuple[str, Any]) -> None:
    name, content = file
    path = folder / "file.json"
    path.write_text(json.dumps(content))
    description = get_dataset(name).description()
    with get_dataset(name).open(path) as reader:
        for item in reader:
            description.add(item)
    for part in description.parts():
        json.dumps(part.as_json(), allow_nan=False)
        width = len(part.table.columns)
        assert all(len(row) == width for row in part.table.rows)
        assert part.to_markdown().startswith(f"**{part.table.title}")


@quick
@given(file=FILES)
def test_its_sheet_can_be_filled_and_read(folder: Path, file: tuple[str, Any]) -> None:
    name, content = file
    path, sheet = folder / "file.json", folder / "sheet.csv"
    path.write_text(json.dumps(content))
    dataset = get_dataset(name)
    with dataset.open(path) as reader:
        questions = {written_id(question.id): question for question in reader.questions()}
    questions.pop("", None)
    for task in dataset.labelling() if questions else ():
        sheet.unlink(missing_ok=True)
        write_sheet(sheet, task, list(questions.values()), {})
        with sheet.open(encoding="utf-8", newline="") as text:
            head, *rows = csv.reader(text)
        labels = [labels[0] for labels in task.columns().values()]
        with sheet.open("w", encoding="utf-8", newline="") as out:
            csv.writer(out).writerows([head, *(row[: -len(labels)] + labels for row in rows)])
        filled = FilledSheet(sheet, dataset.labelling())
        filled.check_ids({question.id for question in questions.values()})
        assert filled.task is task
        assert len(filled.ids) == len(questions)
