"""What people say of facts: relevant or not, and if so, whether they point to one answer alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from lacuna.collect.tasks.same_item import by_item
from lacuna.collect.tasks.task import FieldProblem, FinishedWork, Json

FIELD = "judgements"


def verdict_problems(payload: Json, work: Any) -> Iterator[FieldProblem]:
    """What is missing or wrong; the work may be anything that JSON can say."""
    given = work.get(FIELD, []) if isinstance(work, dict) else None
    if not isinstance(given, list) or len(given) > len(payload["facts"]):
        yield FieldProblem(FIELD, "Say of every fact whether it helps.")
        return
    for number in range(len(payload["facts"])):
        verdict = given[number] if number < len(given) else {}
        relevant = verdict.get("relevant") if isinstance(verdict, dict) else None
        if type(relevant) is not bool:
            yield FieldProblem(f"{FIELD}.{number}.relevant", "Say whether this fact helps.")
        elif relevant and type(verdict.get("unique")) is not bool:
            told = "Say whether it points to one answer alone."
            yield FieldProblem(f"{FIELD}.{number}.unique", told)


def verdicts(work: Json) -> list[str]:
    """Each fact's verdict in a word: ``no``, ``relevant``, or ``unique``, which is both."""
    return [
        ("unique" if verdict["unique"] else "relevant") if verdict["relevant"] else "no"
        for verdict in work[FIELD]
    ]


def same_verdicts(one: Json, other: Json) -> float:
    """The share of facts of which two people say the same."""
    pairs = list(zip(verdicts(one), verdicts(other), strict=True))
    return sum(first == second for first, second in pairs) / len(pairs)


def judged_facts(works: Sequence[FinishedWork]) -> Iterator[tuple[str, list[str]]]:
    """Each fact of an item with what everybody says of it."""
    for number, fact in enumerate(works[0].payload["facts"]):
        yield fact, [verdicts(work.work)[number] for work in works]


def kept_pairs(finished: Iterable[FinishedWork], enough: int) -> list[Json]:
    """A question with each fact that enough people found both relevant and unique."""
    pairs = []
    for works in by_item(finished).values():
        asked = {name: value for name, value in works[0].payload.items() if name != "facts"}
        for fact, said in judged_facts(works):
            if said.count("unique") >= enough:
                pairs.append({**asked, "fact": fact, "split": works[0].split})
    return pairs
