"""The questions and facts that KGD's first round is made from."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from lacuna.collect.tasks.item_keys import key_of
from lacuna.collect.tasks.kgd.fact_search import FactSearch, candidate_facts
from lacuna.collect.tasks.kgd.options import FILES
from lacuna.collect.tasks.task import Json, NewItem
from lacuna.datasets import get_dataset
from lacuna.datasets.item import official_id
from lacuna.datasets.openbookqa import is_short, right_choice
from lacuna.errors import LacunaError
from lacuna.types import Question


def fact_items(more: Json) -> Iterator[NewItem]:
    """An item for each question that has facts which leave a gap; the splits are the files'."""
    files = {split: Path(more[name]) for split, name in FILES.items() if more[name]}
    if not files:
        raise LacunaError(
            "KGD's questions are OpenBookQA's. Name at least one file of them, such as "
            "--set train_file=train_complete.jsonl, and the facts with --set facts_file=FILE."
        )
    questions = {split: _chosen(file, more) for split, file in files.items()}
    given = Path(more["facts_file"]) if more["facts_file"] else None
    if given is None:
        core = [one.fact for some in questions.values() for one in some if one.fact]
    else:
        core = _facts(given)
    book = FactSearch(core)
    for split, some in questions.items():
        for question in islice(some, more["questions"] or None):
            facts = candidate_facts(question, book, more["facts_per_question"])
            if facts:
                key = key_of(split, official_id(question))
                yield NewItem(key, _payload(question, facts), more["people"], split)


def _chosen(path: Path, more: Json) -> list[Question]:
    """The questions that can be annotated, each once."""
    with get_dataset("openbookqa").open(path) as reader:
        known = [question for question in reader.questions() if right_choice(question) >= 0]
    if more["only_short"] == "yes":
        known = [question for question in known if is_short(question)]
    if not known:
        raise LacunaError(
            f"{path} has no question that can be annotated: it takes a right choice and, unless "
            "you --set only_short=no, choices of two words at most."
        )
    return list({official_id(question): question for question in known}.values())


def _facts(path: Path) -> list[str]:
    with get_dataset("openbookqa").open(path) as reader:
        blocks = [block for item in reader for block in item.blocks]
    facts = [block.document.text for block in blocks if block.document is not None]
    facts += [each.fact for block in blocks for each in block.questions if each.fact]
    if not facts:
        raise LacunaError(f"{path} has no facts. Give a text file with a fact on each line.")
    return facts


def _payload(question: Question, facts: list[str]) -> Json:
    assert question.gold is not None
    return {
        "id": official_id(question),
        "question": question.text,
        "choices": [choice._asdict() for choice in question.choices],
        "answer": question.gold.answers[0].label,
        "facts": facts,
    }
