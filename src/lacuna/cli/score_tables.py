"""A report of scores as tables, for every verb that scores."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from lacuna.cli.console import complain, print_table

if TYPE_CHECKING:
    from lacuna.metrics.metric import Metric
    from lacuna.metrics.report import Report


def warn(report: Report) -> None:
    """Say aloud what a reader of the scores must know."""
    for warning in report.warnings():
        complain(warning, "Warning")


def show(metric: Metric, report: Report) -> None:
    """The official scores, and those per kind of answer and per label."""
    percent = 100 / metric.scale
    official, floor = report.official, report.floor

    def scaled(value: Any) -> Any:
        return None if value is None else percent * value

    rows: list[tuple[Any, ...]] = []
    for name, value in official.items():
        if name not in report.interval:
            if isinstance(value, int | float):  # totals and thresholds are no percentages
                rows.append((name, value if name.endswith(("total", "thresh")) else scaled(value)))
            continue
        bounds = report.interval[name]
        between = f"{scaled(bounds[0]):.1f} – {scaled(bounds[1]):.1f}" if bounds else None
        rows.append((name, scaled(value), between, scaled(floor.get(name))))
    columns = ("measure", "score", "95% interval", "always abstain")
    title = f"{report.questions:,} questions, official scores in %"
    print_table(title, columns, [(*row, *("",) * (4 - len(row))) for row in rows])
    main = [name for name in metric.main if name in official]

    def show_parts(title: str, label: str, parts: Mapping[str, Mapping[str, Any]]) -> None:
        cells = [
            (str(name), numbers["questions"], *(scaled(numbers.get(measure)) for measure in main))
            for name, numbers in parts.items()
        ]
        print_table(title, (label, "questions", *main), cells)

    show_parts("By kind of answer", "kind", report.parts)
    for name, values in report.facets.items():
        show_parts(f"By {name}", name, values)
