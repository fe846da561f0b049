"""Labelling sheets: what people label by hand, read and told as the paper's tables."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from random import Random

from lacuna.answers import CANNOT_ANSWER
from lacuna.datasets.base import Dataset, Item
from lacuna.errors import LacunaError, shown
from lacuna.files.json import LARGEST_VALUE
from lacuna.files.opening import open_text
from lacuna.files.writing import replace_text
from lacuna.metrics.report import ScoreTable, between
from lacuna.metrics.statistics import wilson
from lacuna.types import Answer, Document, Prediction, Question
from lacuna_lab.describe.description import DescribedPart, percent

BEGINNING = "*[To be filled in: "


def blank(what: str) -> str:
    """A place that somebody has to fill in, as Markdown.

    >>> blank("whom to write to")
    '*[To be filled in: whom to write to]*'
    """
    return f"{BEGINNING}{what}]*"


def as_plain_markdown(said: str) -> str:
    """Escape what people wrote, so that Markdown makes nothing of it but text.

    >>> as_plain_markdown("a_b <i>")
    'a\\\\_b \\\\<i\\\\>'
    """
    return "".join(f"\\{char}" if char in "\\`*_{}[]<>()#+-!|&~" else char for char in said)


YES, NO = "yes", "no"


@dataclass(frozen=True, slots=True)
class Category:
    """One label, what it means, and its share in the paper in %, if the paper gives it."""

    name: str
    about: str
    paper: float | None = None


@dataclass(frozen=True, slots=True)
class LabelTable:
    """One table of a paper: a column of the sheet that takes one of its categories.

    Where a question may have several of them (``several``), each is a column of its own for yes
    or no. ``note`` says what else the paper tells of these labels.
    """

    title: str
    column: str
    categories: tuple[Category, ...]
    several: bool = False
    note: str = ""

    def columns(self) -> Mapping[str, tuple[str, ...]]:
        """The columns of the sheet, each with the labels that it takes.

        >>> LabelTable("Gaps", "gap", (Category("one", "…"),), several=True).columns()
        {'one': ('yes', 'no')}
        """
        names = tuple(category.name for category in self.categories)
        return dict.fromkeys(names, (YES, NO)) if self.several else {self.column: names}


def _nothing_more(question: Question) -> Mapping[str, str]:
    return {}


def titled(documents: Iterable[Document]) -> str:
    """Texts in one cell, each behind its title.

    >>> titled([Document("Ferry", "It sank."), Document("Pier", "It stands.")])
    'Ferry: It sank. / Pier: It stands.'
    """
    return " / ".join(f"{document.title}: {document.text.strip()}" for document in documents)


@dataclass(frozen=True, slots=True)
class LabellingTask:
    """The questions that are labelled together on one sheet, and how many questions the paper
    labelled.

    Where ``wrong_by`` is given, only questions are labelled that a system answered wrongly: whose
    value of that measure is 0. With ``one_a_text``, no two questions are about the same text.
    ``material`` is what a row shows besides what every sheet does, by the names of its columns.
    """

    name: str
    tables: tuple[LabelTable, ...]
    size: int = 100
    wrong_by: str | None = None
    one_a_text: bool = False
    material: Callable[[Question], Mapping[str, str]] = field(default=_nothing_more)

    def columns(self) -> dict[str, tuple[str, ...]]:
        """All columns to fill, each with the labels that it takes."""
        return {name: labels for table in self.tables for name, labels in table.columns().items()}


Wanted = Callable[[Question], bool]


def sample(
    items: Iterable[Item], task: LabellingTask, size: int, seed: int, wanted: Wanted
) -> list[Question]:
    """So many random questions in the file's order; all of them where there are fewer.

    The same seed gives the same sample.
    """
    random = Random(seed)
    kept: list[tuple[int, Question]] = []
    for number, question in enumerate(_offered(items, task, wanted, random)):
        if len(kept) < size:
            kept.append((number, question))
        elif (place := random.randrange(number + 1)) < size:
            kept[place] = number, question
    return [question for _, question in sorted(kept, key=lambda entry: entry[0])]


def _offered(
    items: Iterable[Item], task: LabellingTask, wanted: Wanted, random: Random
) -> Iterator[Question]:
    for item in items:
        for block in item.blocks:
            questions = [question for question in block.questions if wanted(question)]
            if task.one_a_text and questions:
                yield random.choice(questions)
            else:
                yield from questions


def answered_wrongly(
    dataset: Dataset, measure: str, predictions: Mapping[str, Prediction]
) -> Wanted:
    """Tells the questions whose prediction is there and wrong."""
    metric = dataset.metric()
    at = metric.measures.index(measure)

    def wrong(question: Question) -> bool:
        prediction = prediction_for(dataset, question, predictions)
        if prediction is None or question.gold is None or not question.gold.answers:
            return False
        return metric.judge(question, prediction)[at] == 0.0

    return wrong


def prediction_for(
    dataset: Dataset, question: Question, predictions: Mapping[str, Prediction]
) -> Prediction | None:
    """The prediction that counts for a question."""
    ids = dataset.metric().prediction_ids(question)
    return next((predictions[id_] for id_ in ids if id_ in predictions), None)


def task_for(dataset: Dataset, of_errors: bool) -> LabellingTask:
    """The task of a dataset that labels questions, or errors."""
    tasks = dataset.labelling()
    for task in tasks:
        if (task.wrong_by is not None) == of_errors:
            return task
    if not tasks:
        raise LacunaError(
            f"There are no categories to label {dataset.name} with. There are for iirc, hotpotqa, "
            "quac and openbookqa."
        )
    raise LacunaError(
        f"The paper of {dataset.name} has no classes of errors. Leave --predictions out to label "
        "questions."
    )


ROW, ID = "row", "id"
LONGEST_CELL = 30_000
"""Spreadsheets cut cells off at 32,767 characters."""
FORMULA = ("=", "+", "-", "@", "\t")
"""The characters that a spreadsheet takes for the beginning of a formula, and would run."""

NUMBER_OR_DATE = re.compile(r"[0-9][0-9./:,-]*")


def write_sheet(
    path: Path,
    task: LabellingTask,
    questions: Sequence[Question],
    predictions: Mapping[str, Prediction],
) -> None:
    """Write a sheet to fill; ``predictions`` are by the questions' ids, for sheets of errors."""
    refuse_existing(path)
    _check_ids(questions)
    rows = [
        _material(question, predictions.get(question.id), task.material(question))
        for question in questions
    ]
    shown = list(dict.fromkeys(name for row in rows for name in row))
    labels = [header(name, allowed) for name, allowed in task.columns().items()]
    with replace_text(path) as out:
        sheet = csv.writer(out, lineterminator="\n")
        sheet.writerow((ROW, ID, *shown, *labels))
        for number, (question, row) in enumerate(zip(questions, rows, strict=True), 1):
            cells = (written_cell(row.get(name, "")) for name in shown)
            first = row_name(number, len(questions)), written_id(question.id)
            sheet.writerow((*first, *cells, *([""] * len(labels))))


