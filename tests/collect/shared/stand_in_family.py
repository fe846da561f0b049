"""A small family of tasks: say what a colour is, while its name must not be seen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

from lacuna_collect.tasks.task import FieldProblem, FinishedWork, Json, NewItem, TaskSettings

HIDDEN = "the-hidden-name-of-"
"""Stands in every payload and in all gold, and must never leave the server."""


class ColourTask:
    """Name what is shown."""

    name = "iirc-questions"
    title = "Name the colour"
    instructions = "hotpotqa-questions"
    form = "colours"

    def __init__(self) -> None:
        self.settings = TaskSettings(pay_cents=400, inspect_first=1, model_in_loop=True)

    def check_settings(self, settings: TaskSettings) -> Sequence[FieldProblem]:
        return []

    def make_items(self, corpus: Any, settings: TaskSettings, random: Random) -> list[NewItem]:
        return [
            NewItem(f"colour {n}", {"shade": f"shade {n}", "name": f"{HIDDEN}{n}"}, copies=2)
            for n in range(4)
        ]

    def draw_item(
        self, corpus: Any, settings: TaskSettings, random: Random, taken: frozenset[str]
    ) -> None:
        return None

    def follow_up(self, finished: FinishedWork, settings: TaskSettings) -> Mapping[str, Any]:
        return {}

    def qualification(self, settings: TaskSettings) -> list[NewItem]:
        gold = {"colour": "red", "why": HIDDEN}
        return [NewItem("test", {"shade": "test shade", "name": HIDDEN}, gold=gold)]

    def shown(self, payload: Json, settings: TaskSettings) -> Json:
        return {"shade": payload["shade"]}

    def check(self, payload: Json, work: Json, settings: TaskSettings) -> list[FieldProblem]:
        colour = work.get("colour")
        if not isinstance(colour, str) or not colour.strip():
            return [FieldProblem("colour", "Name the colour.")]
        return []

    def score(self, payload: Json, work: Json, gold: Json) -> float:
        return float(work.get("colour") == gold.get("colour"))

    def ask_model(self, reader: Any, payload: Json, work: Json, part: str) -> Json:
        return {"said": reader(part)}


class ColourFamily:
    """One task, and a file of what was named."""

    name = "iirc"
    dataset = "iirc"
    companions = ("colours.txt",)

    def __init__(self) -> None:
        self.tasks = [ColourTask()]

    def agreement(self, finished: Mapping[str, Sequence[FinishedWork]]) -> Json:
        return {"colours": {"exact": 0.75}}

    def export(
        self,
        finished: Mapping[str, Sequence[FinishedWork]],
        corpus: Any,
        out: Path,
        settings: Mapping[str, TaskSettings] | None = None,
    ) -> Json:
        named = [str(one.work["colour"]) for one in finished["iirc-questions"]]
        (out / "colours.txt").write_text("\n".join(named), encoding="utf-8")
        return {"colours.txt": len(named)}
