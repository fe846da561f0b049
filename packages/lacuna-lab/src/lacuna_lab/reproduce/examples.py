"""Entries that are counted, labelled or shown: descriptions, sheets, and figures of examples."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from lacuna import demo
from lacuna.datasets import get_dataset
from lacuna.evaluation.system import core_facts
from lacuna.metrics.report import ScoreTable
from lacuna.models.gapqa.gapqa_reader import ScoredChoice
from lacuna.models.gapqa.relations import DIRECTIONS
from lacuna.pipeline.gapqa import ChoiceResult, open_gapqa
from lacuna.types import Document, FollowUp, Question, YesNo
from lacuna_lab.describe.description import DescribedPart
from lacuna_lab.describe.labelling import FilledSheet, LabellingTask, LabelTable
from lacuna_lab.figures.charts import HeatMap
from lacuna_lab.reproduce.entry import PaperEntry, PublishedTable, named_by
from lacuna_lab.reproduce.workbench import NotHere, Source, Workbench

PAPER = "paper"
"""Begins the names of columns with the paper's numbers."""


@dataclass(frozen=True, slots=True)
class CountedFiles:
    """Files that are counted together, and the parts of their description that are shown."""

    sources: tuple[Source, ...]
    parts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DescribedEntry(PaperEntry):
    """Parts of the descriptions of some files."""

    counted: tuple[CountedFiles, ...] = ()

    @property
    def needs(self) -> list[str]:
        return [source.name for counted in self.counted for source in counted.sources]

    def make(self, bench: Workbench, paper: PublishedTable) -> Iterator[DescribedPart]:
        lacking: dict[tuple[str, tuple[str, ...]], list[tuple[CountedFiles, str]]] = {}
        for number, counted in enumerate(self.counted):
            try:
                yield from self._counted(bench, number, counted)
            except NotHere as missing:
                kind = counted.sources[0].dataset, counted.parts
                lacking.setdefault(kind, []).append((counted, str(missing)))
        for number, absent in enumerate(lacking.values()):
            yield from self._paper_alone(number, absent)

    def _counted(
        self, bench: Workbench, number: int, counted: CountedFiles
    ) -> Iterator[DescribedPart]:
        files = " and ".join(bench.data.shown(source) for source in counted.sources)
        parts = named_by(bench.described(counted.sources), counted.parts)
        for place, part in enumerate(parts):
            remark = self.remark if not number and not place else ""
            note = " ".join(filter(None, (f"Counted: {files}.", part.note, remark)))
            name = f"{self.name}-{part.name}" + (f"-{number + 1}" if number else "")
            table = part.table
            if len(self.counted) > 1:  # several tables of one kind, told apart
                table = replace(table, title=f"{table.title}: {files}")
            yield replace(part, name=name, table=table, note=note)

    def _paper_alone(
        self, number: int, absent: Sequence[tuple[CountedFiles, str]]
    ) -> Iterator[DescribedPart]:
        """The tables of files that cannot be counted, once for all of a kind, and one reason."""
        counted, why = absent[0]
        files = " and ".join(source.name for each, _ in absent for source in each.sources)
        name = f"{self.name}-{number + 1}"
        empty = get_dataset(counted.sources[0].dataset).description()
        printed = [part for part in named_by(empty.parts(), counted.parts) if _has_paper(part)]
        if not printed:
            table = ScoreTable(self.title, ("files", "why they are not counted"), ((files, why),))
            yield DescribedPart(name, table)
        for part in printed:
            note = " ".join(filter(None, (f"Not counted: {files}.", self.remark)))
            yield DescribedPart(
                f"{name}-{part.name}", _without_ours(part.table), None, note, f"{why}.", part.digits
            )


def _has_paper(part: DescribedPart) -> bool:
    return bool(part.table.rows) and any(map(_is_paper, part.table.columns))


def _is_paper(column: str) -> bool:
    return column.startswith(PAPER)


