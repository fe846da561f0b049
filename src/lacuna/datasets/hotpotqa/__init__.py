"""HotpotQA: a question over ten paragraphs, an answer, and the sentences that support it.

Files of 2WikiMultihopQA are in the same format.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lacuna.answer_text import answer_from_text, text_from_answer
from lacuna.datasets.base import Dataset
from lacuna.datasets.hotpotqa.baselines import BASELINES
from lacuna.datasets.hotpotqa.hotpotqa_format import NO_ANSWER, QUESTIONS, facts_from, raw_facts
from lacuna.datasets.hotpotqa.hotpotqa_parts_format import GOLD_SENTENCES, PARAGRAPHS
from lacuna.datasets.hotpotqa.metric import HotpotQAMetric
from lacuna.datasets.hotpotqa.settings import SETTINGS
from lacuna.datasets.official_files import OfficialFile, OfficialFiles
from lacuna.datasets.prediction_files import prediction_error, read_map
from lacuna.errors import BadField, LacunaError, shown
from lacuna.files.json_write import dump
from lacuna.files.writing import replace_text
from lacuna.metrics.metric import Metric
from lacuna.types import Answer, Prediction, Question, SupportingFact

if TYPE_CHECKING:
    from lacuna.datasets.describing.description import Description
    from lacuna.datasets.describing.labelling import LabellingTask

ADDRESS = "http://curtis.ml.cmu.edu/datasets/hotpot/"
EXPECTED = '{"answer": {id: text}, "sp": {id: [[title, sentence], …]}}'
LABELS = {"type": "type", "level": "level"}


class HotpotQA(Dataset):
    """HotpotQA, distractor and full-wiki."""

    name = "hotpotqa"
    about = "questions over several paragraphs, with supporting sentences (Yang et al. 2018)"
    forms = (QUESTIONS, PARAGRAPHS, GOLD_SENTENCES)
    settings = SETTINGS
    no_answer = NO_ANSWER
    breakdown_fields = LABELS
    baselines = BASELINES
    downloads = OfficialFiles(
        "CC BY-SA 4.0",
        "https://hotpotqa.github.io",
        (
            OfficialFile(
                ADDRESS + "hotpot_train_v1.1.json",
                566426227,
                "26650cf50234ef5fb2e664ed70bbecdfd87815e6bffc257e068efea5cf7cd316",
            ),
            OfficialFile(
                ADDRESS + "hotpot_dev_distractor_v1.json",
                46320117,
                "4e9ecb5c8d3b719f624d66b60f8d56bf227f03914f5f0753d6fa1b359d7104ea",
            ),
            OfficialFile(
                ADDRESS + "hotpot_dev_fullwiki_v1.json",
                47454698,
                "2f1f3e594a3066a3084cc57950ca2713c24712adaad03af6ccce18d1846d5618",
            ),
            OfficialFile(
                ADDRESS + "hotpot_test_fullwiki_v1.json",
                46213747,
                "c61a5274b9aa6deca3f7d2dc4d7757684c158fbd2264f759307699fb53801c2b",
            ),
        ),
    )

    def metric(self, **options: Any) -> Metric:
        return HotpotQAMetric(**options)

    def gold_at_once(self, path: Path) -> list[Question] | None:
        from lacuna.datasets.hotpotqa.quick_gold import gold_at_once

        return gold_at_once(path)

    def description(self) -> Description:
        from lacuna.datasets.hotpotqa.description import HotpotDescription

        return HotpotDescription()

    def labelling(self) -> tuple[LabellingTask, ...]:
        from lacuna.datasets.hotpotqa.labelling import TASKS

        return TASKS

    def facets(self, question: Question) -> dict[str, str]:
        given = {key: question.extra.get(key) for key in LABELS}
        return {key: str(value) for key, value in given.items() if value is not None}

    def oddities(self, question: Question) -> list[str]:
        sentences: dict[str, int] = {}
        oddities = []
        for document in question.documents:
            if document.title in sentences:
                oddities.append("two paragraphs of the same title")
            sentences.setdefault(document.title, len(document.sentences))
        for title, sentence in (question.gold and question.gold.supporting_facts) or ():
            if title not in sentences:
                oddities.append("a supporting fact whose paragraph is not among the candidates")
            elif sentence >= sentences[title]:
                oddities.append("a supporting fact past its paragraph's last sentence")
        return oddities

    def read_predictions(self, path: Path) -> dict[str, Prediction]:
        predictions: dict[str, Prediction] = {}
        sections = read_map(path)
        answers, facts = sections.get("answer", {}), sections.get("sp", {})
        if not isinstance(answers, dict) or not isinstance(facts, dict) or not (answers or facts):
            raise LacunaError(f"{path} holds no HotpotQA predictions: expected {EXPECTED}.")
        for id_ in {**answers, **facts}:
            try:
                predictions[id_] = Prediction(
                    _predicted_answer(answers[id_]) if id_ in answers else None,
                    supporting_facts=_predicted_facts(facts[id_]) if id_ in facts else None,
                )
            except BadField as problem:
                raise prediction_error(path, id_, problem) from problem
        return predictions

    def write_predictions(self, path: Path, predictions: Mapping[str, Prediction]) -> None:
        answers = {
            id_: text_from_answer(p.answer, NO_ANSWER) for id_, p in predictions.items() if p.answer
        }
        facts = {
            id_: raw_facts(p.supporting_facts)
            for id_, p in predictions.items()
            if p.supporting_facts is not None
        }
        with replace_text(path) as out:
            out.write(dump({"answer": answers, "sp": facts}) + "\n")


def _predicted_answer(raw: Any) -> Answer:
    if not isinstance(raw, str):
        raise BadField("answer", "a text", shown(raw))
    return answer_from_text(raw, NO_ANSWER)


def _predicted_facts(raw: Any) -> tuple[SupportingFact, ...]:
    if not isinstance(raw, list):
        raise BadField("sp", "a list of [title, sentence]", shown(raw))
    return facts_from(raw, "sp")
