"""Writing questions about two paragraphs: algorithm 1, live."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from lacuna.collect.tasks.hotpotqa import qualification
from lacuna.collect.tasks.hotpotqa.bonuses import bonuses
from lacuna.collect.tasks.hotpotqa.drawing import question_item
from lacuna.collect.tasks.hotpotqa.hops import hop_items
from lacuna.collect.tasks.hotpotqa.more_settings import QUESTIONS
from lacuna.collect.tasks.hotpotqa.question_check import check_question
from lacuna.collect.tasks.hotpotqa.single_hop import single_hop
from lacuna.collect.tasks.hotpotqa.written_question import WrittenQuestion
from lacuna.collect.tasks.knobs import check_more, defaults, set_to
from lacuna.collect.tasks.task import (
    Bonus,
    CollectTask,
    FieldProblem,
    FinishedWork,
    Json,
    NewItem,
    TaskSettings,
)
from lacuna.corpus.store import Store
from lacuna.datasets.hotpotqa.metric import HotpotQAMetric
from lacuna.models.protocol import Reader
from lacuna.types import Answer, Gold, Prediction, Question

SHOWN = ("kind", "yes_no", "group", "paragraphs", "anchors", "hints", "given_question")
LEAST_CONFIDENCE = 0.5
"""From this on, what the model in the loop says counts as an answer."""
SKIP_REASONS = (
    "No good question takes both paragraphs",
    "The paragraphs have nothing to do with each other",
    "A paragraph cannot be read",
)


class HotpotQuestionsTask(CollectTask):
    """A question that takes two paragraphs, its answer, and the sentences that support it.

    The paper does not say what a question was paid with; the default is ours.
    """

    name = "hotpotqa-questions"
    title = "Write questions that take two paragraphs"
    instructions = "hotpotqa-questions"
    form = "hotpotqa-questions"
    settings = TaskSettings(pay_cents=50, minutes=30, inspect_first=5, more=defaults(QUESTIONS))

    def check_settings(self, settings: TaskSettings) -> Sequence[FieldProblem]:
        """Say what is wrong with a requester's settings."""
        return check_more(settings, QUESTIONS)

    def draw_item(
        self, corpus: Store, settings: TaskSettings, random: Random, taken: frozenset[str]
    ) -> NewItem | None:
        """Draw a pair that nobody has had; None when there is none left."""
        return question_item(corpus, set_to(settings, QUESTIONS), random, taken)

    def follow_up(
        self, finished: FinishedWork, settings: TaskSettings
    ) -> Mapping[str, Sequence[NewItem]]:
        """A sample of each writer's questions goes to somebody who tells whether they take both."""
        return {"hotpotqa-hops": hop_items(finished, set_to(settings, QUESTIONS))}

    def qualification(self, settings: TaskSettings) -> Sequence[NewItem]:
        """Three questions of ours, to be answered and supported."""
        return qualification.questions()

    def shown(self, payload: Json, settings: TaskSettings) -> Json:
        """The pair, the hints, and what a bad pair may be skipped for."""
        shown = {name: payload[name] for name in SHOWN if name in payload}
        return {**shown, "skip_reasons": list(SKIP_REASONS)}

    def check(self, payload: Json, work: Json, settings: TaskSettings) -> Sequence[FieldProblem]:
        """Say what is wrong with a question, its answer or its supporting sentences."""
        longest = int(set_to(settings, QUESTIONS)["longest_question"])
        return check_question(payload, work, longest)

    def score(self, payload: Json, work: Json, gold: Json) -> float:
        """Half for the answer, half for the supporting sentences, by HotpotQA's own F1."""
        if check_question(payload, work, 0):
            return 0.0
        given, wanted = (WrittenQuestion.of(payload, each) for each in (work, gold))
        question = Question(
            "",
            wanted.question,
            gold=Gold((Answer.span(wanted.answer),), supporting_facts=wanted.facts(payload)),
        )
        prediction = Prediction(Answer.span(given.answer), supporting_facts=given.facts(payload))
        metric = HotpotQAMetric()
        row = dict(zip(metric.measures, metric.judge(question, prediction), strict=True))
        return sum(row[part] or 0.0 for part in ("f1", "sp_f1")) / 2

    def ask_model(self, reader: Reader, payload: Json, work: Json, part: str) -> Json:
        """Say whether the reader answers the question from one paragraph alone."""
        return single_hop(reader, payload, work, LEAST_CONFIDENCE)

    def bonuses(self, finished: Sequence[FinishedWork], settings: TaskSettings) -> Sequence[Bonus]:
        """For the best workers of every block of examples, and for pace."""
        return bonuses(finished, settings)
