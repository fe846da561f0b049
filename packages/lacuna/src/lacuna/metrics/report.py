"""Score a whole file: the official numbers, what they do not say, and all of it as tables."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lacuna.errors import LacunaError
from lacuna.files.json import Encoded, Shape, write_items
from lacuna.files.writing import replace_text
from lacuna.metrics.calibration import Abstention
from lacuna.metrics.metric import Floor, Metric, QuestionScore, Row
from lacuna.metrics.statistics import intervals
from lacuna.types import AnswerKind, Prediction, Question

if TYPE_CHECKING:
    from lacuna.metrics.calibration import Confidence


LONGEST_NUMBER = 30
"""Characters of a cell that may be a number with its interval; longer ones are read as text."""
SPECIAL = re.compile(r"[\\`<>\[\]|]")
PLAIN_CODE = re.compile(r"(?<!`)(`[^\\`<>\[\]|]+`)(?!`)")
HUMAN = "human_"
"""Begins the names of what annotators reach, beside what the system does."""


@dataclass(frozen=True, slots=True)
class ScoreTable:
    """A table whose first column is text; numbers are given as they are."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]

    def to_markdown(self) -> str:
        """The table below its title.

        >>> print(ScoreTable("Scores, %", ("system", "f1"), (("reader", 65.96),)).to_markdown())
        **Scores, %**
        <BLANKLINE>
        | system | f1 |
        |---|---:|
        | reader | 66.0 |
        """
        lines = [self.columns, *(tuple(map(cell, row)) for row in self.rows)]
        head, *body = (f"| {' | '.join(_escaped(text) for text in line)} |" for line in lines)
        longest = [max(map(len, column)) for column in zip(*lines[1:], strict=True)]
        texts = [size > LONGEST_NUMBER for size in longest] or [False] * len(self.columns)
        rule = "|---|" + "".join("---|" if text else "---:|" for text in texts[1:])
        return "\n".join((f"**{_escaped(self.title)}**", "", head, rule, *body))


def cell(value: Any) -> str:
    """A value as a table shows it."""
    if value is None:
        return "–"
    if isinstance(value, float):
        return f"{value:.1f}"
    return f"{value:,}" if isinstance(value, int) else str(value)


def between(bounds: Sequence[float] | None, times: float = 1.0) -> str | None:
    """An interval as a table shows it; its ends are multiplied first."""
    return None if bounds is None else " – ".join(f"{times * bound:.1f}" for bound in bounds)


def scaled(value: float | None, times: float) -> float | None:
    """A score, multiplied; None stays None."""
    return None if value is None else times * value


def report_tables(metric: Metric, report: Report) -> Iterable[ScoreTable]:
    """The official scores of one system, and those per kind of answer and per label."""
    percent = 100 / metric.scale
    rows: list[tuple[Any, ...]] = []
    for name, value in report.official.items():
        if name in report.interval:
            bounds, floor = report.interval[name], report.floor.get(name)
            line = (scaled(value, percent), between(bounds, percent), scaled(floor, percent))
            human = (scaled(report.human.get(name), percent),) if report.human else ()
            rows.append((name, *line, *human))
        elif isinstance(value, int | float):  # totals and thresholds are no percentages
            plain = name.endswith(("total", "thresh"))
            empty = ("", "", "") if report.human else ("", "")
            rows.append((name, value if plain else percent * value, *empty))
    title = f"{report.questions:,} questions, official scores in %"
    columns = ("measure", "score", "95% interval", "always abstain")
    yield ScoreTable(title, (*columns, *(("human",) if report.human else ())), tuple(rows))
    if report.abstention.unanswerable:
        yield abstention_table(("score",), (report.abstention,))
    whole = metric.of_groups
    main = [name for name in metric.main if name in report.official and name not in whole]
    if tells_human(report, metric.answer_measure):
        main.append(HUMAN + metric.answer_measure)
    for title, label, parts in breakdowns(report):
        cells = (
            (name, part["questions"], *(scaled(part.get(measure), percent) for measure in main))
            for name, part in parts.items()
        )
        yield ScoreTable(title, (label, "questions", *main), tuple(cells))