def refuse_existing(path: Path) -> None:
    """A sheet that is there already is never replaced: somebody may have filled it."""
    if path.exists():
        raise LacunaError(
            f"{path} exists already, and its labels would be lost. Give another name, or remove it."
        )


def _check_ids(questions: Sequence[Question]) -> None:
    """Find out before people label it that a sheet could not be read again."""
    seen: set[str] = set()
    for question in questions:
        id_ = written_id(question.id)
        if not id_ or id_ in seen:
            raise LacunaError(
                f"Two questions have the id {question.id!r}, so labels could not tell them apart. "
                "Make a sheet of one file at a time."
                if id_
                else "A question has an empty id, so labels could not name it. Give it one."
            )
        seen.add(id_)


def header(column: str, allowed: Sequence[str]) -> str:
    """The name of a column with the labels that it takes.

    >>> header("reasoning", ("numeric", "temporal"))
    'reasoning [numeric | temporal]'
    """
    return f"{column} [{' | '.join(allowed)}]"


def column_of(name: str) -> str:
    """The column that a header is of.

    >>> column_of("Reasoning [numeric | temporal]")
    'reasoning'
    """
    return name.split("[")[0].strip().casefold()


def row_name(number: int, total: int) -> str:
    """The number of a row; in words, since spreadsheets take 1/7 for a day.

    >>> row_name(1, 7)
    '1 of 7'
    """
    return f"{number} of {total}"


