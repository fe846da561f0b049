"""``lacuna tune``: fit a model's no-answer thresholds and confidence on held-out questions."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from lacuna.cli.options import (
    DatasetName,
    Knowledge,
    OneSystem,
    OptionalFile,
    SettingCorpora,
    SettingName,
    SkipBad,
    Threads,
)

if TYPE_CHECKING:
    from lacuna.systems.fit import FittedTemperature, FittedTuning
    from lacuna.systems.fit_scorer import FittedScorer


def tune(
    dataset: DatasetName,
    model: Annotated[Path, typer.Option(metavar="DIR", help="The model; its config is rewritten.")],
    file: OptionalFile = None,
    setting: SettingName = None,
    system: OneSystem = None,
    corpus: SettingCorpora = None,
    knowledge: Knowledge = None,
    threads: Threads = None,
    skip_bad: SkipBad = False,
) -> None:
    """Fit when a model should abstain, and how confident it may be.

    Both are fitted on a file with answers and kept in the model's folder, for the answer mode of
    that dataset; those of settings over a corpus are kept apart. On questions over collections of
    documents (the dataset real) it is what chooses among the answers of several passages that is
    fitted, and says how likely each is right. GapQA never abstains, so only its confidence is
    fitted. What the table says of their worth was measured on questions that
    they were not fitted on.
    """
    from lacuna.cli.console import print_table
    from lacuna.cli.evaluation.answering import exit_if_left_out, print_notes, show_progress
    from lacuna.errors import LacunaError
    from lacuna.systems.assignment import Assignment
    from lacuna.systems.registry import NamedSystem, Resources, SystemKind
    from lacuna.systems.tune import tune_gapqa, tune_reader, tune_scorer

    if system not in (None, SystemKind.READER, SystemKind.GAPQA):
        raise LacunaError(f"Only --system reader and gapqa can be tuned, not {system}.")
    tuned = NamedSystem.parse(system or SystemKind.READER, str(model))
    resources = Resources(corpus or None, knowledge, threads=threads)
    assignment = Assignment(dataset, file, setting, [tuned], resources, skip_bad=skip_bad)
    print_notes(assignment)
    label = f"{tuned.name}: {assignment.file.name}"
    if assignment.setting.collection is not None:
        with show_progress(label, assignment.questions.total) as done:
            scorer = tune_scorer(assignment, tuned, progress=done)
        title = f"answer scorer: fitted on {scorer.questions:,} questions"
        print_table(title, ("what", "value"), _scorer_rows(scorer))
        exit_if_left_out(assignment.questions.bad)
        return
    fit = tune_gapqa if tuned.kind is SystemKind.GAPQA else tune_reader
    with show_progress(label, assignment.questions.total) as done:
        fitted = fit(assignment, tuned, progress=done)
    name = "gapqa" if tuned.kind is SystemKind.GAPQA else assignment.setting.mode
    title = f"{name}: fitted on {fitted.questions:,} questions"
    measure = assignment.dataset.metric().answer_measure
    rows = [
        *_rows(fitted, measure),
        ("calibration error without it, %", 100 * fitted.error_before),
        ("calibration error with it, cross-fitted, %", 100 * fitted.error_after),
    ]
    print_table(title, ("what", "value"), rows)
    exit_if_left_out(assignment.questions.bad)


def _scorer_rows(fitted: FittedScorer) -> list[tuple[str, Any]]:
    return [
        ("answerable: a right answer among those read, %", 100 * fitted.best_possible),
        ("answerable: likeliest answer right, cross-fitted, %", 100 * fitted.right),
        ("answerable: right answer given, cross-fitted, %", 100 * fitted.given_right),
        ("answerable: wrong answer given, cross-fitted, %", 100 * fitted.given_wrong),
        ("unanswerable: refused, cross-fitted, %", _percent(fitted.refused)),
        ("right surer than wrong (AUC), cross-fitted, %", _percent(fitted.discrimination)),
        ("calibration error, cross-fitted, %", 100 * fitted.error),
    ]


def _percent(share: float | None) -> float | str:
    return "–" if share is None else 100 * share


def _rows(fitted: FittedTuning | FittedTemperature, measure: str) -> list[tuple[str, Any]]:
    from lacuna.systems.fit import FittedTemperature

    if isinstance(fitted, FittedTemperature):
        return [("temperature", fitted.temperature)]
    groups = ("texts", "numbers", "yes and no")
    thresholds = zip(groups, fitted.tuning.thresholds, strict=True)
    return [
        *((f"no-answer threshold of {group}, in log-odds", value) for group, value in thresholds),
        (f"{measure} without it, %", 100 * fitted.score_before),
        (f"{measure} with it, cross-fitted, %", 100 * fitted.score_after),
    ]
