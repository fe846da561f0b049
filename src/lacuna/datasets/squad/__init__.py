"""SQuAD 1.1 and 2.0: a paragraph, a question, a span of the paragraph, or no answer."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from lacuna.answer_mode import AnswerMode
from lacuna.datasets.base import Dataset
from lacuna.datasets.official_files import OfficialFile, OfficialFiles
from lacuna.datasets.prediction_files import read_texts, write_texts
from lacuna.datasets.setting import Setting, by_name
from lacuna.datasets.squad.metric import SquadMetric
from lacuna.datasets.squad.squad_format import ARTICLES
from lacuna.metrics.metric import Metric
from lacuna.types import Prediction

if TYPE_CHECKING:
    from lacuna.datasets.describing.description import Description

ADDRESS = "https://rajpurkar.github.io/SQuAD-explorer/dataset/"
PAPER_LENGTHS = {"words a question": 11.0, "words an answer": 3.2}
"""What QuAC's paper says of SQuAD, in tokens."""


class SQuAD(Dataset):
    """SQuAD 1.1 and 2.0."""

    name = "squad"
    about = "spans of a paragraph, in 2.0 also no answer (Rajpurkar et al. 2016, 2018)"
    forms = (ARTICLES,)
    settings = by_name(
        Setting("may-abstain", AnswerMode.ABSTAIN), Setting("always-answer", AnswerMode.EXTRACT)
    )
    metric_options = frozenset({"no_answer_probability"})
    header: ClassVar[Mapping[str, Any]] = {"version": "v2.0"}
    downloads = OfficialFiles(
        "CC BY-SA 4.0",
        "https://rajpurkar.github.io/SQuAD-explorer",
        (
            OfficialFile(
                ADDRESS + "train-v1.1.json",
                30288272,
                "3527663986b8295af4f7fcdff1ba1ff3f72d07d61a20f487cb238a6ef92fd955",
            ),
            OfficialFile(
                ADDRESS + "dev-v1.1.json",
                4854279,
                "95aa6a52d5d6a735563366753ca50492a658031da74f301ac5238b03966972c9",
            ),
            OfficialFile(
                ADDRESS + "train-v2.0.json",
                42123633,
                "68dcfbb971bd3e96d5b46c7177b16c1a4e7d4bdef19fb204502738552dede002",
            ),
            OfficialFile(
                ADDRESS + "dev-v2.0.json",
                4370528,
                "80a5225e94905956a6446d296ca1093975c4d3b3260f1d6c8f68bc2ab77182d8",
            ),
        ),
    )

    def metric(self, **options: Any) -> Metric:
        return SquadMetric(**options)

    def description(self) -> Description:
        from lacuna.datasets.describing.general import GeneralDescription

        return GeneralDescription(PAPER_LENGTHS, "QuAC's paper, sections 3 and 6")

    def read_predictions(self, path: Path) -> dict[str, Prediction]:
        return read_texts(path, self.no_answer, several=False, yes_no=False)

    def write_predictions(self, path: Path, predictions: Mapping[str, Prediction]) -> None:
        write_texts(path, predictions, self.no_answer, several=False)
