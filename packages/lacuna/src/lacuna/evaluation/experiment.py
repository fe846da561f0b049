"""Experiments in one call: systems on a dataset, side by side, with intervals and a paired test."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lacuna.errors import ItemError
from lacuna.evaluation.answering import AnswersElsewhere
from lacuna.evaluation.asking import SearchScores, judge_search
from lacuna.evaluation.assignment import Assignment
from lacuna.evaluation.baselines import ErrorCounts, count_errors
from lacuna.evaluation.kept_answers import KeepsAnswers
from lacuna.evaluation.registry import NamedSystem, Resources, SystemKind
from lacuna.evaluation.system import ShowProgress, System, as_list, silent
from lacuna.metrics.calibration import Confidence, judge_confidence
from lacuna.metrics.comparison import ComparedSystem, ComparisonTable, HumanRow, check_baseline
from lacuna.metrics.metric import Metric
from lacuna.metrics.report import (
    HUMAN,
    Report,
    ScoreTable,
    abstention_table,
    breakdowns,
    report_tables,
    risk_table,
    scaled,
    score_predictions,
    tells_human,
)
from lacuna.types import Prediction

if TYPE_CHECKING:
    from lacuna.corpus.open import Corpora


@dataclass(frozen=True, slots=True)
class SystemResult:
    """The answers of one system, and their scores.

    ``search`` is there where the questions were asked over a corpus, ``errors`` where the dataset's
    paper tells errors apart.
    """

    name: str
    model: str | None
    predictions: Mapping[str, Prediction] = field(repr=False)
    metric: Metric = field(repr=False)
    report: Report = field(repr=False)
    confidence: Confidence | None = field(repr=False)
    search: SearchScores | None
    errors: ErrorCounts | None = None
    failed: Mapping[str, str] = field(default_factory=dict, repr=False)
    """The questions that could not be answered, and why; they count as abstained."""

    def to_json(self) -> dict[str, Any]:
        """Its scores, the official scorer's first."""
        return {
            "system": self.name,
            "model": self.model,
            **self.report.as_json(),
            "confidence": self.confidence and self.confidence.as_json(),
            "search": self.search and self.search.as_json(),
            **({"errors": self.errors.as_json()} if self.errors else {}),
            **({"failed": dict(self.failed)} if self.failed else {}),
        }


