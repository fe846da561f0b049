"""IIRC's table 7: questions of other datasets mixed in, and which links a model would follow."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from pathlib import Path
from random import Random
from typing import Any

from lacuna.answers import AnswerMode
from lacuna.datasets import get_dataset
from lacuna.datasets.base import Block, Item
from lacuna.errors import LacunaError
from lacuna.evaluation.baselines import ChoosesLinks
from lacuna.evaluation.system import AT_ONCE, chunks
from lacuna.files.cache import digest_of
from lacuna.metrics.report import ScoreTable, scaled
from lacuna.models.model_folder import ModelSystem, find_model
from lacuna.models.registry import load_torch_backend, open_reader
from lacuna.retrieve.windows import Known, mentions
from lacuna.types import AnswerKind, Document, Gold, Question
from lacuna.version import __version__
from lacuna_lab.describe.description import DescribedPart
from lacuna_lab.reproduce.entry import BEFORE, PaperEntry, PublishedTable, RecordedTable
from lacuna_lab.reproduce.tables import official, over_seeds, seeds_cell
from lacuna_lab.reproduce.workbench import (
    NOT_RUN,
    NotHere,
    Source,
    SystemRun,
    TrainedRun,
    Workbench,
    cached_json,
    state_of,
)

SHARE = 0.2
"""The share of the questions that is mixed in (IIRC, section 5)."""
WEIGHTS = {"squad": 3, "drop": 1}
"""So many questions of SQuAD come to one of DROP: 2,520 to 840 in the paper."""
SOURCE = "source"
"""The field that says which dataset a question is from."""
KINDS = (AnswerKind.SPAN, AnswerKind.SPANS, AnswerKind.NUMBER, AnswerKind.NONE)


@dataclass(slots=True)
class MixedCounts:
    """The numbers of questions of each dataset in a mixed file, and those that were wanted."""

    own: int
    wanted: dict[str, int]
    mixed_in: dict[str, int]
    links: int = 0
    without_passage: int = 0
    """Questions of the file that were left out: IIRC's form needs a passage."""

    @property
    def short(self) -> list[str]:
        """The datasets that have fewer questions than were wanted."""
        return [name for name, count in self.wanted.items() if self.mixed_in[name] < count]


def mix(
    file: Path, added: dict[str, Path], known: Known, out: Path, *, share: float = SHARE, seed: int
) -> MixedCounts:
    """Write a file of IIRC whose questions are partly of the files ``added``, by their datasets.

    ``known`` tells which names are titles.
    """
    iirc = get_dataset("iirc")
    with iirc.open(file) as reader:
        every = list(reader)
    items = [item for item in every if all(block.document for block in item.blocks)]
    own = _question_count(items)
    if not own:
        raise LacunaError(f"{file} holds no question of iirc with a passage to mix others into.")
    counts = MixedCounts(own, wanted_of(own, share, list(added)), {})
    counts.without_passage = _question_count(every) - own
    for name, path in added.items():
        chosen = _sample(_questions(name, path), counts.wanted[name], Random(f"{seed} {name}"))
        counts.mixed_in[name] = len(chosen)
        for item in _passages(name, chosen, known):
            counts.links += sum(
                len(block.document.links) for block in item.blocks if block.document
            )
            items.append(item)
    iirc.write(out, items)
    return counts


def _question_count(items: Iterable[Item]) -> int:
    return sum(1 for item in items for _ in item.questions)


def wanted_of(own: int, share: float, names: Sequence[str]) -> dict[str, int]:
    """The number of questions of each dataset that make that share of the whole.

    >>> wanted_of(13_440, 0.2, ["squad", "drop"])
    {'squad': 2520, 'drop': 840}
    """
    total = own * share / (1 - share)
    weight = sum(WEIGHTS[name] for name in names)
    return {name: max(1, round(total * WEIGHTS[name] / weight)) for name in names}


def _questions(name: str, path: Path) -> list[Question]:
    with get_dataset(name).open(path) as reader:
        return [
            question
            for question in reader.questions()
            if question.context is not None
            and question.gold is not None
            and question.gold.answers
            and question.gold.answers[0].kind in KINDS
        ]