def abstention_table(names: Sequence[str], counts: Sequence[Abstention]) -> ScoreTable:
    """A table of how well questions without an answer were recognised; a column for each system."""
    every = [*counts, counts[0].always]
    rows = [
        ("precision", *(scaled(each.precision, 100) for each in every)),
        ("recall", *(scaled(each.recall, 100) for each in every)),
        ("f1", *(scaled(each.f1, 100) for each in every)),
    ]
    title = f"Recognising questions without an answer ({counts[0].unanswerable:,}), %"
    return ScoreTable(title, ("measure", *names, "always abstain"), tuple(rows))


def breakdowns(report: Report) -> Iterable[tuple[str, str, Mapping[str, Mapping[str, Any]]]]:
    """The title, the label and the parts of each way in which a report breaks its scores down."""
    yield "By kind of answer", "kind", {str(kind): part for kind, part in report.parts.items()}
    for name, values in report.facets.items():
        yield f"By {name}", name, values


def tells_human(report: Report, measure: str) -> bool:
    """Tell if it is known what people reach in each part, and not just in all."""
    return any(HUMAN + measure in part for part in report.parts.values())


def risk_table(names: Sequence[str], confidences: Sequence[Confidence]) -> ScoreTable:
    """A table of the risk where only the most confident answers are given; a column for each
    system."""
    numbers = [confidence.as_json() for confidence in confidences]
    rows = [
        (f"{share} %", *(100 * each["risk_at_coverage"][share] for each in numbers))
        for share in numbers[0]["risk_at_coverage"]
    ]
    rows.append(("area under the curve (AURC)", *(100 * each["aurc"] for each in numbers)))
    errors = (100 * each["expected_calibration_error"] for each in numbers)
    rows.append(("expected calibration error", *errors))
    if any(each["auc"] is not None for each in numbers):
        rows.append(
            ("AUC, right against wrong answers", *(scaled(each["auc"], 100) for each in numbers))
        )
    title = f"Risk (100 − {confidences[0].measure}) of the most confident answers"
    columns = ("risk, %",) if len(names) == 1 else tuple(f"{name}, %" for name in names)
    return ScoreTable(title, ("share that is answered", *columns), tuple(rows))


def _escaped(text: str) -> str:
    """One line that is no HTML, no link and no border: names may come from anybody.

    >>> _escaped("`lacuna train` <b>")
    '`lacuna train` \\\\<b\\\\>'
    """
    line = text.replace("\n", " ")
    parts = PLAIN_CODE.split(line)  # every second one is code, and has nothing to escape
    return "".join(
        part if number % 2 else SPECIAL.sub(r"\\\g<0>", part) for number, part in enumerate(parts)
    )


Numbers = Mapping[str, Any]
NUMBER = re.compile(r"\d+")


