"""What every dataset offers: its formats, settings, metric, official files and demo questions."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from lacuna.datasets.item import Form, Item
from lacuna.datasets.item_reader import ItemReader
from lacuna.datasets.prediction_files import read_texts, write_texts
from lacuna.datasets.setting import Setting
from lacuna.errors import no_such
from lacuna.files.json_stream import Shape
from lacuna.files.json_write import write_items
from lacuna.files.opening import open_text
from lacuna.files.writing import replace_text
from lacuna.types import Prediction, Question

if TYPE_CHECKING:
    from lacuna.datasets.answer_trace import AnswerTrace
    from lacuna.datasets.baseline import Baseline
    from lacuna.datasets.describing.description import Description
    from lacuna.datasets.describing.labelling import LabellingTask
    from lacuna.datasets.official_files import OfficialFiles
    from lacuna.metrics.metric import Metric


class Dataset(ABC):
    """A dataset. Its subclasses say how items look; this class streams, checks and writes."""

    name: ClassVar[str]
    about: ClassVar[str]
    """What it asks for, in a few words, and the paper."""
    forms: ClassVar[tuple[Form, ...]]
    """The ways in which its files are written; new files are written in the first."""
    settings: ClassVar[Mapping[str, Setting]]
    """The ways in which its questions are asked; the first is the default."""
    no_answer: ClassVar[str] = ""
    """How its prediction files spell that there is no answer."""
    metric_options: ClassVar[frozenset[str]] = frozenset()
    """The options that ``metric`` takes."""
    header: ClassVar[Mapping[str, Any]] = {}
    """What stands beside the items of a new file."""
    downloads: ClassVar[OfficialFiles | None] = None
    """The official files; None where nobody publishes them."""
    for_training: ClassVar[bool] = True
    """Whether a model may be trained on it; False for what only measures."""
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
        """What is legal in the format and yet worth knowing, in words."""
        return []

    def description(self) -> Description:
        """An empty description that counts what its paper counts; feed it the items."""
        from lacuna.datasets.describing.general import GeneralDescription

        return GeneralDescription()

    def labelling(self) -> tuple[LabellingTask, ...]:
        """What the paper labelled by hand: questions, errors, or nothing."""
        return ()

    def read_predictions(self, path: Path) -> dict[str, Prediction]:
        """Read the official prediction format: ``{id: text or list of texts}``."""
        return read_texts(path, self.no_answer)

    def write_predictions(self, path: Path, predictions: Mapping[str, Prediction]) -> None:
        """Write the official prediction format; override both where it is another one."""
        write_texts(path, predictions, self.no_answer)
