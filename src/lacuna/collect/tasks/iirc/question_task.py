"""Writing questions: ten over ten paragraphs, without seeing the articles that hold the answers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from random import Random
from typing import Any

from lacuna.collect.tasks.iirc.judging import (
    JUDGING,
    judging_item,
    judging_problems,
    judging_score,
    shown_judging,
)
from lacuna.collect.tasks.iirc.model_in_loop import says_reader
from lacuna.collect.tasks.iirc.options import QUESTION_OPTIONS, option_problems, options_of
from lacuna.collect.tasks.iirc.paragraph_sets import (
    TRAIN,
    paragraph_sets,
    raw_article,
    raw_paragraph,
    set_key,
)
from lacuna.collect.tasks.iirc.question_check import question_set_problems
from lacuna.collect.tasks.task import (
    CollectTask,
    FieldProblem,
    FinishedWork,
    Json,
    NewItem,
    TaskSettings,
)
from lacuna.corpus.store import Store
from lacuna.models.protocol import Reader

WRITING = "writing"


class IIRCQuestions(CollectTask):
    """The question task (section 2.2)."""

    name = "iirc-questions"
    title = "Ask what a paragraph leaves out"
    instructions = "iirc-questions"
    form = "iirc-questions"
    shared = "articles"
    reads_shared = False
    settings = TaskSettings(pay_cents=400, minutes=120, more=dict(QUESTION_OPTIONS))

    def check_settings(self, settings: TaskSettings) -> Sequence[FieldProblem]:
        """Whole numbers within reason, and such as go together."""
        return list(option_problems(settings))

    def make_items(
        self, corpus: Store, settings: TaskSettings, random: Random
    ) -> Iterable[NewItem]:
        """Sets of paragraphs; the texts of their links come along, for those who answer."""
        options = options_of(settings)
        for split, seeds in islice(paragraph_sets(corpus, options), options["sets"] or None):
            paragraphs = [raw_paragraph(seed, corpus) for seed in seeds]
            titles = dict.fromkeys(title for seed in seeds for title in seed.targets)
            payload = {
                "kind": WRITING,
                "paragraphs": paragraphs,
                "articles": {title: raw_article(corpus.document(title)) for title in titles},
            }
            yield NewItem(set_key(one["id"] for one in paragraphs), payload, split=split)

    def follow_up(
        self, finished: FinishedWork, settings: TaskSettings
    ) -> Mapping[str, Sequence[NewItem]]:
        """A set to be answered, by one person or by several, and never by who wrote it."""
        if finished.payload.get("kind") != WRITING:
            return {}
        options = options_of(settings)
        training = finished.split in ("", TRAIN)
        copies = options["annotators_train" if training else "annotators_evaluation"]
        payload = _to_be_answered(finished, copies)
        key = f"answers-{finished.submission}"
        item = NewItem(key, payload, copies, finished.split or TRAIN, not_for=(finished.person,))
        return {"iirc-answers": [item]}

    def qualification(self, settings: TaskSettings) -> Sequence[NewItem]:
        """Questions by others, to be told apart into good and bad ones."""
        return [judging_item()]

    def shown(self, payload: Json, settings: TaskSettings) -> Json:
        """The paragraphs with the titles of their links; never the articles."""
        if payload["kind"] == JUDGING:
            return shown_judging(payload)
        options = options_of(settings)
        return {
            "kind": WRITING,
            "paragraphs": payload["paragraphs"],
            "questions": options["questions"],
            "fewest_multi_link": options["fewest_multi_link"],
        }

    def check(self, payload: Json, work: Json, settings: TaskSettings) -> Sequence[FieldProblem]:
        """Every question is whole, and enough of them need two links."""
        if payload["kind"] == JUDGING:
            return list(judging_problems(payload, work))
        return list(question_set_problems(payload, work, options_of(settings)))

    def score(self, payload: Json, work: Json, gold: Json) -> float:
        """How many of the test's questions were judged rightly; no two written sets compare."""
        if payload["kind"] != JUDGING:
            return float(work == gold)
        return judging_score(work, gold)

    def ask_model(self, reader: Reader, payload: Json, work: Json, part: str) -> Json:
        """Whether a reader answers a question (``questions.3``) from its paragraph alone."""
        return says_reader(reader, payload, work, part)


def _to_be_answered(finished: FinishedWork, copies: int) -> Json:
    questions = [
        {"id": f"q{finished.submission}-{number}", **_written(question), **loop}
        for number, question, loop in _numbered(finished)
    ]
    used = {question["paragraph"] for question in questions}
    paragraphs = [one for one in finished.payload["paragraphs"] if one["id"] in used]
    linked = {link["target"] for one in paragraphs for link in one["links"]}
    articles = finished.payload["articles"]
    return {
        "set": finished.item_key,
        "copies": copies,
        "questions": questions,
        "paragraphs": paragraphs,
        "articles": {title: text for title, text in articles.items() if title in linked},
    }


def _numbered(finished: FinishedWork) -> Iterator[tuple[int, Json, Json]]:
    for number, question in enumerate(finished.work["questions"]):
        said: Any = finished.loop.get(f"questions.{number}")
        # What was said of an earlier wording is of no use.
        fits = isinstance(said, dict) and said.get("question") == question["text"].strip()
        yield number, question, {"loop": said} if fits else {}


def _written(question: Json) -> Json:
    return {
        "paragraph": question["paragraph"],
        "text": question["text"].strip(),
        "context": question["context"],
        "links": question["links"],
    }