def written_id(id_: str) -> str:
    """An id that no spreadsheet takes for a number or a date, and writes otherwise.

    >>> written_id("9-37"), written_id("q_1")
    ("'9-37", 'q_1')
    """
    cell = written_cell(id_)
    return f"'{cell}" if NUMBER_OR_DATE.fullmatch(cell) else cell


def written_cell(text: str) -> str:
    """A text on one line that no spreadsheet takes for a formula.

    >>> written_cell("=1+1")
    "'=1+1"
    """
    line = " ".join(text.split())
    line = line if len(line) <= LONGEST_CELL else line[:LONGEST_CELL] + "…"
    return f"'{line}" if line.startswith(FORMULA) else line


def _material(
    question: Question, prediction: Prediction | None, more: Mapping[str, str]
) -> dict[str, str]:
    """The material that somebody needs to see for labelling, without what is empty."""
    gold = question.gold
    cells = {
        "question": question.text,
        "fact": question.fact or "",
        "choices": "; ".join(f"{choice.label}: {choice.text}" for choice in question.choices),
        "dialog so far": " / ".join(
            f"{turn.question} → {_said(turn.answer)}" for turn in question.history
        ),
        "answer": _said(gold.answers[0]) if gold and gold.answers else "",
        "prediction": _said(prediction.answer) if prediction else "",
        "links": "; ".join((gold and gold.links) or ()),
        "evidence": " / ".join(_evidence(question)),
        "title": question.context.title if question.context else "",
        "text": question.context.text.removesuffix(CANNOT_ANSWER) if question.context else "",
        **more,
    }
    return {name: text for name, text in cells.items() if text}


def _said(answer: Answer | None) -> str:
    return answer.text if answer else "?"


def _evidence(question: Question) -> list[str]:
    """The sentences or stretches that the annotators pointed to, each with its title."""
    gold = question.gold
    if gold is None:
        return []
    documents = {document.title: document for document in question.documents}
    if question.context is not None:
        documents.setdefault(question.context.title, question.context)
    pieces = []
    for title, number in gold.supporting_facts or ():
        document = documents.get(title)
        if document and number < len(document.sentences):
            pieces.append(f"{title}: {document.sentence(number).strip()}")
    pieces.extend(
        f"{piece.document}: {document.text[piece.start : piece.end]}"
        for piece in gold.evidence or ()
        if (document := documents.get(piece.document))
    )
    return pieces


NUMBER = re.compile(r"([0-9]{1,9}) *of *([0-9]{1,9})")
DELIMITERS = (",", ";", "\t")
"""Spreadsheets write CSV with whichever their country uses."""
SHOWN_MISSING = 5


