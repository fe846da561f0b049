"""The model in the loop: does one paragraph alone answer the question?"""

from __future__ import annotations

from typing import Any

from lacuna.answer_mode import AnswerMode
from lacuna.answer_text import answer_from_text, text_from_answer
from lacuna.collect.tasks.hotpotqa.question_check import LONGEST
from lacuna.collect.tasks.hotpotqa.written_question import is_readable, paragraphs_in
from lacuna.collect.tasks.task import Json
from lacuna.datasets.hotpotqa.hotpotqa_format import NO_ANSWER
from lacuna.datasets.hotpotqa.metric import HotpotQAMetric
from lacuna.models.protocol import Reader
from lacuna.types import AnswerKind, Gold, Prediction, Question

ALIKE = 0.8
"""From this F1 on, the model's answer is the writer's."""


def single_hop(reader: Reader, payload: Json, work: Json, least_confidence: float) -> Json:
    """What the reader says to the question over each paragraph alone.

    ``single_hop`` is true where one of them gives the writer's answer, or, before that is written,
    an answer of some confidence. A yes or a no is guessed right half the time, so it always takes
    that confidence.
    """
    question, answer = _texts(payload, work)
    if not question:
        return {"single_hop": False, "message": "Write the question first.", "alone": []}
    paragraphs = paragraphs_in(payload)
    asked = [Question("", question, documents=(paragraph,)) for paragraph in paragraphs]
    alone: list[Json] = []
    for paragraph, prediction in zip(
        paragraphs, reader.read(asked, mode=AnswerMode.ASK), strict=True
    ):
        found = prediction.answer
        answered = found is not None and found.kind is not AnswerKind.NONE
        confidence = prediction.confidence or 0.0
        sure = answered and confidence >= least_confidence
        text = text_from_answer(found, NO_ANSWER) if answered and found else ""
        same = _alike(text, answer) if answer and answered else sure
        closed = answered and found is not None and found.kind in (AnswerKind.YES, AnswerKind.NO)
        enough = bool(same and (sure or not closed))
        alone.append(
            {
                "title": paragraph.title,
                "answer": text,
                "confidence": round(confidence, 4),
                "enough": enough,
            }
        )
    titles = [each["title"] for each in alone if each["enough"]]
    return {"single_hop": bool(titles), "message": _message(titles), "alone": alone}


def _texts(payload: Json, work: Any) -> tuple[str, str]:
    """The question and the answer, as far as they are written."""
    given = work if isinstance(work, dict) else {}
    question = payload.get("given_question") or given.get("question", "")
    texts = [
        text.strip() if is_readable(text) and len(text) <= LONGEST else ""
        for text in (question, given.get("answer", ""))
    ]
    return texts[0], texts[1]


def _alike(found: str, answer: str) -> bool:
    metric = HotpotQAMetric()
    wanted = Question("", "", gold=Gold((answer_from_text(answer, NO_ANSWER),)))
    row = metric.judge(wanted, Prediction(answer_from_text(found, NO_ANSWER)))
    return (row[metric.measures.index("f1")] or 0.0) >= ALIKE


def _message(titles: list[str]) -> str:
    if not titles:
        return "The model does not get there from one paragraph alone."
    named = " or ".join(f"“{title}”" for title in titles)
    return (
        f"Single hop: the model answers this from {named} alone. "
        "Can you ask so that it takes both paragraphs?"
    )