@dataclass(slots=True)
class Report:
    """The scores of one prediction file.

    ``floor`` is what a system gets that always abstains. ``parts`` holds the means per kind of
    answer, and of the answerable and the unanswerable questions apart; ``facets`` the means per
    value of each of the dataset's own labels, where they were asked for. ``human`` is what
    annotators reach against each other, where a file tells; ``abstention`` how well questions
    without an answer were recognised.
    """

    measures: tuple[str, ...]
    official: Numbers
    floor: Numbers
    parts: dict[str, Numbers]
    interval: Mapping[str, tuple[float, float] | None]
    questions: int
    missing: list[str]
    lacking: Mapping[str, int]
    without_gold: int
    unknown: list[str] = field(default_factory=list)
    scores: list[QuestionScore] = field(default_factory=list)
    facets: dict[str, dict[str, Numbers]] = field(default_factory=dict)
    human: Numbers = field(default_factory=dict)
    abstention: Abstention = field(default_factory=Abstention)

    def lacks(self, fields: Mapping[str, str]) -> list[str]:
        """The breakdowns that could not be made; ``fields`` has what each of them is read from."""
        return [
            f"There is no breakdown by {name}: no question of the file has {needed}."
            for name, needed in fields.items()
            if name not in self.facets
        ]

    def warnings(self) -> list[str]:
        """Warnings that a reader of the scores must know."""
        warnings = []
        if self.missing:
            few = ", ".join(self.missing[:3]) + (" …" if len(self.missing) > 3 else "")
            warnings.append(
                f"{len(self.missing):,} of {self.questions:,} questions HAVE NO PREDICTION and "
                f"count as wrong ({few})."
            )
        for part, count in self.lacking.items():
            warnings.append(
                f"{count:,} of {self.questions:,} predictions HAVE NO {part.upper()}, which counts "
                "as wrong."
            )
        if self.without_gold:
            warnings.append(
                f"{self.without_gold:,} questions have no gold answer and are left out."
            )
        if self.unknown:
            warnings.append(
                f"{len(self.unknown):,} predictions for unknown questions are left out."
            )
        return warnings

    def as_json(self) -> dict[str, Any]:
        """One object whose first keys are the official scorer's."""
        return {
            **self.official,
            "questions": self.questions,
            "missing_predictions": len(self.missing),
            "incomplete_predictions": dict(self.lacking),
            "without_gold": self.without_gold,
            "unknown_predictions": len(self.unknown),
            "always_abstain_floor": self.floor,
            **({"human": self.human} if self.human else {}),
            "interval_95": self.interval,
            "by_kind": {str(kind): self.parts[kind] for kind in AnswerKind if kind in self.parts},
            "answerable": self.parts.get("answerable"),
            "unanswerable": self.parts.get("unanswerable"),
            "abstention": self.abstention.as_json() if self.abstention.unanswerable else None,
            **{f"by_{name}": values for name, values in self.facets.items()},
        }


def score_predictions(
    metric: Metric,
    questions: Iterable[Question],
    predictions: Mapping[str, Prediction],
    *,
    ignore_unknown: bool = False,
    facets: Callable[[Question], Mapping[str, str]] = lambda question: {},
) -> Report:
    """Score predictions against the gold of the questions.

    ``facets`` gives the labels of a question by which to break the scores down.

    Questions without gold are counted and left out. Predictions for unknown questions are an
    error, since they mostly mean that the two files do not belong together.
    """
    scores: list[QuestionScore] = []
    floor = Floor(metric)
    unused = set(predictions)
    group, context, without_gold = 0, None, 0
    lacking: Counter[str] = Counter()
    labelled: dict[str, dict[str, list[int]]] = {}
    human: list[Row] = []
    references = 0
    abstention = Abstention()
    for question in questions:
        ids = [id_ for id_ in metric.prediction_ids(question) if id_ in predictions]
        unused.difference_update(ids)
        if question.gold is None or not question.gold.answers:
            without_gold += 1
            continue
        if question.context is None or question.context is not context:
            group, context = group + 1, question.context
        prediction = predictions[ids[0]] if ids else None
        kind, row = metric.kind(question), metric.judge(question, prediction)
        if prediction and (part := metric.lacking(question, prediction)):
            lacking[part] += 1
        for name, value in facets(question).items():
            labelled.setdefault(name, {}).setdefault(value, []).append(len(scores))
        scores.append(QuestionScore(question.id, group, kind, prediction is not None, row))
        floor.add(question, group)
        references = max(references, len(question.gold.answers))
        if (reached := metric.human(question)) is not None:
            human.append(reached)
        answer = prediction and prediction.answer
        abstention.add(kind is AnswerKind.NONE, bool(answer and answer.kind is AnswerKind.NONE))
    unknown = sorted(unused)
    if unknown and not ignore_unknown:
        raise LacunaError(_unknown_message(unknown, len(scores)))
    if not scores:
        raise LacunaError(
            f"The gold file has no question with an answer ({without_gold} without), so there is "
            "nothing to score. Give a file that holds the answers."
        )
    groups = [score.group for score in scores]
    rows = metric.finish(groups, [score.row for score in scores])
    for score, row in zip(scores, rows, strict=True):
        score.row = row
    # Against no other reference, an annotator would be perfect.
    known = references > 1 and len(human) == len(scores)
    table = _Table(metric, rows, metric.finish(groups, human) if known else None)
    return Report(
        measures=metric.measures,
        official=metric.official(scores),
        floor=floor.means(),
        parts=_parts(table, scores),
        interval=intervals(groups, rows, metric.measures, metric.scale),
        questions=len(scores),
        missing=[score.id for score in scores if not score.predicted],
        lacking=dict(lacking),
        without_gold=without_gold,
        unknown=unknown,
        scores=scores,
        facets={name: table.means(_ordered(values)) for name, values in labelled.items()},
        human={} if table.human is None else metric.means(table.human),
        abstention=abstention,
    )


