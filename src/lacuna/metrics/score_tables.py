"""Scores as plain tables: the command line prints them, Python users get them as Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lacuna.metrics.abstention import Abstention
    from lacuna.metrics.calibration import Confidence
    from lacuna.metrics.metric import Metric
    from lacuna.metrics.report import Report


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
    """How well questions without an answer were recognised; a column for each system."""
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
    """Whether it is known what people reach in each part, and not just in all."""
    return any(HUMAN + measure in part for part in report.parts.values())


def risk_table(names: Sequence[str], confidences: Sequence[Confidence]) -> ScoreTable:
    """What is risked where only the most confident answers are given; a column for each system."""
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