def _without_ours(table: ScoreTable) -> ScoreTable:
    """What nothing was counted for is unknown, and not 0."""
    known = (True, *map(_is_paper, table.columns[1:]))
    rows = (
        tuple(value if keep else None for value, keep in zip(row, known, strict=True))
        for row in table.rows
    )
    return replace(table, rows=tuple(rows))


@dataclass(frozen=True, slots=True)
class LabelledEntry(PaperEntry):
    """Tables of a labelling task, by the columns of its sheet.

    Ours is read from the sheet ``DATASET-TASK.csv`` in the folder of sheets, where it is there.
    """

    dataset: str = ""
    columns: tuple[str, ...] = ()

    @property
    def needs(self) -> list[str]:
        return [f"a sheet that people filled, {self.dataset}-{self._task().name}.csv"]

    def make(self, bench: Workbench, paper: PublishedTable) -> Iterator[DescribedPart]:
        task = self._task()
        sheet = None if bench.sheets is None else bench.sheets / f"{self.dataset}-{task.name}.csv"
        filled = FilledSheet(sheet, (task,)) if sheet is not None and sheet.is_file() else None
        parts = {} if filled is None else {part.table.title: part for part in filled.parts()}
        for table in task.tables:
            if table.column in self.columns:
                part = parts.get(table.title) or self._paper_alone(task, table)
                yield replace(part, name=f"{self.name}-{table.column.replace(' ', '-')}")

    def _task(self) -> LabellingTask:
        for task in get_dataset(self.dataset).labelling():
            if any(table.column in self.columns for table in task.tables):
                return task
        raise ValueError(f"{self.dataset} has no labelling task with {self.columns}")

    def _paper_alone(self, task: LabellingTask, table: LabelTable) -> DescribedPart:
        rows = tuple((each.name, each.about, None, each.paper) for each in table.categories)
        errors = " --predictions PRED" if task.wrong_by else ""
        return DescribedPart(
            self.name,
            ScoreTable(table.title, (table.column, "what it means", "ours, %", "paper, %"), rows),
            note=f"Not here: people labelled {task.size} by hand, and nobody has labelled ours. "
            f"`lacuna describe {self.dataset} FILE{errors} --sheet SHEETS/{self.dataset}-"
            f"{task.name}.csv` draws a sheet; filled, it gives this table with --sheets SHEETS."
            + (f" {table.note}" if table.note else ""),
        )


QUICK = Path(__file__).parent / "quick"
HOTPOTQA = QUICK / "hotpotqa.json"
AFTER = {FollowUp.YES: "↪", FollowUp.MAYBE: "↪?", FollowUp.NO: "↛"}
"""True if the teacher encourages a further question, as the paper draws it."""
SAID = {YesNo.YES: "yes, ", YesNo.NO: "no, "}
LONGEST = 240
Rows = tuple[tuple[Any, ...], ...]


@dataclass(frozen=True, slots=True)
class ExampleEntry(PaperEntry):
    """An example; ``rows`` tells it, below ``columns``."""

    columns: tuple[str, ...] = ("what", "in the demo")
    rows: Callable[[], Rows] = tuple

    @property
    def needs(self) -> list[str]:
        return []

    def make(self, bench: Workbench, paper: PublishedTable) -> Iterator[DescribedPart]:
        table = ScoreTable(self.title, self.columns, self.rows())
        note = "The paper shows another example; this is one of the demo's, written for it."
        part = DescribedPart(self.name, table, note=note)
        yield replace(part, note=f"{note} {self.remark}".strip())


def linked_passage() -> Rows:
    """IIRC's figure 1: a passage, a question, and what its links lead to."""
    question = next(each for each in _questions("iirc", demo.QUESTIONS) if _gold_links(each) > 1)
    assert question.context is not None
    return (
        ("passage", _cut(question.context)),
        ("its links", ", ".join(dict.fromkeys(link.target for link in question.context.links))),
        *_with_evidence(question),
    )


