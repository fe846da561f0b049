"""A small family of tasks: somebody writes a word about a text, somebody else writes the same."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

from lacuna.corpus.store import Store
from lacuna_collect.tasks.task import (
    CollectTask,
    FieldProblem,
    FinishedWork,
    Json,
    NewItem,
    TaskSettings,
)
from lacuna_collect.work.assignments import TaskInUse

WRITE, CHECK = "stand-in-write", "stand-in-check"


class StandInWriting:
    """Write a word; the secret of an item must never be shown."""

    name = WRITE
    title = "Write a word"
    instructions = "stand-in"
    form = "stand-in"
    settings = TaskSettings(pay_cents=400, inspect_first=0)

    def __init__(self, items: int = 3, tests: int = 0, draws: int = 0) -> None:
        self.items = items
        self.tests = tests
        self.draws = draws

    def check_settings(self, settings: TaskSettings) -> Sequence[FieldProblem]:
        return [FieldProblem("pay_cents", "is negative")] if settings.pay_cents < 0 else []

    def make_items(
        self, corpus: Store, settings: TaskSettings, random: Random
    ) -> Iterable[NewItem]:
        return [self.item(number) for number in range(self.items)]

    def item(self, number: int) -> NewItem:
        payload = {"text": f"Text {number}", "secret": f"hidden {number}"}
        return NewItem(f"text-{number}", payload, split="train")

    def draw_item(
        self, corpus: Store, settings: TaskSettings, random: Random, taken: frozenset[str]
    ) -> NewItem | None:
        return self.item(len(taken)) if len(taken) < self.draws else None

    def follow_up(
        self, finished: FinishedWork, settings: TaskSettings
    ) -> Mapping[str, Sequence[NewItem]]:
        payload = {"text": finished.work["word"]}
        item = NewItem(finished.item_key, payload, copies=3, not_for=(finished.person,))
        return {CHECK: [item]}

    def qualification(self, settings: TaskSettings) -> Sequence[NewItem]:
        return [
            NewItem(f"test-{number}", {"text": f"Test {number}"}, gold={"word": "right"})
            for number in range(self.tests)
        ]

    def shown(self, payload: Json, settings: TaskSettings) -> Json:
        return {"text": payload["text"]}

    def check(self, payload: Json, work: Json, settings: TaskSettings) -> Sequence[FieldProblem]:
        word = work.get("word")
        if not isinstance(word, str) or not word.strip():
            return [FieldProblem("word", "Write a word.")]
        return []

    def score(self, payload: Json, work: Json, gold: Json) -> float:
        return float(work["word"] == gold["word"])


class StandInChecking(StandInWriting):
    """Write the same word again; items come from accepted words alone."""

    name = CHECK
    title = "Check a word"
    settings = TaskSettings(pay_cents=300, inspect_first=0)

    def __init__(self) -> None:
        super().__init__(items=0)

    def follow_up(
        self, finished: FinishedWork, settings: TaskSettings
    ) -> Mapping[str, Sequence[NewItem]]:
        return {}


class StandInFamily:
    """Both, and an export of all words."""

    name = "stand-in"
    dataset = ""
    companions: tuple[str, ...] = ()

    def __init__(self, writing: StandInWriting | None = None) -> None:
        self.tasks: Sequence[CollectTask] = (writing or StandInWriting(), StandInChecking())

    def agreement(self, finished: Mapping[str, Sequence[FinishedWork]]) -> Json:
        return {task: len(works) for task, works in finished.items()}

    def export(
        self,
        finished: Mapping[str, Sequence[FinishedWork]],
        corpus: Store,
        out: Path,
        settings: Mapping[str, TaskSettings] | None = None,
    ) -> Json:
        words = {task: [work.work["word"] for work in works] for task, works in finished.items()}
        (out / "words.json").write_text(json.dumps(words))
        return {"words": sum(map(len, words.values()))}


def stand_in_tasks(
    items: int = 3, tests: int = 0, draws: int = 0, **settings: object
) -> list[TaskInUse]:
    """Both tasks in use; the settings are those of writing."""
    family = StandInFamily(StandInWriting(items, tests, draws))
    writing, checking = family.tasks
    changed = replace(writing.settings, **settings)  # type: ignore[arg-type]
    return [TaskInUse(writing, changed), TaskInUse(checking, checking.settings)]