def _sample(questions: Sequence[Question], size: int, random: Random) -> list[Question]:
    """Some questions at random, in the file's order, so that those of a passage stay together."""
    numbers = random.sample(range(len(questions)), min(size, len(questions)))
    return [questions[number] for number in sorted(numbers)]


def _passages(name: str, questions: Iterable[Question], known: Known) -> Iterator[Item]:
    groups = groupby(questions, key=lambda question: id(question.context))
    for number, (_, group) in enumerate(groups, 1):
        several = list(group)
        context = several[0].context
        assert context is not None
        document = _wikified(context, known)
        asked = tuple(_asked(name, question, document) for question in several)
        yield Item((Block(asked, document, f"{name}-{number}", extra={SOURCE: name}),))


def _wikified(context: Document, known: Known) -> Document:
    found = mentions(context.text, known)
    own = context.title.replace("_", " ").casefold()
    links = tuple(link for link in found if link.target.casefold() != own)
    return Document(context.title, context.text, links=links)


def _asked(name: str, question: Question, document: Document) -> Question:
    assert question.gold is not None
    gold = Gold((question.gold.answers[0],), links=())
    return Question(
        f"{name}-{question.id}", question.text, document, gold=gold, extra={SOURCE: name}
    )


SHIPPED = "small"
LIKELY = 0.0
"""The log-odds of one half, IIRC's threshold."""


@dataclass(frozen=True, slots=True)
class LinkHead:
    """The link scores of a reader, where it has any."""

    reader: Any

    def chosen(self, questions: Sequence[Question]) -> list[tuple[str, ...]]:
        """The titles whose links are likelier needed than not."""
        scored = self.reader.link_scores(questions, mode=AnswerMode.ASK)
        return [
            tuple(
                link.target
                for link, score in zip(question.context.links, scores.links, strict=True)
                if score > LIKELY
            )
            if question.context
            else ()
            for question, scores in zip(questions, scored, strict=True)
        ]


def open_chooser(run: TrainedRun | None) -> ChoosesLinks:
    """A trained link model, or the link head of the shipped reader."""
    if run is None:
        return LinkHead(open_reader(SHIPPED))
    if run.system not in set(ModelSystem):
        raise NotHere(f"no system {run.system!r} is known here")
    chooser: ChoosesLinks = load_torch_backend(
        find_model(run.folder, system=ModelSystem(run.system)), None
    )
    return chooser


def choose_links(chooser: ChoosesLinks, questions: Iterable[Question]) -> dict[str, list[str]]:
    """The titles that are chosen, by the ids of the questions."""
    chosen: dict[str, list[str]] = {}
    for chunk in chunks(questions, AT_ONCE):
        for question, titles in zip(chunk, chooser.chosen(chunk), strict=True):
            chosen[question.id] = list(dict.fromkeys(titles))
    return chosen


@dataclass(frozen=True, slots=True)
class LinkChoiceCounts:
    """Links that were chosen, that are needed, and that are both, over all questions."""

    chosen: int
    gold: int
    right: int

    @property
    def precision(self) -> float | None:
        """The share of chosen links that are needed; None where none is chosen."""
        return self.right / self.chosen if self.chosen else None

    @property
    def recall(self) -> float | None:
        """The share of needed links that are chosen."""
        return self.right / self.gold if self.gold else None

    @property
    def f1(self) -> float | None:
        """The harmonic mean of both."""
        both = self.chosen + self.gold
        return 2 * self.right / both if both else None


def count_links(
    questions: Iterable[Question], chosen: Mapping[str, Iterable[str]]
) -> LinkChoiceCounts:
    """Count links by the titles that they lead to, each once a question.

    A gold link that the passage does not have is left out: no model could choose it.

    >>> count_links([], {})
    LinkChoiceCounts(chosen=0, gold=0, right=0)
    """
    many, needed, right = 0, 0, 0
    for question in questions:
        links = question.context.links if question.context else ()
        there = {link.target.casefold() for link in links}
        wanted = (question.gold and question.gold.links) or ()
        gold = {title.casefold() for title in wanted} & there
        taken = {title.casefold() for title in chosen.get(question.id, ())} & there
        many, needed, right = many + len(taken), needed + len(gold), right + len(gold & taken)
    return LinkChoiceCounts(many, needed, right)