@dataclass(frozen=True, slots=True)
class Experiment:
    """Systems on the questions of one file; ``left_out`` are its broken items.

    ``comparison`` has the scores, their intervals, and the paired tests against the baseline.
    """

    dataset: str
    setting: str
    systems: tuple[SystemResult, ...]
    comparison: ComparisonTable = field(repr=False)
    left_out: tuple[ItemError, ...] = ()
    notes: tuple[str, ...] = ()
    """The breakdowns that could not be made, and why."""
    human: HumanRow | None = None
    """The scores of people, if they were measured elsewhere."""

    def beside_people(self, row: HumanRow) -> Experiment:
        """The same with a human row beside the systems."""
        row.check(self.dataset, self.setting)
        measures = dict(row.measures)
        return replace(
            self,
            systems=tuple(
                replace(system, report=replace(system.report, human=measures))
                for system in self.systems
            ),
            comparison=replace(self.comparison, human=measures),
            human=row,
        )

    @property
    def warnings(self) -> list[str]:
        """Warnings that a reader of the scores must know."""
        if len(self.systems) == 1:
            return self.systems[0].report.warnings()
        return [
            f"{system.name}: {warning}"
            for system in self.systems
            for warning in system.report.warnings()
        ]

    @property
    def heading(self) -> str:
        """Dataset and setting, and the systems unless it is the reader alone."""
        names = [system.name for system in self.systems]
        return ", ".join((self.dataset, self.setting, *(() if names == ["reader"] else names)))

    def tables(self) -> Iterator[ScoreTable]:
        """The official scores, the breakdowns of the dataset's paper, and risk against coverage."""
        if len(self.systems) == 1:
            yield from report_tables(self.systems[0].metric, self.systems[0].report)
        else:
            yield self.comparison.table()
            if self.systems[0].report.abstention.unanswerable:
                yield abstention_table(
                    [system.name for system in self.systems],
                    [system.report.abstention for system in self.systems],
                )
            yield from self._side_by_side()
        if self.human is not None:
            metric = self.systems[0].metric
            yield self.human.table(metric.main, metric.scale)
        judged = [(system.name, system.confidence) for system in self.systems if system.confidence]
        if judged:
            names, confidences = zip(*judged, strict=True)
            yield risk_table(names, confidences)
        for system in self.systems:
            if system.errors is not None:
                tables = system.errors.score_tables()
                yield from tables if len(self.systems) == 1 else _named(system.name, tables)
        if searched := [system for system in self.systems if system.search]:
            yield _search_table(searched)

    def to_markdown(self) -> str:
        """All tables as Markdown."""
        return "\n\n".join((self.heading, *(table.to_markdown() for table in self.tables()))) + "\n"

    def to_json(self) -> dict[str, Any]:
        """Plain values, for ``json.dumps``: one object for one system, else a list of systems."""
        about: dict[str, Any] = {"task": self.dataset, "setting": self.setting}
        if self.human is not None:
            about["human_row"] = asdict(self.human)
        if len(self.systems) == 1:
            return {**about, **self.systems[0].to_json()}
        baseline = self.comparison.baseline
        systems = [
            {**system.to_json(), "against_baseline": self.comparison.test_json(number)}
            for number, system in enumerate(self.systems)
        ]
        name = None if baseline is None else self.systems[baseline].name
        return {**about, "baseline": name, "systems": systems}

    def _side_by_side(self) -> Iterator[ScoreTable]:
        """The breakdowns by the measure that says how good one answer is."""
        metric = self.systems[0].metric
        measure = metric.answer_measure
        names = tuple(system.name for system in self.systems)
        every = [list(breakdowns(system.report)) for system in self.systems]
        beside = ("human",) if tells_human(self.systems[0].report, measure) else ()
        times = 100 / metric.scale
        for number, (title, label, parts) in enumerate(every[0]):
            rows = tuple(
                (
                    name,
                    part["questions"],
                    *(scaled(each[number][2][name].get(measure), times) for each in every),
                    *(scaled(part.get(HUMAN + measure), times) for _ in beside),
                )
                for name, part in parts.items()
            )
            yield ScoreTable(f"{title}: {measure}", (label, "questions", *names, *beside), rows)


def _untold(errors: Sequence[ErrorCounts]) -> list[str]:
    """The reason why errors could not be told apart, if no system could."""
    first = errors[0].missing if errors else ()
    return [why for why in first if all(why in each.missing for each in errors)]


def _named(name: str, tables: Iterable[ScoreTable]) -> Iterator[ScoreTable]:
    """Tables that say whose they are."""
    return (replace(table, title=f"{name}. {table.title}") for table in tables)


def _search_table(systems: Sequence[SystemResult]) -> ScoreTable:
    scores = [system.search for system in systems if system.search]
    rows = [
        ("abstention precision, %", *(scaled(s.abstention_precision, 100) for s in scores)),
        ("abstention recall, %", *(scaled(s.abstention_recall, 100) for s in scores)),
        ("links precision, %", *(scaled(s.links_precision, 100) for s in scores)),
        ("links recall, %", *(scaled(s.links_recall, 100) for s in scores)),
        ("links F1, %", *(scaled(s.links_f1, 100) for s in scores)),
        ("documents followed to, per question", *(s.links_followed for s in scores)),
    ]
    names = ("value",) if len(systems) == 1 else tuple(system.name for system in systems)
    return ScoreTable("The search", ("what", *names), tuple(rows))


