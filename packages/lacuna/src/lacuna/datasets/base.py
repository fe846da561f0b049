"""The interface of datasets: its formats, settings, metric, official files and demo questions."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import wraps
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from lacuna.answers import AnswerMode
from lacuna.datasets.fields import HIDDEN, Fields
from lacuna.datasets.prediction_files import read_texts, write_texts
from lacuna.errors import BadField, ItemError, LacunaError, no_such
from lacuna.files.json import Encoded, JsonItems, RawItem, Shape, shape_of, write_items
from lacuna.files.opening import TextSource, open_text
from lacuna.files.writing import replace_text
from lacuna.types import Document, Extra, Prediction, Question, Turn

if TYPE_CHECKING:
    from lacuna.datasets.fetch import OfficialFiles
    from lacuna.metrics.metric import Metric
    from lacuna_lab.describe.description import Description
    from lacuna_lab.describe.labelling import LabellingTask


Arrangement = Callable[[Question], Question]


def _as_it_is(question: Question) -> Question:
    return question


def _unchanged(question: Question, prediction: Prediction) -> Prediction:
    return prediction


@dataclass(frozen=True, slots=True)
class Setting:
    """One way to ask the questions of a dataset.

    ``arrange`` gives a question as it is asked. Whatever function is passed for it, the question
    always leaves its gold and its extra fields behind, so that no label can reach a reader by
    accident. ``restore`` puts a prediction for the arranged question in terms of the question as
    the file has it.

    ``over_corpus`` says that the question is asked of a corpus, with nothing but its context.
    ``required_field`` is an extra field that ``arrange`` reads; a file in which no question has it
    makes no sense. With ``predicted_history``, the earlier turns of a dialog have the reader's own
    answers. Where the questions of one file are asked of several corpora, ``collection`` names that
    of a question as the file has it.

    >>> from lacuna.types import Gold
    >>> Setting("passage", AnswerMode.CALCULATE).arrange(Question("q", "When?", gold=Gold())).gold
    """

    name: str
    mode: AnswerMode
    arrange: Arrangement = _as_it_is
    restore: Callable[[Question, Prediction], Prediction] = _unchanged
    over_corpus: bool = False
    required_field: str | None = None
    predicted_history: bool = False
    collection: Callable[[Question], str] | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "arrange", _without_labels(self.arrange))


def _without_labels(arrange: Arrangement) -> Arrangement:
    @wraps(arrange)
    def arranged(question: Question) -> Question:
        return replace(arrange(question), gold=None, extra={})

    return arranged


def unanswered_history(question: Question) -> Question:
    """The earlier questions alone: their answers are the reader's to give."""
    return replace(question, history=tuple(Turn(turn.question) for turn in question.history))


def by_name(*settings: Setting) -> Mapping[str, Setting]:
    """Settings as a dataset holds them; the first is the default."""
    return {setting.name: setting for setting in settings}


OFFICIAL_ID = HIDDEN + "official id"
"""The key of the id that its file gives it, if its own is another one."""


def official_id(question: Question) -> str:
    """The id that a question has in its file."""
    return str(question.extra.get(OFFICIAL_ID, question.id))


def under_id(question: Question, id_: str) -> Question:
    """The question under another id; its file keeps the official one."""
    return replace(question, id=id_, extra={**question.extra, OFFICIAL_ID: official_id(question)})


@dataclass(frozen=True, slots=True)
class Block:
    """A text and the questions asked of it.

    ``document`` is None where each question brings its own texts (HotpotQA, OpenBookQA).
    """

    questions: tuple[Question, ...]
    document: Document | None = None
    id: str = ""
    extra: Extra = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class Item:
    """One element of an official file: an article, a passage, a dialog or a single question."""

    blocks: tuple[Block, ...]
    extra: Extra = field(default_factory=dict, hash=False)

    @classmethod
    def of(cls, question: Question) -> Item:
        """An item that is a single question."""
        return cls((Block((question,)),))

    @property
    def questions(self) -> Iterator[Question]:
        """All questions, in the file's order."""
        for block in self.blocks:
            yield from block.questions

    @property
    def question(self) -> Question:
        """The question of an item that holds just one."""
        (only,) = self.questions
        return only


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
        """The fields beside the items; complete when the iteration is."""
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


AnswersQuestion = Callable[[Question], Prediction]
LearnsAnswering = Callable[[Iterable[Question]], AnswersQuestion]
"""From training questions, of which there are none where a baseline does not learn."""


@dataclass(frozen=True, slots=True)
class Baseline:
    """A baseline by the name that ``--system`` knows it under.

    With ``learns``, it wants a file of training questions. An ``upper_bound`` sees the gold of the
    question that it answers: it says what a kind of system could reach at most.
    """

    name: str
    about: str
    open: LearnsAnswering
    learns: bool = False
    upper_bound: bool = False


def always(prediction: Prediction) -> LearnsAnswering:
    """Make a baseline that gives every question the same answer.

    >>> from lacuna.types import Answer
    >>> always(Prediction(Answer.none()))([])(Question("q", "Why?")).answer.text
    'none'
    """
    return lambda training: lambda question: prediction