def read_questions(dataset: str, path: Path) -> list[Question]:
    """All questions of a file."""
    with get_dataset(dataset).open(path) as reader:
        return list(reader.questions())


COLUMNS = ("links P", "links R", "links F1", "EM", "F1")
LINK_COLUMNS = 3


@dataclass(frozen=True, slots=True)
class CombinedRow:
    """A row of the paper: what chooses links (a recipe; else the shipped reader), what answers."""

    name: str
    what: str
    links: str
    answers: SystemRun


@dataclass(frozen=True, slots=True)
class CombinedEntry(PaperEntry):
    """Each row on every one of ``files``, by the names that they have in the table.

    ``before`` has how trained networks chose links, by the names of row and file.
    """

    files: tuple[tuple[str, Source], ...] = ()
    rows: tuple[CombinedRow, ...] = ()
    before: RecordedTable = field(default_factory=RecordedTable)

    @property
    def needs(self) -> list[str]:
        files = [source.name for _, source in self.files]
        return [*files, *(f"the run {row.links}" for row in self.rows if row.links)]

    def make(self, bench: Workbench, paper: PublishedTable) -> Iterator[DescribedPart]:
        lines: list[tuple[Any, ...]] = []
        seen: set[str] = set()
        for row in self.rows:
            for name, source in self.files:
                theirs = paper.row(row.name) if row.name not in seen else (None,) * len(COLUMNS)
                lines.append((row.name, *self._ours(bench, row, name, source), *theirs))
                seen.add(row.name)
        columns = (
            *("learned from", "ours is", "dev"),
            *(f"ours, {column}" for column in COLUMNS),
            *(f"paper, {column}" for column in paper.columns),
        )
        table = ScoreTable("Scores, %", columns, tuple(lines))
        note = " ".join(filter(None, (self.remark, "" if bench.data.quick else self.before.note)))
        yield DescribedPart(self.name, table, note=note)

    def _ours(
        self, bench: Workbench, row: CombinedRow, name: str, source: Source
    ) -> tuple[Any, ...]:
        links: tuple[Any, ...] = (None,) * LINK_COLUMNS
        answers: tuple[Any, ...] = (None,) * (len(COLUMNS) - LINK_COLUMNS)
        said = {}
        try:
            links = _link_cells(bench, row.links, source)
        except NotHere as missing:
            known = self.before.rows.get(f"{row.name}, {name}")
            if known and row.links and not bench.data.quick:
                links, said["links"] = known, self.before.which.get(f"{row.name}, {name}", BEFORE)
            else:
                said["links"] = f"not here, {missing}"
        try:
            results = bench.results(replace(row.answers, file=source))
            read = (official("EM", "em"), official("F1", "f1"))
            answers = tuple(over_seeds(results, measure) for measure in read)
        except NotHere as missing:
            said["answers"] = f"not here, {missing}"
        why = "; ".join(f"{part}: {reason}" for part, reason in said.items())
        return (f"{row.what}; {why}" if why else row.what, name, *links, *answers)


def _link_cells(bench: Workbench, recipe: str, source: Source) -> tuple[float | str | None, ...]:
    """Precision, recall and F1 in %, over the seeds that a recipe has."""
    runs: Sequence[TrainedRun | None] = bench.trained(recipe) if recipe else (None,)
    counts = [_counted_once(bench, run, source) for run in runs]
    return tuple(
        seeds_cell(scaled(value, 100) for value in values)
        for values in (
            (each.precision for each in counts),
            (each.recall for each in counts),
            (each.f1 for each in counts),
        )
    )


def _counted_once(bench: Workbench, run: TrainedRun | None, source: Source) -> LinkChoiceCounts:
    return bench.once(("links", run, source), lambda: _counted(bench, run, source))


def _counted(bench: Workbench, run: TrainedRun | None, source: Source) -> LinkChoiceCounts:
    path = bench.data.path(source)
    questions = read_questions(source.dataset, path)
    model = "the shipped reader" if run is None else state_of(run.folder)
    state = digest_of(f"{__version__} {model} {state_of(path)}")
    cached = bench.cache / "links" / f"{state}.json"

    def choose() -> dict[str, list[str]]:
        if bench.only_kept:
            raise NotHere(NOT_RUN)
        return choose_links(open_chooser(run), questions)

    return count_links(questions, cached_json(cached, choose))
