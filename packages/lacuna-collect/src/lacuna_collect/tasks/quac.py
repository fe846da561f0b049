"""QuAC's tasks together: collected dialogs, agreement, the human row, and QuAC's files."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from itertools import combinations
from pathlib import Path
from statistics import fmean

from lacuna.answers import CANNOT_ANSWER
from lacuna.corpus.store import Store
from lacuna.datasets import get_dataset
from lacuna.datasets.quac_metric import QuacMetric
from lacuna.files.json import Shape, write_items
from lacuna.files.writing import replace_text
from lacuna.metrics.comparison import HumanRow
from lacuna.metrics.metric import normalise
from lacuna.metrics.statistics import nominal_alpha
from lacuna_collect.tasks.iirc_questions import DEV, SPLITS, TEST, TRAIN
from lacuna_collect.tasks.quac_dialogs import (
    NONE,
    OPTIONS,
    SPAN,
    TASK,
    VALIDATION,
    QuACDialogs,
    QuACValidation,
    answers_agree,
    quoted,
)
from lacuna_collect.tasks.task import (
    CollectTask,
    DialogRole,
    FinishedWork,
    Json,
    SettingsByTask,
    WorksByTask,
    set_to,
)


@dataclass(frozen=True)
class CollectedDialog:
    """A dialog, with the answers of those who validated it, the earliest first."""

    split: str
    payload: Json
    work: Json
    person: int
    """Who gave the answers: the teacher."""
    validations: tuple[FinishedWork, ...]

    @property
    def id(self) -> str:
        """What it is called in the files."""
        return f"dialog-{self.work['dialog']}"

    @property
    def is_simulated(self) -> bool:
        """Whether one of the two was no person."""
        return bool(self.work.get("simulated"))

    @property
    def answerers(self) -> set[int]:
        """Who has answered its questions."""
        return {self.person, *(work.person for work in self.validations)}

    @cached_property
    def answers(self) -> list[list[Json]]:
        """All answers of each turn, the teacher's first."""
        sheets = [work.work["answers"] for work in self.validations]
        return [
            [turn["answer"], *(sheet[number] for sheet in sheets)]
            for number, turn in enumerate(self.work["turns"])
        ]

    def left_out(self, validators: int) -> str | None:
        """Why it is in none of the splits, or None."""
        if self.is_simulated:
            return "one of the two was simulated"
        missing = validators - len(self.validations)
        if self.split != TRAIN and missing > 0:
            return "waits for more answers by validators"
        return None


def collected_dialogs(finished: WorksByTask) -> list[CollectedDialog]:
    """All dialogs whose teacher's part was accepted."""
    by_dialog: dict[int, list[FinishedWork]] = {}
    for work in finished.get(VALIDATION, ()):
        by_dialog.setdefault(work.payload["dialog"], []).append(work)
    return [
        CollectedDialog(
            one.split or TRAIN,
            one.payload,
            one.work,
            one.person,
            _earliest(by_dialog.get(one.work["dialog"], ())),
        )
        for one in finished.get(TASK, ())
        if one.work["role"] == told_by(one.work)
    ]


def told_by(work: Json) -> str:
    """Whose part of a dialog stands for it: the teacher's, unless the teacher was simulated."""
    is_simulated = work["simulated"] == DialogRole.TEACHER
    return DialogRole.STUDENT if is_simulated else DialogRole.TEACHER


def _earliest(works: Iterable[FinishedWork]) -> tuple[FinishedWork, ...]:
    return tuple(sorted(works, key=lambda work: work.submission))


Answered = tuple[str, list[Json]]
"""A section's text, and all answers to one question about it."""


def answer_agreement(dialogs: Sequence[CollectedDialog]) -> Json:
    """Of all questions that several people answered; by what most of them say."""
    questions = [
        (dialog.payload["text"], answers)
        for dialog in dialogs
        for answers in dialog.answers
        if len(answers) > 1
    ]
    by_type: dict[str, list[Answered]] = {SPAN: [], NONE: []}
    for question in questions:
        by_type[_most_common_kind(question[1])].append(question)
    kinds = [[answer["kind"] for answer in answers] for _, answers in questions]
    affirm = [[answer["yesno"] for answer in answers] for _, answers in questions]
    return {
        "questions": len(questions),
        **_pairwise(questions),
        "alpha": _alpha(questions),
        "alpha_of_types": nominal_alpha(kinds),
        "alpha_of_affirmation": nominal_alpha(affirm),
        "types": {
            kind: {"questions": len(some), **_pairwise(some), "alpha": _alpha(some)}
            for kind, some in by_type.items()
        },
    }


def _most_common_kind(answers: Sequence[Json]) -> str:
    kinds: Counter[str] = Counter(answer["kind"] for answer in answers)
    return kinds.most_common(1)[0][0]


def _pairwise(questions: Sequence[Answered]) -> Json:
    """The means over all pairs of answers to the same question."""
    pairs = [(text, *pair) for text, answers in questions for pair in combinations(answers, 2)]
    if not pairs:
        return {"exact": None, "f1": None}
    return {
        "exact": fmean(_label(text, one) == _label(text, other) for text, one, other in pairs),
        "f1": fmean(answers_agree(*pair) for pair in pairs),
    }


def _alpha(questions: Sequence[Answered]) -> float | None:
    return nominal_alpha(
        [[_label(text, answer) for answer in answers] for text, answers in questions]
    )


def _label(text: str, answer: Json) -> str | None:
    return None if answer["kind"] == NONE else normalise(quoted(text, answer))


SETTING = "predicted-history"
"""What people reach is reckoned from their answers alone, so it holds in every setting; this is
the one that a board can have, where answers are hidden."""
YES_NO = QuacMetric.measures.index("yes/no")