def answer_types() -> Rows:
    """IIRC's figure 2: a question of each type of answer."""
    seen: dict[str, Question] = {}
    for question in _questions("iirc", demo.QUESTIONS):
        seen.setdefault(get_dataset("iirc").facets(question).get("type", ""), question)
    return tuple(
        (
            kind,
            question.text,
            ", ".join((question.gold and question.gold.links) or ()),
            _answer(question),
        )
        for kind, question in seen.items()
        if kind
    )


def supported_answer() -> Rows:
    """HotpotQA's figure 1: two paragraphs, a question, its answer and supporting facts."""
    question = next(iter(_questions("hotpotqa", HOTPOTQA)))
    facts = (question.gold and question.gold.supporting_facts) or ()
    needed = [each for each in question.documents if each.title in {fact.title for fact in facts}]
    return (
        *((f"paragraph, {document.title}", _cut(document)) for document in needed),
        ("question", question.text),
        ("answer", _answer(question)),
        (
            "supporting facts",
            ", ".join(f"{fact.title}, sentence {fact.sentence + 1}" for fact in facts),
        ),
    )


def first_dialog() -> Rows:
    """QuAC's figure 1: the first dialog of the demo."""
    return tuple(map(_turn, _dialogs()[0]))


def most_answered() -> Rows:
    """QuAC's figure 3: the dialog with the most answers."""
    best = max(_dialogs(), key=_answers)
    return tuple(_turn(question) for question in best)


def least_answered() -> Rows:
    """QuAC's figure 4: the dialog with the most questions that have no answer.

    Of several, it is the one whose teacher encourages the fewest further questions.
    """
    worst = max(
        _dialogs(), key=lambda dialog: (len(dialog) - _answers(dialog), -_encouraged(dialog))
    )
    return tuple(_turn(question) for question in worst)


def _dialogs() -> list[list[Question]]:
    with get_dataset("quac").open(demo.DIALOGS) as reader:
        return [list(item.questions) for item in reader]


def _answers(dialog: list[Question]) -> int:
    return sum(bool(q.gold and q.gold.given and q.gold.given.texts) for q in dialog)


def _encouraged(dialog: list[Question]) -> int:
    acts = (question.gold.acts for question in dialog if question.gold and question.gold.acts)
    return sum(each.follow_up is FollowUp.YES for each in acts)


def _turn(question: Question) -> tuple[str, str]:
    gold = question.gold
    if gold is None or gold.given is None:
        return question.text, ""
    acts = gold.acts
    said = SAID.get(acts.yes_no, "") if acts and acts.yes_no else ""
    on = AFTER[acts.follow_up] if acts and acts.follow_up else ""
    answer = gold.given.texts[0] if gold.given.texts else "no answer"
    return question.text, f"{on} {said}{answer}".strip()


def _questions(dataset: str, path: Path) -> Iterator[Question]:
    with get_dataset(dataset).open(path) as reader:
        yield from reader.questions()


def _with_evidence(question: Question) -> Rows:
    documents = tuple((f"from {each.title}", _cut(each)) for each in question.documents)
    return (("question", question.text), *documents, ("answer", _answer(question)))


def _gold_links(question: Question) -> int:
    return len((question.gold and question.gold.links) or ())


def _answer(question: Question) -> str:
    return question.gold.answers[0].text if question.gold and question.gold.answers else ""


def _cut(document: Document) -> str:
    text = " ".join(document.text.split())
    return text if len(text) <= LONGEST else f"{text[:LONGEST].rsplit(' ', 1)[0]} …"


Answered = list[tuple[Question, ChoiceResult]]
MANY = 4
OURS = "The shipped model's answers over the demo, whose questions were written for it."


@dataclass(frozen=True, slots=True)
class GapExampleEntry(PaperEntry):
    """Something that the demo's questions show, with the answers of the shipped model."""

    show: Callable[[Answered], Iterable[DescribedPart]] = lambda answered: ()

    @property
    def needs(self) -> list[str]:
        return ["the system gapqa"]

    def make(self, bench: Workbench, paper: PublishedTable) -> Iterator[DescribedPart]:
        for part in self.show(bench.once("the demo, answered by GapQA", _answered)):
            yield replace(part, name=f"{self.name}-{part.name}")


