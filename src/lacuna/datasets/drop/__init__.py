"""DROP: a passage, and questions that count, compare and calculate over it.

Two forms are read: the official JSON, and a reduced one whose answers are plain texts.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from lacuna.answer_mode import AnswerMode
from lacuna.datasets.base import Dataset
from lacuna.datasets.drop.drop_format import drop_form
from lacuna.datasets.drop.drop_reduced_format import REDUCED
from lacuna.datasets.drop.metric import DropMetric
from lacuna.datasets.official_files import OfficialFile, OfficialFiles
from lacuna.datasets.prediction_files import read_texts
from lacuna.datasets.setting import Setting, by_name
from lacuna.metrics.metric import Metric
from lacuna.types import Prediction


class DROP(Dataset):
    """DROP, official and reduced."""

    name = "drop"
    about = "counting and arithmetic over a passage (Dua et al. 2019)"
    forms = (drop_form("official", yes_no=False), REDUCED)
    settings = by_name(Setting("passage", AnswerMode.CALCULATE))
    downloads = OfficialFiles(
        "CC BY-SA 4.0",
        "https://allenai.org/data/drop",
        (
            OfficialFile(
                "https://s3-us-west-2.amazonaws.com/allennlp/datasets/drop/drop_dataset.zip",
                8308692,
                "39d2278a29fd729de301b111a45f434c24834f40df8f4ff116d864589e3249d6",
                members=(
                    "drop_dataset/drop_dataset_train.json",
                    "drop_dataset/drop_dataset_dev.json",
                ),
            ),
        ),
    )

    def metric(self, **options: Any) -> Metric:
        return DropMetric(**options)

    def read_predictions(self, path: Path) -> dict[str, Prediction]:
        return read_texts(path, self.no_answer, yes_no=False)
