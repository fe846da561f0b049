"""IIRC: a paragraph with links, and questions that need more than the paragraph says.

Three forms are read: the dataset's own, the DROP-style file that its authors score, and single
questions with their evidence as short texts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lacuna.assets import demo
from lacuna.datasets.base import Dataset
from lacuna.datasets.baseline import Baseline, always
from lacuna.datasets.drop.drop_format import drop_form
from lacuna.datasets.iirc.errors import ERROR, ERROR_FIELDS, error_class
from lacuna.datasets.iirc.iirc_format import MAIN, NO_ANSWER, PASSAGES, TYPE_OF_KIND, link_count
from lacuna.datasets.iirc.iirc_snippets_format import SNIPPETS
from lacuna.datasets.iirc.metric import IIRCMetric
from lacuna.datasets.iirc.settings import SETTINGS
from lacuna.datasets.official_files import OfficialFile, OfficialFiles
from lacuna.metrics.metric import Metric
from lacuna.types import Answer, Prediction, Question

if TYPE_CHECKING:
    from lacuna.datasets.answer_trace import AnswerTrace
    from lacuna.datasets.describing.description import Description
    from lacuna.datasets.describing.labelling import LabellingTask

NUMBER_OF_LINKS = "number of links"
BREAKDOWN_FIELDS = {NUMBER_OF_LINKS: "question_links"}
ADDRESS = "https://iirc-dataset.s3.us-west-2.amazonaws.com/"


class IIRC(Dataset):
    """IIRC."""

    name = "iirc"
    about = "a paragraph, its links, and what it leaves out (Ferguson et al. 2020)"
    forms = (PASSAGES, drop_form("DROP-style", yes_no=True), SNIPPETS)
    settings = SETTINGS
    no_answer = NO_ANSWER
    downloads = OfficialFiles(
        "CC BY 4.0",
        "https://allennlp.org/iirc",
        (
            OfficialFile(
                ADDRESS + "iirc_train_dev.tgz",
                members=("iirc_train_dev/train.json", "iirc_train_dev/dev.json"),
            ),
            OfficialFile(ADDRESS + "iirc_test.json"),
            OfficialFile(ADDRESS + "context_articles.tar.gz", members=("context_articles.json",)),
        ),
    )
    breakdown_fields = BREAKDOWN_FIELDS
    error_fields = ERROR_FIELDS
    baselines = (
        Baseline(
            "always-none", "none to every question (table 6)", always(Prediction(Answer.none()))
        ),
    )
    demo_questions = demo.QUESTIONS

    def metric(self, **options: Any) -> Metric:
        return IIRCMetric(**options)

    def description(self) -> Description:
        from lacuna.datasets.iirc.description import IIRCDescription

        return IIRCDescription()

    def labelling(self) -> tuple[LabellingTask, ...]:
        from lacuna.datasets.iirc.labelling import TASKS

        return TASKS

    def facets(self, question: Question) -> dict[str, str]:
        if not question.gold or not question.gold.answers:
            return {}
        return {"type": TYPE_OF_KIND[question.gold.answers[0].kind]}

    def breakdowns(self, question: Question) -> dict[str, str]:
        links = question.gold and question.gold.links
        return {
            **({NUMBER_OF_LINKS: link_count(len(set(links)))} if links else {}),
            **self.facets(question),
        }

    def errors(
        self, question: Question, prediction: Prediction, trace: AnswerTrace
    ) -> dict[str, str]:
        return {ERROR: error_class(question, trace)}

    def oddities(self, question: Question) -> list[str]:
        linked = {link.target for link in question.context.links} if question.context else set()
        oddities = []
        if any(target not in linked for target in (question.gold and question.gold.links) or ()):
            oddities.append("a gold link that the context does not have")
        if any(document.title == MAIN for document in question.documents):
            oddities.append("evidence that does not stand in the context where it says")
        if isinstance(question.extra.get("answer"), str):
            oddities.append("an answer that is a plain text, left unread")
        return oddities