def human_row(
    path: Path, dialogs: Sequence[CollectedDialog], made: str
) -> tuple[HumanRow, dict[str, float]]:
    """The row of a file of these dialogs, and the F1 to be reached on each question that counts."""
    metric = QuacMetric()
    with get_dataset("quac").open(path, gold_only=True) as reader:
        questions = [(group, one) for group, item in enumerate(reader) for one in item.questions]
    reached = [metric.human(question) for _, question in questions]
    said = [
        _like_the_teacher(dialog, at) for dialog in dialogs for at in range(len(dialog.answers))
    ]
    rows = [
        row if row[1] is None else (*row[:YES_NO], alike, *row[YES_NO + 1 :])
        for row, alike in zip(reached, said, strict=True)
    ]
    cut_offs = {
        question.id: row[0]
        for (_, question), row in zip(questions, reached, strict=True)
        if row[0] is not None and row[1] is not None
    }
    people = {person for dialog in dialogs for person in dialog.answerers}
    measures = metric.means(metric.finish([group for group, _ in questions], rows))
    row = HumanRow("quac", SETTING, len(questions), len(people), made, measures)
    return row, cut_offs


def _like_the_teacher(dialog: CollectedDialog, turn: int) -> float | None:
    """How many validators say yes, no or neither as the teacher did, whom systems are held to."""
    teacher, *others = (answer["yesno"] for answer in dialog.answers[turn])
    return sum(other == teacher for other in others) / len(others) if others else None


def write_dialogs(path: Path, dialogs: Iterable[CollectedDialog]) -> Json:
    """Write a file of dialogs; its counts."""
    items = [_item(dialog) for dialog in dialogs]
    with replace_text(path) as file:
        write_items(file, ((None, item) for item in items), Shape.DATA, {})
    sections = {(item["title"], item["paragraphs"][0]["context"]) for item in items}
    return {
        "dialogs": len(items),
        "questions": sum(len(item["paragraphs"][0]["qas"]) for item in items),
        "sections": len(sections),
    }


def _item(dialog: CollectedDialog) -> Json:
    payload = dialog.payload
    context = f"{payload['text']} {CANNOT_ANSWER}"
    marked = {"simulated": dialog.work["simulated"]} if dialog.is_simulated else {}
    return {
        "title": payload["title"],
        "section_title": payload["section"],
        "background": payload["background"],
        **marked,
        "paragraphs": [
            {
                "id": dialog.id,
                "context": context,
                "qas": [
                    _question(dialog, number, context) for number in range(len(dialog.answers))
                ],
            }
        ],
    }


def _question(dialog: CollectedDialog, number: int, context: str) -> Json:
    turn, answers = dialog.work["turns"][number], dialog.answers[number]
    given = turn["answer"]
    return {
        "id": f"{dialog.id}_q#{number}",
        "question": turn["question"],
        "answers": [_answer(answer, context) for answer in answers],
        "orig_answer": _answer(given, context),
        "yesno": given["yesno"],
        "followup": given["followup"],
    }


def _answer(answer: Json, context: str) -> Json:
    if answer["kind"] == NONE:
        return {"text": CANNOT_ANSWER, "answer_start": len(context) - len(CANNOT_ANSWER)}
    return {"text": quoted(context, answer), "answer_start": answer["start"]}


HUMAN_DEV, HUMAN_TEST = "human-dev.json", "human-test.json"
SIMULATED_FILE = "simulated.json"
CUT_OFFS = {DEV: "heq-cut-offs-dev.json", TEST: "hidden/heq-cut-offs-test.json"}
"""Those of test tell how far the hidden answers of single questions agree."""


class QuACFamily:
    """QuAC."""

    name = "quac"
    dataset = "quac"
    companions = (HUMAN_DEV, HUMAN_TEST, CUT_OFFS[DEV])
    tasks: Sequence[CollectTask] = (QuACDialogs(), QuACValidation())

    def agreement(self, finished: WorksByTask) -> Json:
        """Of answers: the teacher's and those of the validators."""
        return {VALIDATION: answer_agreement(collected_dialogs(finished))}

    def export(
        self,
        finished: WorksByTask,
        corpus: Store,
        out: Path,
        settings: SettingsByTask | None = None,
    ) -> Json:
        """Write train, dev and test, and how well people do on the latter two."""
        dialogs = collected_dialogs(finished)
        validators = set_to((settings or {}).get(TASK, QuACDialogs.settings), OPTIONS)["validators"]
        reasons = {one.id: why for one in dialogs if (why := one.left_out(validators))}
        out.mkdir(parents=True, exist_ok=True)
        written: Json = {}
        human: Json = {}
        today = datetime.now(UTC).date().isoformat()
        for split in SPLITS:
            name = f"{split}.json"
            some = [one for one in dialogs if one.split == split and one.id not in reasons]
            written[name] = write_dialogs(out / name, some)
            if split != TRAIN and some:
                row, cut_offs = human_row(out / name, some, today)
                row.write(out / f"human-{split}.json")
                human[name] = row.as_json()
                with replace_text(out / CUT_OFFS[split]) as file:
                    json.dump(cut_offs, file, indent=1)
        if simulated := [one for one in dialogs if one.is_simulated]:
            written[SIMULATED_FILE] = write_dialogs(out / SIMULATED_FILE, simulated)
        return {
            "written": written,
            "human": human,
            "left_out": {
                "dialogs": len(reasons),
                "reasons": dict(Counter(reasons.values()).most_common()),
                "by_dialog": reasons,
            },
        }


FAMILY = QuACFamily()
