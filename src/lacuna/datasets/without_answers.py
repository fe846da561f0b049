"""A dataset's file without its answers, to be handed to those whose answers are scored."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from lacuna.datasets.base import Dataset
from lacuna.datasets.item import Item
from lacuna.datasets.setting import Setting
from lacuna.errors import LacunaError
from lacuna.types import Extra, Question

BESIDE_QUESTIONS = frozenset({"title", "section_title", "background"})
"""Fields of an item that say what its questions are about; all others may tell answers."""


def write_without_answers(dataset: Dataset, source: Path, target: Path) -> int:
    """Write the questions of a file without gold and without fields that the model has no name
    for; how many there are. In a dialog, earlier answers go too: they are gold of their own turns.
    """
    if not dataset.for_training:  # what only measures has no file of questions that goes out
        raise LacunaError(
            f"{dataset.name} has no official file of predictions, so its answers cannot be kept "
            "back from anybody. Give a file of another dataset."
        )
    with dataset.open(source) as reader:
        items = [without_answers(item) for item in reader]
    dataset.write(target, items, form=dataset.forms[0])
    with dataset.open(target) as again:
        questions = list(again.questions())
    if any(question.gold and question.gold.answers for question in questions):
        target.unlink()
        raise LacunaError(
            f"{source} cannot be written without its answers, as {dataset.name} has them."
        )
    return len(questions)


def can_be_asked(dataset: Dataset, setting: Setting, source: Path, stripped: Path) -> bool:
    """Whether a setting shows nothing that only answers tell: IIRC's gold context does not go out
    with the questions, nor do QuAC's gold histories."""
    with dataset.open(source) as whole, dataset.open(stripped) as asked:
        pairs = zip(whole.questions(), asked.questions(), strict=True)
        try:
            return all(
                _read(setting.arrange(one)) == _read(setting.arrange(other)) for one, other in pairs
            )
        except LacunaError:  # a setting that cannot do without gold
            return False


def without_answers(item: Item) -> Item:
    """An item with its texts and questions alone."""
    blocks = (
        replace(block, questions=tuple(map(_asked, block.questions)), extra=_about(block.extra))
        for block in item.blocks
    )
    return replace(item, blocks=tuple(blocks), extra=_about(item.extra))


def _asked(question: Question) -> Question:
    return replace(question, gold=None, history=(), extra={})


def _read(question: Question) -> object:
    context = question.context.text if question.context else ""
    return context, [document.text for document in question.documents], question.history


def _about(extra: Extra) -> Extra:
    return {name: value for name, value in extra.items() if name in BESIDE_QUESTIONS}
