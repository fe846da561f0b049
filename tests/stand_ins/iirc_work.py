"""Work on IIRC's tasks over the demo corpus, as people would hand it in."""

from __future__ import annotations

from random import Random
from typing import Any

from hypothesis import strategies as st

from lacuna.corpus.store import Store
from lacuna_collect.tasks.iirc import IIRCAnswers
from lacuna_collect.tasks.iirc_questions import TEST_ARTICLES, TEST_PARAGRAPH, IIRCQuestions
from lacuna_collect.tasks.task import FinishedWork, Json, NewItem, TaskSettings

QUESTIONS, ANSWERS = IIRCQuestions(), IIRCAnswers()
SMALL = TaskSettings(
    pay_cents=400,
    more={"fewest_links": 6, "paragraphs": 3, "questions": 3, "fewest_multi_link": 1},
)
ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)
WRITING: Json = {"kind": "writing", "paragraphs": [TEST_PARAGRAPH], "articles": TEST_ARTICLES}
ONE = TaskSettings(pay_cents=1, more={"questions": 1, "fewest_multi_link": 0})
GOOD: Json = {
    "paragraph": TEST_PARAGRAPH["id"],
    "text": "How old was its designer then?",
    "context": [[0, 16]],
    "links": ["Ada Fenn"],
}


def sets(corpus: Store, settings: TaskSettings = SMALL) -> list[NewItem]:
    return list(QUESTIONS.make_items(corpus, settings, Random(1)))


def written(payload: Json) -> Json:
    """A set of three questions that can be handed in."""
    questions = []
    for number, paragraph in enumerate(payload["paragraphs"]):
        titles = list(dict.fromkeys(link["target"] for link in paragraph["links"]))
        questions.append(
            {
                "paragraph": paragraph["id"],
                "text": f"What of {paragraph['title']} is number {number} of set {titles[0]}?",
                "context": [paragraph["sentences"][0]],
                "links": titles[: 2 if number == 0 else 1],
            }
        )
    return {"questions": questions}


def asked(item: NewItem, submission: int = 7, loop: Json | None = None) -> FinishedWork:
    return FinishedWork(
        item.key, item.payload, item.split, written(item.payload), 5, submission, 60.0, loop or {}
    )


def to_answer(item: NewItem, submission: int = 7) -> NewItem:
    (made,) = QUESTIONS.follow_up(asked(item, submission), SMALL)["iirc-answers"]
    return made


def in_article(payload: Json, number: int, sentence: int = 0) -> Json:
    """A sentence of the first article that a question's writer has chosen."""
    title = payload["questions"][number]["links"][0]
    start, end = payload["articles"][title]["sentences"][sentence]
    return {"source": "article", "title": title, "start": start, "end": end}


def answered(payload: Json, *kinds: str) -> Json:
    """A set of answers of these kinds."""
    return {"answers": [_answer(payload, number, kind) for number, kind in enumerate(kinds)]}


def _answer(payload: Json, number: int, kind: str) -> Json:
    more: dict[str, Any] = {}
    if kind == "span":
        more["spans"] = [in_article(payload, number)]
    if kind == "number":
        more |= {"number": "1,204", "unit": "people"}
    if kind == "bad":
        more["reason"] = "senseless"
    if kind in ("span", "number", "yes", "no"):
        more["context"] = [in_article(payload, number)]
    return {"kind": kind, **more}


def finished(item: NewItem, work: Json, submission: int) -> FinishedWork:
    return FinishedWork(item.key, item.payload, item.split, work, submission, submission, 30.0)