@dataclass(frozen=True, slots=True)
class ChoiceTrace:
    """One choice: GapQA's two scores, and whether any line of knowledge was found for it."""

    label: str
    fact_score: float
    relation_score: float
    known: bool


@dataclass(frozen=True, slots=True)
class AnswerTrace:
    """The titles of the documents that were looked into and the texts that were read of them,
    beside the question's own context; of a question with choices, what was made of each."""

    titles: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()
    choices: tuple[ChoiceTrace, ...] = ()


def trace_of_given(question: Question) -> AnswerTrace:
    """Of a system that reads what a setting gives it: all texts that come with the question."""
    documents = question.documents
    return AnswerTrace(
        tuple(document.title for document in documents),
        tuple(document.text for document in documents),
    )


class Dataset(ABC):
    """A dataset. Its subclasses say how items look; this class streams, checks and writes."""

    name: ClassVar[str]
    about: ClassVar[str]
    """Its kind of questions, in a few words, and its paper."""
    forms: ClassVar[tuple[Form, ...]]
    """The ways in which its files are written; new files are written in the first."""
    settings: ClassVar[Mapping[str, Setting]]
    """The ways in which its questions are asked; the first is the default."""
    no_answer: ClassVar[str] = ""
    """The spelling of "no answer" in its prediction files."""
    metric_options: ClassVar[frozenset[str]] = frozenset()
    """The options that ``metric`` takes."""
    header: ClassVar[Mapping[str, Any]] = {}
    """The fields beside the items of a new file."""
    downloads: ClassVar[OfficialFiles | None] = None
    """The official files; None where nobody publishes them."""
    for_training: ClassVar[bool] = True
    """True if a model may be trained on it; False for what only measures."""
    breakdown_fields: ClassVar[Mapping[str, str]] = {}
    """The breakdowns of its paper, each with the field of a file that it is read from."""
    error_fields: ClassVar[Mapping[str, str]] = {}
    """The classes of errors of its paper, with why they may not be told."""
    baselines: ClassVar[tuple[Baseline, ...]] = ()
    """The simple baselines of its paper, each a name for ``--system``."""
    demo_questions: ClassVar[Path | None] = None
    """A file with questions about the demo, in this dataset's format."""

    @abstractmethod
    def metric(self, **options: Any) -> Metric:
        """The official scorer."""

    def setting(self, name: str | None = None) -> Setting:
        """The setting of that name; without one, the default.

        >>> from lacuna.datasets import get_dataset
        >>> get_dataset("quac").setting().name
        'gold-history'
        """
        if name is None:
            return next(iter(self.settings.values()))
        if name not in self.settings:
            raise no_such(f"{self.name} setting", name, self.settings)
        return self.settings[name]

    @contextmanager
    def open(
        self, path: Path, *, skip_bad: bool = False, gold_only: bool = False
    ) -> Iterator[ItemReader]:
        """Read a file of this dataset, item by item.

        ``gold_only`` reads what scoring needs: no candidate documents, and answers by their text
        alone, without a look at their place. Such items cannot be written again.

        >>> from lacuna.datasets import get_dataset
        >>> iirc = get_dataset("iirc")
        >>> with iirc.open(iirc.demo_questions) as reader:
        ...     print(next(reader.questions()).text)
        For how many years did the Selmory Company own the islands?
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
        first = [item for item in (next(items, None),) if item]  # it tells the form
        self.write(
            path,
            chain(first, items),
            form=reader.form,
            shape=reader.shape,
            header=reader.header,
        )

    def gold_at_once(self, path: Path) -> list[Question] | None:
        """All questions of a file as scoring needs them, where there is a quick way; else None."""
        return None

    def unique_id(self, question: Question) -> str:
        """All that tells a question from others; a file that has it twice is refused.

        Where two questions share an id and differ in this, the second is known by this.
        """
        return question.id

    def facets(self, question: Question) -> dict[str, str]:
        """Labels of this dataset's own that are worth counting (HotpotQA's type and level)."""
        return {}

    def breakdowns(self, question: Question) -> dict[str, str]:
        """The labels of a question by which its paper breaks scores down."""
        return self.facets(question)

    def errors(
        self, question: Question, prediction: Prediction, trace: AnswerTrace
    ) -> dict[str, str]:
        """The classes that a wrong answer belongs to: those of ``error_fields``, and others."""
        return {}

    def oddities(self, question: Question) -> list[str]:
        """Oddities that are legal in the format and yet worth knowing, in words."""
        return []

    def description(self) -> Description:
        """An empty description that counts what its paper counts; feed it the items."""
        from lacuna_lab.describe.description import GeneralDescription

        return GeneralDescription()

    def labelling(self) -> tuple[LabellingTask, ...]:
        """The things that the paper labelled by hand: questions, errors, or nothing."""
        return ()

    def read_predictions(self, path: Path) -> dict[str, Prediction]:
        """Read the official prediction format: ``{id: text or list of texts}``."""
        return read_texts(path, self.no_answer)

    def write_predictions(self, path: Path, predictions: Mapping[str, Prediction]) -> None:
        """Write the official prediction format; override both where it is another one."""
        write_texts(path, predictions, self.no_answer)
