"""Read the items of a dataset's file one by one, and name the broken ones."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Any

from lacuna.datasets.item import Form, Item, Raw, under_id
from lacuna.errors import BadField, ItemError, LacunaError
from lacuna.files.json_stream import JsonItems, RawItem, Shape, shape_of
from lacuna.files.opening import TextSource
from lacuna.types import Question

if TYPE_CHECKING:
    from lacuna.datasets.base import Dataset


class ItemReader:
    """The items of one file; iterate once.

    With ``skip_bad``, broken items are collected in ``bad`` instead of raised.
    """

    def __init__(
        self, dataset: Dataset, source: TextSource, skip_bad: bool, gold_only: bool
    ) -> None:
        self.shape = shape_of(source)
        self.form: Form | None = None
        self.bad: list[ItemError] = []
        self.source = source
        self._dataset = dataset
        self._json = JsonItems(source, self.shape)
        self._skip_bad = skip_bad
        self._gold_only = gold_only
        self._seen: set[str] = set()

    @property
    def header(self) -> dict[str, Any]:
        """What stands beside the items; complete when the iteration is."""
        return self._json.header

    def __iter__(self) -> Iterator[Item]:
        for raw in self._json:
            try:
                yield self._decode(raw)
            except BadField as problem:
                error = ItemError(self.source.path, self._name(raw), problem)
                if not self._skip_bad:
                    raise error from problem
                self.bad.append(error)

    def questions(self) -> Iterator[Question]:
        """The questions of all items."""
        for item in self:
            yield from item.questions

    def _decode(self, raw: RawItem) -> Item:
        if raw.problem:
            raise raw.problem
        form = self.form or self._recognise(raw.value)
        item = form.decode(Raw(raw.value, raw.key, raw.number, self._gold_only))
        ids: set[str] = set()
        questions = [self._with_own_id(question, ids) for question in item.questions]
        self._seen |= ids
        if any(new is not old for new, old in zip(questions, item.questions, strict=True)):
            rest = iter(questions)
            blocks = (
                replace(block, questions=tuple(islice(rest, len(block.questions))))
                for block in item.blocks
            )
            item = replace(item, blocks=tuple(blocks))
        return item

    def _with_own_id(self, question: Question, ids: set[str]) -> Question:
        """The question under an id that none before it has; ``ids`` are those of its item."""
        id_, unique = question.id, self._dataset.unique_id(question)
        if unique in self._seen or unique in ids:
            again = f"{id_!r} a second time"
            raise BadField("id", "an id that no other question has", again)
        if id_ != unique and (id_ in self._seen or id_ in ids):
            question = under_id(question, unique)
        ids.add(id_)
        ids.add(unique)
        return question

    def _recognise(self, value: Any) -> Form:
        name = self._dataset.name
        fitting = [form for form in self._dataset.forms if self.shape in form.shapes]
        for form in fitting:
            if form.looks_like(value):
                self.form = form
                return form
        from lacuna.datasets import dataset_that_looks_like

        other = dataset_that_looks_like(value)
        if other not in (None, name):
            raise LacunaError(
                f"{self.source.path} is not a file of {name}: it looks like {other}. "
                f"Give {other} as the dataset, or another file."
            )
        if not fitting:
            shapes = dict.fromkeys(shape for form in self._dataset.forms for shape in form.shapes)
            raise LacunaError(
                f"{self.source.path} is {self.shape}, but a file of {name} is "
                f"{', or '.join(shapes)}. Check the dataset and the file's name."
            )
        return fitting[0]  # for this item alone: a broken one must not speak for the file

    def _name(self, raw: RawItem) -> str:
        unit = "line" if self.shape in (Shape.LINES, Shape.TEXT) else "item"
        return f"{unit} {raw.number}" + (f" ({raw.key!r})" if raw.key is not None else "")