def write_scores(path: Path, report: Report) -> None:
    """Write the scores of each question, one JSON object a line."""
    lines: Iterable[Encoded] = (
        (
            None,
            {
                "id": score.id,
                "kind": str(score.kind),
                "predicted": score.predicted,
                **dict(zip(report.measures, score.row, strict=True)),
            },
        )
        for score in report.scores
    )
    with replace_text(path) as out:
        write_items(out, lines, Shape.LINES, {})


@dataclass(frozen=True, slots=True)
class _Table:
    """The rows of all questions, and those of annotators where a file has them."""

    metric: Metric
    rows: Sequence[Row]
    human: list[Row] | None

    def means(self, parts: Mapping[str, Sequence[int]]) -> dict[str, Numbers]:
        """The means of each part that has a question; a part is the numbers of its questions."""
        return {name: self._means(places) for name, places in parts.items() if places}

    def _means(self, places: Sequence[int]) -> Numbers:
        means = self.metric.means([self.rows[at] for at in places])
        shown = {name: means[name] for name in means if name not in self.metric.of_groups}
        numbers: dict[str, Any] = {"questions": len(places), **shown}
        if self.human is not None:
            reached = self.metric.means([self.human[at] for at in places])
            measure = self.metric.answer_measure
            numbers[HUMAN + measure] = reached[measure]
        return numbers


def _parts(table: _Table, scores: Sequence[QuestionScore]) -> dict[str, Numbers]:
    groups: dict[str, list[int]] = {}
    for at, score in enumerate(scores):
        groups.setdefault(score.kind, []).append(at)
    answerable = [at for kind in groups if kind != AnswerKind.NONE for at in groups[kind]]
    apart = {"answerable": answerable, "unanswerable": groups.get(AnswerKind.NONE, [])}
    kinds: dict[str, list[int]] = {kind: groups[kind] for kind in AnswerKind if kind in groups}
    return table.means(kinds | apart)


def _ordered(values: Mapping[str, list[int]]) -> dict[str, list[int]]:
    """The questions of each value: numbers in their order, else the most frequent value first."""
    numbers = {value: int(number[0]) for value in values if (number := NUMBER.match(value))}
    if len(numbers) == len(values):
        return {value: values[value] for value in sorted(values, key=numbers.__getitem__)}
    return dict(sorted(values.items(), key=lambda entry: -len(entry[1])))


def _unknown_message(unknown: Sequence[str], questions: int) -> str:
    few = ", ".join(repr(id_) for id_ in unknown[:3])
    more = f" and {len(unknown) - 3} more" if len(unknown) > 3 else ""
    return (
        f"{len(unknown)} predictions are for questions that the gold file's {questions} do not "
        f"include: {few}{more}. Give the gold file that they were made for, or set "
        "LACUNA_SKIP_BAD=1 to leave them out."
    )
