"""Both tasks together, and the dataset that their work becomes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from lacuna.collect.tasks.iirc.agreement import answer_agreement
from lacuna.collect.tasks.iirc.answer_task import IIRCAnswers
from lacuna.collect.tasks.iirc.assembly import answered_questions
from lacuna.collect.tasks.iirc.iirc_files import ARTICLES_FILE, write_files
from lacuna.collect.tasks.iirc.question_task import IIRCQuestions
from lacuna.collect.tasks.task import CollectTask, FinishedWork, Json, TaskSettings
from lacuna.corpus.store import Store

WAITING = "waits for its first answer"


class IIRCFamily:
    """IIRC."""

    name = "iirc"
    dataset = "iirc"
    companions = (ARTICLES_FILE,)
    tasks: Sequence[CollectTask] = (IIRCQuestions(), IIRCAnswers())

    def agreement(self, finished: Mapping[str, Sequence[FinishedWork]]) -> Json:
        """Of answers; questions are written by one person each."""
        answered = answered_questions(finished.get(IIRCAnswers.name, ()))
        return {IIRCAnswers.name: answer_agreement(answered)}

    def export(
        self,
        finished: Mapping[str, Sequence[FinishedWork]],
        corpus: Store,
        out: Path,
        settings: Mapping[str, TaskSettings] | None = None,
    ) -> Json:
        """Write train, dev and test, and the linked articles; say what was left out, and why."""
        answered = answered_questions(finished.get(IIRCAnswers.name, ()))
        written = write_files([one for one in answered if one.left_out is None], out)
        reasons = {one.question["id"]: why for one in answered if (why := one.left_out)}
        seen = {one.question["id"] for one in answered}
        for work in finished.get(IIRCQuestions.name, ()):
            ids = (f"q{work.submission}-{n}" for n in range(len(work.work.get("questions", ()))))
            reasons.update((id_, WAITING) for id_ in ids if id_ not in seen)
        return {
            "written": written,
            "left_out": {
                "questions": len(reasons),
                "reasons": dict(Counter(reasons.values()).most_common()),
                "by_question": reasons,
            },
        }
