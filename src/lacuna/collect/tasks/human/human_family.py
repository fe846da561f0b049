"""The human check as a family of its own, and the row that it becomes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from lacuna.answer_text import text_from_answer
from lacuna.collect.tasks.human.check_task import HumanCheck
from lacuna.collect.tasks.human.given_answer import answer_problems, prediction_of
from lacuna.collect.tasks.human.measuring import Works, human_row, mean_likeness
from lacuna.collect.tasks.same_item import by_item
from lacuna.collect.tasks.task import CollectTask, FinishedWork, Json, TaskSettings
from lacuna.corpus.store import Store
from lacuna.datasets import get_dataset
from lacuna.files.json_write import dump
from lacuna.files.writing import replace_text

ROW, ANSWERS = "human.json", "answers.jsonl"


class HumanFamily:
    """How well people do."""

    name = "human"
    dataset = ""
    companions: tuple[str, ...] = ()
    tasks: Sequence[CollectTask] = (HumanCheck(),)

    def agreement(self, finished: Mapping[str, Sequence[FinishedWork]]) -> Json:
        """How alike answers to the same question are, by the dataset's scorer."""
        return {HumanCheck.name: {"alike": mean_likeness(_sound(finished))}}

    def export(
        self,
        finished: Mapping[str, Sequence[FinishedWork]],
        corpus: Store,
        out: Path,
        settings: Mapping[str, TaskSettings] | None = None,
    ) -> Json:
        """Write the human row, and all answers that it was made from, without names."""
        items = list(by_item(_sound(finished)).values())
        if not items:
            return {"questions": 0, "written": []}
        row = human_row(items, made=datetime.now(UTC).date().isoformat())
        row.write(out / ROW)
        with replace_text(out / ANSWERS) as file:
            file.writelines(dump(line) + "\n" for line in _lines(items))
        return {
            "questions": row.questions,
            "people": row.people,
            "measures": row.measures,
            "upper_bound": row.upper_bound,
            "written": [ROW, ANSWERS],
        }


def _sound(finished: Mapping[str, Sequence[FinishedWork]]) -> Works:
    """What was accepted, but for repairs by hand that went wrong."""
    return [
        work
        for work in finished.get(HumanCheck.name, ())
        if not list(answer_problems(work.payload, work.work))
    ]


def _lines(items: Sequence[Works]) -> Iterator[Json]:
    people: dict[int, int] = {}
    for works in items:
        for work in works:
            given = prediction_of(work.payload, work.work)
            assert given.answer is not None
            none = get_dataset(work.payload["dataset"]).no_answer
            line: Json = {
                "id": work.payload["id"],
                "person": people.setdefault(work.person, len(people) + 1),
                "kind": str(given.answer.kind),
                "answer": given.answer.label or text_from_answer(given.answer, none),
            }
            if given.supporting_facts is not None:
                line["supporting_facts"] = [list(fact) for fact in given.supporting_facts]
            yield line


FAMILY = HumanFamily()