def _answered() -> Answered:
    with get_dataset("openbookqa").open(demo.OPENBOOK) as reader:
        questions = list(reader.questions())
    pipeline = open_gapqa(hidden=core_facts(questions))
    return list(zip(questions, pipeline.ask_many(questions), strict=True))


def filled_gap(answered: Answered) -> Iterator[DescribedPart]:
    """Figure 1: a question, its fact, the gap, and what fills it."""
    question, result = next(each for each in answered if _right(*each) and _filled(each[1]))
    chosen = _chosen(result)
    rows = (
        ("question", f"{question.text} {_choices(question)}"),
        ("core fact", question.fact),
        ("knowledge gap", f"{chosen.span} – ? – {chosen.choice.text}"),
        ("filled gap", _filled(result)),
    )
    yield DescribedPart("example", ScoreTable("A gap", ("what", "in the demo"), rows), note=OURS)


def gaps(answered: Answered) -> Iterator[DescribedPart]:
    """Table 1: key spans and relations; the paper's are those that people annotated."""
    filled = [each for each in answered if _filled(each[1])][:MANY]
    rows = tuple(
        (
            f"{question.text} {result.answer.text if result.answer else ''}",
            question.fact,
            _chosen(result).span,
            result.prediction.gaps[0].relation,
            _filled(result),
        )
        for question, result in filled
    )
    columns = ("question and choice", "fact", "span", "relation", "gap")
    yield DescribedPart("gaps", ScoreTable("Gaps", columns, rows), note=OURS)


def errors(answered: Answered) -> Iterator[DescribedPart]:
    """Table 7: wrong answers, with the key span and the gap that the model saw."""
    wrong = [each for each in answered if not _right(*each)][:MANY]
    rows = tuple(
        (
            f"{question.text} {_choices(question)}",
            question.fact,
            result.answer.text if result.answer else "",
            question.gold.answers[0].label if question.gold else "",
            _chosen(result).span,
            _filled(result) or "open",
        )
        for question, result in wrong
    )
    columns = ("question", "fact", "predicted", "right", "key span", "gap")
    note = f"{OURS} {len(answered) - len(wrong)} of {len(answered)} are right; the paper tells the "
    yield DescribedPart(
        "errors", ScoreTable("Errors", columns, rows), note=f"{note}reason of each in words."
    )


def relations(answered: Answered) -> Iterator[DescribedPart]:
    """Figure 10: how likely each relation is by each line of knowledge."""
    question, result = max(
        (each for each in answered if _right(*each) and _filled(each[1])),
        key=lambda each: len(_chosen(each[1]).lines),
    )
    chosen = _chosen(result)
    lines = chosen.clearest
    rows = (
        ("question", question.text),
        ("fact", question.fact),
        ("key span", chosen.span),
        ("choice", chosen.choice.text),
        ("filled gap", _filled(result)),
        *((f"line {number}", line.text) for number, line in enumerate(lines, 1)),
    )
    values = [[100 * line.relations[number] for line in lines] for number in range(len(DIRECTIONS))]
    chart = HeatMap(
        "How likely each relation is, by each line",
        "line of knowledge, the last is the back-off",
        "relation",
        [str(number) for number in range(1, len(lines) + 1)],
        [direction.name for direction in DIRECTIONS],
        values,
        darkest=100.0,
    )
    table = ScoreTable("What the model saw", ("what", "in the demo"), rows)
    yield DescribedPart("relations", table, chart, note=OURS)


def _chosen(result: ChoiceResult) -> ScoredChoice:
    label = result.answer.label if result.answer else ""
    return next(each for each in result.choices if each.choice.label == label)


def _filled(result: ChoiceResult) -> str:
    return result.prediction.gaps[0].filled if result.prediction.gaps else ""


def _right(question: Question, result: ChoiceResult) -> bool:
    gold = question.gold
    return bool(gold and result.answer and gold.answers[0].label == result.answer.label)


def _choices(question: Question) -> str:
    return " ".join(f"({choice.label}) {choice.text}" for choice in question.choices)
