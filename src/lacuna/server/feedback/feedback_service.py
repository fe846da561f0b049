"""Takes feedback in: an answer that people call right or correct becomes a question for testing."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from lacuna.server.feedback.answer_pattern import patterns_for
from lacuna.server.keeping.protocol import AnswerKeeper, FeedbackKeeper
from lacuna.server.limits import Limits, clean_line
from lacuna.server.open_corpora import OpenCorpora
from lacuna.server.refusals import Refusal
from lacuna.server.schemas.answers import ResultSchema
from lacuna.server.schemas.feedback import FeedbackRequest, FeedbackSchema, Verdict


class FeedbackService:
    """Keeps what people say of their own answers."""

    def __init__(
        self,
        file: FeedbackKeeper | None,
        answers: AnswerKeeper,
        corpora: OpenCorpora,
        limits: Limits,
    ) -> None:
        self._file = file
        self._answers = answers
        self._corpora = corpora
        self._limits = limits

    @property
    def is_taken(self) -> bool:
        """Whether there is something to keep it in."""
        return self._file is not None

    def take(self, request: FeedbackRequest, person: str) -> FeedbackSchema:
        """Keep what a person says of an answer that they got."""
        if self._file is None:
            raise Refusal(
                403,
                "no-feedback",
                "This server keeps no feedback. Start it with --feedback and a file to keep it in.",
            )
        correction = self._correction(request)
        result = self._answers.dialog(request.answer, person, most=1)[-1].result
        corpus = self._corpora.get(result.corpus, person).name
        self._file.put(_line(result, request.verdict, correction, corpus, person))
        return FeedbackSchema(
            answer=result.id, verdict=request.verdict, correction=correction or None
        )

    def _correction(self, request: FeedbackRequest) -> str:
        if request.correction is None or not request.correction.strip():
            return ""
        if request.verdict is Verdict.RIGHT:
            raise Refusal(
                422, "right-and-corrected", "A right answer needs no correction. Leave one out."
            )
        return clean_line(request.correction, self._limits.question, "correction")


def _line(
    result: ResultSchema, verdict: Verdict, correction: str, corpus: str, person: str
) -> dict[str, Any]:
    """A question as the files of real questions have them; without a right answer, no ``match``."""
    answer = result.answer
    right = [correction] if correction else []
    evidence = []
    if verdict is Verdict.RIGHT:
        right = answer.texts if len(answer.texts) > 1 else [answer.text]
        evidence = [
            {"file": quote.place["file"] if quote.place else "", "sentence": quote.text}
            for quote in result.quotes
        ]
    line: dict[str, Any] = {
        "id": result.id,
        "corpus": corpus.replace("/", "-").replace("\\", "-").lstrip(". ") or "corpus",
        "kind": "feedback",
        "question": result.read_as or result.question,
    }
    if right:
        line |= {"gold": "; ".join(right), "match": patterns_for(right), "evidence": evidence}
    return {
        **line,
        "verdict": verdict.value,
        "answer": answer.text,
        "confidence": result.confidence,
        "person": person,
        "time": datetime.now(UTC).isoformat(timespec="seconds"),
    }