def evaluate(
    systems: System | str | Sequence[System | str],
    dataset: str,
    file: str | Path | None = None,
    *,
    setting: str | None = None,
    baseline: int | None = 0,
    corpus: Corpora = None,
    knowledge: str | Path | None = None,
    retriever: str | None = None,
    threads: int | None = None,
    skip_bad: bool = False,
    progress: ShowProgress = silent,
) -> Experiment:
    """Let systems answer the questions of a file, and score them as the official scorer does.

    A system is a name (``reader``, ``reader:FOLDER``, ``gapqa``, ``abstain``, or a reader of
    another package such as ``llm:NAME``), or an object with a ``name`` and a method ``predict`` as
    ``lacuna.evaluation.system.System`` has it. Each is tested against the ``baseline``, by its
    number in the list. Without a file, the demo's questions are asked. Settings over a corpus
    search ``corpus`` with ``retriever``; GapQA looks into ``knowledge``.

    >>> import lacuna
    >>> table = lacuna.evaluate(["abstain", "reader"], "openbookqa")
    >>> abstain, reader = table.systems
    >>> abstain.report.official["accuracy"], reader.report.official["accuracy"]
    (0.25, 0.65)
    >>> print(table.comparison.to_markdown())  # doctest: +ELLIPSIS
    **20 questions, official scores in %**
    <BLANKLINE>
    | measure | system | score | 95% interval | difference from abstain | p-value |
    |---|---:|---:|---:|---:|---:|
    | accuracy | abstain | 25.0 | 25.0 – 25.0 |  |  |
    | accuracy | reader | 65.0 | 45.0 – 85.0 | +40.0 | 0.0... |
    """
    parsed = [
        NamedSystem.parse(system) if isinstance(system, str) else system
        for system in as_list(systems)
    ]
    resources = Resources(corpus, knowledge, retriever, threads)
    assignment = Assignment(
        dataset, file, setting, parsed, resources, skip_bad=skip_bad, needs_gold=True
    )
    return run(assignment, baseline=baseline, progress=progress)


def run(
    assignment: Assignment,
    *,
    baseline: int | None = 0,
    progress: ShowProgress = silent,
    unfinished: KeepsAnswers | None = None,
    elsewhere: AnswersElsewhere | None = None,
) -> Experiment:
    """Answer and score everything that an assignment names, one system after the other.

    What ``unfinished`` holds already is not asked again, and what is answered goes into it. With
    ``elsewhere``, systems that are given by name answer there.
    """
    check_baseline(baseline, len(assignment.systems))
    results = tuple(
        _result(assignment, system, progress, unfinished, elsewhere)
        for system in assignment.systems
    )
    return Experiment(
        assignment.dataset.name,
        assignment.setting.name,
        results,
        _comparison(results, baseline),
        tuple(assignment.questions.bad),
        (
            *results[0].report.lacks(assignment.dataset.breakdown_fields),
            *_untold([each.errors for each in results if each.errors]),
        ),
    )


def _result(
    assignment: Assignment,
    system: System | NamedSystem,
    progress: ShowProgress,
    unfinished: KeepsAnswers | None,
    elsewhere: AnswersElsewhere | None,
) -> SystemResult:
    questions = assignment.questions
    label = f"{system.name}: {assignment.file.name}"
    with progress(label, questions.total) as done:
        kept = None if unfinished is None else unfinished.of(system)
        answers = assignment.answers(system, progress=done, kept=kept, elsewhere=elsewhere)
    metric = assignment.dataset.metric()
    report = score_predictions(
        metric, questions, answers.predictions, facets=assignment.dataset.breakdowns
    )
    return SystemResult(
        system.name,
        getattr(system, "model", None),
        answers.predictions,
        metric,
        report,
        judge_confidence(metric, report, answers.predictions),
        None
        if answers.followed is None
        else judge_search(questions, answers.predictions, answers.followed),
        count_errors(
            assignment.dataset,
            questions,
            assignment.arranged,
            answers.predictions,
            answers.traces,
            report,
            metric,
        ),
        answers.failed,
    )


def _comparison(results: Sequence[SystemResult], baseline: int | None) -> ComparisonTable:
    first, metric = results[0].report, results[0].metric
    return ComparisonTable(
        f"{first.questions:,} questions, official scores in %",
        first.measures,
        tuple(name for name in metric.main if name in first.official),
        [each.group for each in first.scores],
        tuple(
            ComparedSystem(
                result.name,
                {name: result.report.official.get(name) for name in first.measures},
                result.report.interval,
                [each.row for each in result.report.scores],
            )
            for result in results
        ),
        baseline,
        metric.scale,
        floor={} if any(result.name == SystemKind.ABSTAIN for result in results) else first.floor,
        human=first.human,
    )