class FilledSheet:
    """The labels of a sheet: for each column how often each label was given.

    ``ids`` are those of the questions that were labelled.
    """

    def __init__(self, path: Path, tasks: Sequence[LabellingTask]) -> None:
        self.path = path
        self.ids: dict[str, int] = {}
        rows = _rows(path)
        names = [column_of(name) for name in next(rows, (0, []))[1]]
        self.task = self._task(names, tasks)
        self.counts: dict[str, Counter[str]] = {name: Counter() for name in self.task.columns()}
        numbers: dict[int, int] = {}
        total = 0
        for line, cells in rows:
            row = dict(zip(names, cells, strict=False))
            number, total = self._number(row.get(ROW, ""), line, total)
            if number in numbers:
                raise self._bad(
                    line, f"{row_name(number, total)} stands in row {numbers[number]} already"
                )
            numbers[number] = line
            self._add(row, line)
        if not numbers:
            raise LacunaError(f"{path} has no labelled row. Give a sheet that was filled.")
        if missing := total - len(numbers):
            absent = (number for number in range(1, total + 1) if number not in numbers)
            few = ", ".join(row_name(number, total) for number in islice(absent, SHOWN_MISSING))
            more = " …" if missing > SHOWN_MISSING else ""
            raise LacunaError(
                f"{path}: of its {total:,} rows {missing:,} are missing ({few}{more}). Put them "
                "back, or make a new sheet with --sheet."
            )

    def _task(self, names: Sequence[str], tasks: Sequence[LabellingTask]) -> LabellingTask:
        for needed in (ROW, ID):
            if needed not in names:
                raise LacunaError(
                    f"{self.path} is no labelling sheet: it has no column {needed!r}. Make one "
                    "with --sheet, fill it and keep its columns."
                )
        twice = [name for name in names if name and names.count(name) > 1]
        if twice:
            raise LacunaError(f"{self.path} has two columns {twice[0]!r}. Remove one of them.")
        for task in tasks:
            columns = [name.casefold() for name in task.columns()]
            lacking = [name for name in columns if name not in names]
            if not lacking:
                return task
            if len(lacking) < len(columns):
                raise LacunaError(
                    f"{self.path} has no column {lacking[0]!r}. A sheet is read with all columns "
                    "that it was written with."
                )
        known = "; ".join(", ".join(task.columns()) for task in tasks)
        raise LacunaError(f"{self.path} has none of the columns to label: {known}.")

    def _number(self, text: str, line: int, before: int) -> tuple[int, int]:
        """The number of a row, and of how many; both must fit the rows before."""
        found = NUMBER.fullmatch(text.strip())
        number, total = (int(part) for part in found.groups()) if found else (0, 0)
        if not 1 <= number <= total or (before and total != before):
            expected = f"a number of {before}" if before else "a number like 3 of 100"
            raise self._bad(line, f"column {ROW!r}: expected {expected}, found {shown(text)}")
        return number, total

    def _add(self, row: dict[str, str], line: int) -> None:
        id_ = row.get(ID, "").strip()
        if not id_:
            raise self._bad(line, f"column {ID!r} is empty")
        if id_ in self.ids:
            raise self._bad(line, f"the id {id_!r} stands in row {self.ids[id_]} already")
        self.ids[id_] = line
        for column, allowed in self.task.columns().items():
            given = row.get(column.casefold(), "").strip()
            label = next((name for name in allowed if name.casefold() == given.casefold()), None)
            if label is None:
                found = shown(given) if given else "nothing"
                raise self._bad(
                    line,
                    f"id {id_!r}, column {column!r}: expected one of {', '.join(allowed)}, "
                    f"found {found}",
                )
            self.counts[column][label] += 1

    def _bad(self, line: int, problem: str) -> LacunaError:
        return LacunaError(f"{self.path}, row {line}: {problem}. Mend it in the sheet.")

    def check_ids(self, known: set[str]) -> None:
        """Refuse a sheet whose questions are not those of the files."""
        written = {written_id(id_) for id_ in known}
        for id_, line in self.ids.items():
            if id_ not in written:
                raise self._bad(line, f"the id {id_!r} is of no question of the files given")

    def parts(self) -> Iterator[DescribedPart]:
        """The paper's tables with our shares and their intervals."""
        for table in self.task.tables:
            yield self._part(table)

    def _part(self, table: LabelTable) -> DescribedPart:
        total = len(self.ids)
        rows = []
        for category in table.categories:
            if table.several:
                count = self.counts[category.name][YES]
            else:
                count = self.counts[table.column][category.name]
            interval = between(wilson(count, total), 100)
            rows.append((category.name, count, percent(count, total), interval, category.paper))
        columns = (table.column, "questions", "%", "95% interval", "paper, %")
        return DescribedPart(
            table.column.replace(" ", "_"),
            ScoreTable(table.title, columns, tuple(rows)),
            note=f"{total:,} labelled, Wilson's intervals; the paper labelled {self.task.size}."
            + (" A question may have several labels." if table.several else "")
            + (f" {table.note}" if table.note else ""),
        )


def _rows(path: Path) -> Iterator[tuple[int, list[str]]]:
    """The rows that are not empty, each with the number that a spreadsheet gives it."""
    with open_text(path) as source:
        first = source.head.split("\n", 1)[0]
        delimiter = max(DELIMITERS, key=first.count)
        number = 0
        try:
            rows = csv.reader(source.lines(LARGEST_VALUE), delimiter=delimiter, strict=True)
            for number, cells in enumerate(rows, 1):
                if any(cell.strip() for cell in cells):
                    yield number, cells
        except csv.Error as error:
            raise LacunaError(
                f"{path} is not a CSV file: {error} near row {number + 1}. Save the sheet as CSV."
            ) from error
