"""What every dataset offers: read, write, check, and its official prediction format."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from lacuna.datasets.fields import Fields
from lacuna.datasets.item import Item
from lacuna.errors import BadField, ItemError, LacunaError
from lacuna.files.json_stream import JsonItems, RawItem, Shape, shape_of
from lacuna.files.json_write import Encoded, write_items
from lacuna.files.opening import TextSource, open_text
from lacuna.files.writing import replace_text
from lacuna.types import Prediction, Question


@dataclass(frozen=True, slots=True)
class Raw:
    """One element of a file on its way into the data model."""

    value: Any
    key: str | None
    number: int
    gold_only: bool

    @property
    def fields(self) -> Fields:
        """The element as an object."""
        return Fields(self.value)


@dataclass(frozen=True, slots=True)
class Form:
    """One of the ways in which a dataset's files are written.

    ``looks_like`` tells this form from all others by a glance at one element.
    """

    name: str
    shapes: tuple[Shape, ...]
    looks_like: Callable[[Any], bool]
    decode: Callable[[Raw], Item]
    encode: Callable[[Item], Encoded]


class ItemReader:
    """The items of one file; iterate once.

    With ``skip_bad``, broken items are collected in ``bad`` instead of raised.
    """

    def __init__(self, task: Dataset, source: TextSource, skip_bad: bool, gold_only: bool) -> None:
        self.shape = shape_of(source)
        self.form: Form | None = None
        self.bad: list[ItemError] = []
        self.source = source
        self._task = task
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
        for question in item.questions:
            if question.id in self._seen or question.id in ids:
                again = f"{question.id!r} a second time"
                raise BadField("id", "an id that no other question has", again)
            ids.add(question.id)
        self._seen |= ids
        return item

    def _recognise(self, value: Any) -> Form:
        fitting = [form for form in self._task.forms if self.shape in form.shapes]
        for form in fitting:
            if form.looks_like(value):
                self.form = form
                return form
        from lacuna.datasets import dataset_that_looks_like

        other = dataset_that_looks_like(value)
        if other not in (None, self._task.name):
            raise LacunaError(
                f"{self.source.path} is not a file of {self._task.name}: it looks like {other}. "
                f"Give {other} as the task, or another file."
            )
        if not fitting:
            shapes = dict.fromkeys(shape for form in self._task.forms for shape in form.shapes)
            raise LacunaError(
                f"{self.source.path} is {self.shape}, but a file of {self._task.name} is "
                f"{', or '.join(shapes)}. Check the task and the file's name."
            )
        return fitting[0]  # for this item alone: a broken one must not speak for the file

    def _name(self, raw: RawItem) -> str:
        unit = "line" if self.shape in (Shape.LINES, Shape.TEXT) else "item"
        return f"{unit} {raw.number}" + (f" ({raw.key!r})" if raw.key is not None else "")


class Dataset(ABC):
    """A dataset. Its subclasses say how items look; this class streams, checks and writes."""

    name: ClassVar[str]
    about: ClassVar[str]
    forms: tuple[Form, ...]

    @property
    def settings(self):
        from lacuna.datasets import settings as old, corpus_settings as over
        from lacuna.datasets.setting import Setting, by_name
        from dataclasses import replace
        from functools import partial
        made = [
            Setting(n, old.mode_of(self.name, n), partial(old.enter, self.name, n),
                (lambda q, p, n=n: old.restore(n, q, p)),
                required_field=old.REQUIRED.get(n), predicted_history=n == "predicted-history")
            for n in old.settings_of(self.name)
        ]
        for n in over.ASKED.get(self.name, ()):
            def arrange(q, n=n):
                asked = over.enter(n, q)
                return replace(q, context=asked.context, documents=())
            made.append(Setting(n, over.mode_of(self.name), arrange, over_corpus=True))
        return by_name(*made)

    def setting(self, name=None):
        from lacuna.datasets import settings as old
        if name is None:
            return next(iter(self.settings.values()))
        if name not in self.settings:
            old.resolve(self.name, name, [n for n, s in self.settings.items() if s.over_corpus])
        return self.settings[name]

    def metric(self, **options):
        from lacuna.datasets.metrics import get_metric
        return get_metric(self.name, **options)

    @property
    def demo_questions(self):
        from lacuna.assets import demo
        return {"iirc": demo.QUESTIONS, "quac": demo.DIALOGS, "openbookqa": demo.OPENBOOK}.get(self.name)

    @contextmanager
    def open(
        self, path: Path, *, skip_bad: bool = False, gold_only: bool = False
    ) -> Iterator[ItemReader]:
        """Read a file of this dataset, item by item.

        ``gold_only`` reads what scoring needs: no candidate documents, and answers by their text
        alone, without a look at their place. Such items cannot be written again.

        >>> with get_task("hotpotqa").open(Path("dev.json")) as reader:  # doctest: +SKIP
        ...     for question in reader.questions():
        ...         print(question.text)
        """
        with open_text(path) as source:
            yield ItemReader(self, source, skip_bad, gold_only)

    def write(
        self,
        path: Path,
        items: Iterable[Item],
        *,
        form: Form | None = None,
        shape: Shape | None = None,
        header: Mapping[str, Any] | None = None,
    ) -> None:
        """Write an official file. ``header`` may be filled while the items are consumed."""
        form = form or self.forms[0]
        shape = shape or form.shapes[0]
        with replace_text(path) as out:
            write_items(out, map(form.encode, items), shape, {} if header is None else header)

    def copy(self, reader: ItemReader, path: Path) -> None:
        """Write what a reader gives in the very form that it reads."""
        items = iter(reader)
        first = next(items, None)  # the form is known once the first item is read
        rest = [] if first is None else [first]
        self.write(
            path,
            (item for source in (rest, items) for item in source),
            form=reader.form,
            shape=reader.shape,
            header=reader.header,
        )

    def gold_at_once(self, path: Path) -> list[Question] | None:
        """All questions of a file as scoring needs them, where there is a quick way; else None."""
        return None

    def facets(self, question: Question) -> dict[str, str]:
        """Labels of this dataset's own that are worth counting (HotpotQA's type and level)."""
        return {}

    def oddities(self, question: Question) -> list[str]:
        """What is legal in the format and yet worth knowing, in words."""
        return []

    @abstractmethod
    def read_predictions(self, path: Path) -> dict[str, Prediction]:
        """Read the official prediction format."""

    @abstractmethod
    def write_predictions(self, path: Path, predictions: Mapping[str, Prediction]) -> None:
        """Write the official prediction format."""
