"""`lacuna predict`, `evaluate`, `score`, `tune` and what belongs to them."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from lacuna.cli.console import counting_bar, notify, report_bad_items
from lacuna.cli.options import (
    DatasetName,
    File,
    HumanFile,
    Json,
    Knowledge,
    OneSystem,
    OptionalFile,
    PredictionsOutput,
    Resume,
    RetrieverName,
    SettingCorpora,
    Systems,
)
from lacuna.cli.options import SettingOption as SettingName
from lacuna.cli.settings import run_settings
from lacuna.errors import ItemError, LacunaError

if TYPE_CHECKING:
    from lacuna.evaluation.answering import UnfinishedWork
    from lacuna.evaluation.assignment import Assignment
    from lacuna.evaluation.experiment import SystemResult
    from lacuna.evaluation.registry import NamedSystem
    from lacuna.evaluation.tune import FittedScorer, FittedTemperature, FittedTuning
    from lacuna.metrics.calibration import Threshold


show_progress = counting_bar
"""One bar for each system."""


def named_systems(names: Sequence[str] | None) -> list[NamedSystem]:
    """The systems of --system, or else the reader that comes along."""
    from lacuna.evaluation.registry import NamedSystem

    return [NamedSystem.parse(name) for name in names or ["reader"]]


def check_answer_files(assignment: Assignment, *outputs: Path | None) -> None:
    """Refuse to write over the questions, or into what the systems read."""
    from lacuna.cli.options import check_outputs
    from lacuna.models.model_folder import is_shipped

    named = (getattr(system, "model", None) for system in assignment.systems)
    models = [model for model in named if model and not is_shipped(model)]
    knowledge = assignment.resources.knowledge
    check_outputs(outputs, reads=[assignment.file, *assignment.corpora, knowledge, *models])


@contextmanager
def keeping(assignment: Assignment, *, resume: bool) -> Iterator[UnfinishedWork]:
    """Keep what is answered until the block has written it; say how to go on if it does not."""
    from lacuna.evaluation.answering import UnfinishedWork

    with UnfinishedWork(assignment, resume=resume) as work:
        if resume:
            notify(f"{work.count:,} answers are there from the run before.", "Going on")
        try:
            yield work
        except BaseException:
            if work.problem is not None:
                notify(f"The answers could not all be kept: {work.problem.strerror}.")
            if work.count:
                again = "Give the same command with --resume to go on."
                notify(f"{work.count:,} answers are kept. {again}", "Stopped")
            raise


def print_notes(assignment: Assignment) -> None:
    """Say which demo is asked where nobody has said what to ask."""
    for note in assignment.notes:
        notify(note)


def exit_if_left_out(bad: Iterable[ItemError]) -> None:
    """Say which broken items of a file were left out; then the exit code is 1."""
    left_out = list(bad)
    if left_out:
        report_bad_items(left_out)
        raise typer.Exit(1)


def predict(
    dataset: DatasetName,
    file: File,
    output: Annotated[
        Path, typer.Option("--out", "-o", metavar="PRED", help="Where to write the predictions.")
    ],
    setting: SettingName = None,
    system: OneSystem = None,
    corpus: SettingCorpora = None,
    retriever: RetrieverName = None,
    knowledge: Knowledge = None,
    confidence: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write {id: confidence from 0 to 1} there."),
    ] = None,
    resume: Resume = False,
) -> None:
    """Answer the questions of a file.

    Lacuna writes the answers in the dataset's official format. It keeps every answer until the file
    is written: after Ctrl-C or a crash, --resume goes on. On a cluster (LACUNA_RAY), a question
    that no worker survives counts as abstained; then the exit code is 1.
    """
    from lacuna.cli.cluster import answering_elsewhere, exit_if_failed
    from lacuna.cli.console import notify
    from lacuna.cli.options import chosen_threads
    from lacuna.datasets.prediction_files import write_confidences
    from lacuna.evaluation.assignment import Assignment
    from lacuna.evaluation.registry import Resources

    (answering,) = named_systems([system] if system else None)
    resources = Resources(corpus or None, knowledge, retriever, chosen_threads())
    skip = run_settings().skip_bad
    assignment = Assignment(dataset, file, setting, [answering], resources, skip_bad=skip)
    check_answer_files(assignment, output, confidence)
    print_notes(assignment)
    label = f"{answering.name}: {file.name}"
    with answering_elsewhere() as elsewhere, keeping(assignment, resume=resume) as work:
        with show_progress(label, assignment.questions.total) as done:
            answers = assignment.answers(
                answering, progress=done, kept=work.of(answering), elsewhere=elsewhere
            )
        predictions = answers.predictions
        assignment.dataset.write_predictions(output, predictions)
        if confidence is not None:
            write_confidences(confidence, predictions)
    notify(f"{len(predictions):,} predictions written to {output}.", "Done")
    exit_if_failed(answers.failed)
    exit_if_left_out(assignment.questions.bad)


def evaluate(
    dataset: DatasetName,
    file: OptionalFile = None,
    setting: SettingName = None,
    system: Systems = None,
    corpus: SettingCorpora = None,
    retriever: RetrieverName = None,
    knowledge: Knowledge = None,
    output: PredictionsOutput = None,
    max_error: Annotated[
        float | None,
        typer.Option(
            min=0.0,
            max=1.0,
            help="Find the lowest confidence from which on the error (one minus the mean score) "
            "is no larger.",
            show_default=False,
        ),
    ] = None,
    human: HumanFile = None,
    resume: Resume = False,
    as_json: Json = False,
) -> None:
    """Answer the questions of a file and score them.

    Scores are those of `lacuna score`. Beside the official numbers stand the breakdowns of the
    dataset's paper, and the risk where only the most confident answers are given. Where the
    questions were asked over a corpus: how often it rightly abstained, and whether the gold links
    were followed. With several systems
    (--system A --system B) their scores stand side by side, and each is tested against the first.
    What is answered is kept until the end: after Ctrl-C or a crash, --resume goes on. With --human,
    what people reach stands beside them. --max-error finds a confidence for `lacuna config set
    min_confidence`; where none keeps the error that low, the exit code is 1.
    """
    from lacuna.cli.cluster import answering_elsewhere, exit_if_failed
    from lacuna.cli.console import notify, print_json, print_tables, say, warn
    from lacuna.cli.options import chosen_threads
    from lacuna.evaluation.assignment import Assignment
    from lacuna.evaluation.experiment import run
    from lacuna.evaluation.registry import Resources
    from lacuna.metrics.comparison import HumanRow

    systems = named_systems(system)
    if output is not None and len(systems) > 1:
        raise LacunaError("--out takes the predictions of one system. Name one --system.")
    resources = Resources(corpus or None, knowledge, retriever, chosen_threads())
    skip = run_settings().skip_bad
    assignment = Assignment(
        dataset, file, setting, systems, resources, skip_bad=skip, needs_gold=True
    )
    check_answer_files(assignment, output)
    people = None if human is None else HumanRow.read(human)
    if people is not None:
        people.check(assignment.dataset.name, assignment.setting.name)
    print_notes(assignment)
    with answering_elsewhere() as elsewhere, keeping(assignment, resume=resume) as work:
        experiment = run(assignment, progress=show_progress, unfinished=work, elsewhere=elsewhere)
        if output is not None:
            assignment.dataset.write_predictions(output, experiment.systems[0].predictions)
    if people is not None:
        experiment = experiment.beside_people(people)
    for warning in experiment.warnings:
        warn(warning)
    for note in experiment.notes:
        notify(note)
    measure = experiment.systems[0].metric.answer_measure
    thresholds = {} if max_error is None else _thresholds(experiment.systems, max_error)
    told = experiment.to_json() if as_json else {}
    if max_error is not None and as_json:
        by_system = {name: one and asdict(one) for name, one in thresholds.items()}
        told["max_error"] = {"error": max_error, "measure": measure, "thresholds": by_system}
    if as_json:
        print_json(told)
    else:
        say(experiment.heading)
        print_tables(experiment.tables())
        if max_error is not None:
            _show_thresholds(thresholds, measure, max_error)
    exit_if_failed({id_: why for each in experiment.systems for id_, why in each.failed.items()})
    exit_if_left_out(experiment.left_out)
    if max_error is not None:
        _exit_without_threshold(thresholds, max_error)


def evaluate_retrieval(
    dataset: DatasetName,
    file: OptionalFile = None,
    corpus: SettingCorpora = None,
    retriever: Annotated[
        list[str] | None,
        typer.Option(
            "--retriever",
            metavar="NAME",
            help="bm25 (the default), hybrid, hotpotqa, or one from another package. Give it "
            "several times to compare: the first is the baseline.",
            show_default=False,
        ),
    ] = None,
    k: Annotated[int, typer.Option("-k", min=1, help="How many passages to search for.")] = 1000,
    as_json: Json = False,
) -> None:
    """Score the search alone.

    It searches a corpus for each question of a file, and scores where the gold documents are found.
    It is a command of its own because no answer is given: `lacuna evaluate` scores what a system
    says, this the search before anything is read, by hits@2, hits@10, MAP, mean rank and nDCG.
    Gold documents are those of HotpotQA's supporting facts, or those that IIRC's gold links lead
    to. paper_map, paper_mean_rank and answer_rank are counted as HotpotQA's tables 5 and 9 are: a
    gold document that was not found comes right after those that were.
    """
    from lacuna import demo
    from lacuna.cli.console import notify, print_json, print_tables
    from lacuna.evaluation.retrieval import evaluate_retrieval as run

    comparison = run(
        retriever or ["bm25"],
        dataset,
        file,
        corpus=corpus or None,
        k=k,
        skip_bad=run_settings().skip_bad,
        progress=show_progress,
    )
    if not corpus:
        notify(demo.ASKS_CORPUS)
    if as_json:
        print_json({"task": dataset, "k": k, **comparison.to_json()})
    else:
        print_tables([comparison.table()])
    exit_if_left_out(comparison.left_out)


def _thresholds(systems: Iterable[SystemResult], max_error: float) -> dict[str, Threshold | None]:
    """Of each system the lowest confidence from which on its error is low enough, if there is."""
    return {
        system.name: system.confidence.curve.threshold(max_error) if system.confidence else None
        for system in systems
    }


def _show_thresholds(found: Mapping[str, Threshold | None], measure: str, max_error: float) -> None:
    from lacuna.cli.console import print_table

    rows = [
        (name, repr(one.confidence), one.answered, 100 * one.coverage, 100 * one.error)
        for name, one in found.items()
        if one is not None
    ]
    columns = ("system", "threshold", "questions answered", "share answered, %", "error, %")
    if rows:
        print_table(f"Error (100 − {measure}) of at most {100 * max_error:g} %", columns, rows)


def _exit_without_threshold(found: Mapping[str, Threshold | None], max_error: float) -> None:
    from lacuna.cli.console import warn

    without = [name for name, one in found.items() if one is None]
    if without:
        warn(
            f"{' and '.join(without)}: no threshold keeps the error at {max_error:g} or below. "
            "Even the most confident answers are wrong more often. Allow a larger --max-error."
        )
        raise typer.Exit(1)


@contextmanager
def _no_looking_for_cycles() -> Iterator[None]:
    """Nothing that is scored is cyclic, and looking for cycles takes a tenth of the time."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


@_no_looking_for_cycles()
def score(
    dataset: DatasetName,
    gold: Annotated[Path, typer.Argument(metavar="GOLD", help="The dataset file with answers.")],
    predictions: Annotated[
        Path, typer.Argument(metavar="PRED", help="Predictions in the official format.")
    ],
    as_json: Json = False,
    per_question: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write each question's scores there, one JSON a line."),
    ] = None,
    na_prob: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="SQuAD 2.0: {id: probability of no answer}."),
    ] = None,
) -> None:
    """Score predictions as the official scorer does.

    The numbers equal the official ones to the last digit.
    Beside the official numbers stand the floor of a system that always abstains, 95% intervals,
    the scores per kind of answer and by the labels of the dataset's paper, how well questions
    without an answer were recognised, and how many predictions were missing.
    """
    from lacuna.cli.console import notify, print_json, print_tables, warn, with_progress
    from lacuna.cli.options import check_outputs
    from lacuna.datasets import get_dataset
    from lacuna.datasets.prediction_files import read_probabilities
    from lacuna.metrics.report import report_tables, score_predictions, write_scores

    # Several threads cost more than they bring on matrices this small.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    source = get_dataset(dataset)
    check_outputs([per_question], reads=[gold, predictions, na_prob])
    options = {}
    if na_prob is not None:
        if "no_answer_probability" not in source.metric_options:
            raise LacunaError(f"--na-prob belongs to SQuAD 2.0, not to {dataset}. Leave it out.")
        options["no_answer_probability"] = read_probabilities(na_prob)
    metric = source.metric(**options)
    predicted = source.read_predictions(predictions)
    judged = partial(
        score_predictions,
        metric,
        predictions=predicted,
        ignore_unknown=run_settings().skip_bad,
        facets=source.breakdowns,
    )
    if quick := source.gold_at_once(gold):
        report = judged(quick)
    else:
        with source.open(gold, gold_only=True) as reader:
            questions = with_progress(
                reader.questions(), reader.source, f"Scoring {predictions.name}"
            )
            report = judged(questions)
    for warning in report.warnings():
        warn(warning)
    for note in report.lacks(source.breakdown_fields):
        notify(note)
    if per_question is not None:
        write_scores(per_question, report)
    if as_json:
        print_json({"task": dataset, **report.as_json()})
    else:
        print_tables(report_tables(metric, report))


def tune(
    dataset: DatasetName,
    model: Annotated[Path, typer.Option(metavar="DIR", help="The model; its config is rewritten.")],
    file: OptionalFile = None,
    setting: SettingName = None,
    corpus: SettingCorpora = None,
    knowledge: Knowledge = None,
) -> None:
    """Fit when a model abstains and how sure it is.

    Lacuna fits both on a file with answers and keeps them in the model's folder, for the answer
    mode of that dataset; those of settings over a corpus are kept apart. On questions over
    collections of documents (the dataset real), it fits what chooses among the answers of several
    passages and says how likely each is right. GapQA never abstains, so only its confidence is
    fitted. The table says what the fit is worth on questions that it was not fitted on.
    """
    from lacuna.cli.console import print_table
    from lacuna.cli.options import chosen_threads
    from lacuna.evaluation.assignment import Assignment
    from lacuna.evaluation.registry import NamedSystem, Resources, SystemKind
    from lacuna.evaluation.tune import tune_gapqa, tune_reader, tune_scorer
    from lacuna.models.model_folder import is_gapqa, is_shipped

    kind = SystemKind.GAPQA if is_gapqa(model) else SystemKind.READER
    tuned = NamedSystem.parse(kind, str(model))
    resources = Resources(corpus or None, knowledge, threads=chosen_threads())
    skip = run_settings().skip_bad
    assignment = Assignment(dataset, file, setting, [tuned], resources, skip_bad=skip)
    if is_shipped(model):
        raise LacunaError(
            f"{model} comes with Lacuna and stays as it is. Copy its folder, which `lacuna info` "
            "names, and give the copy as --model DIR."
        )
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
    from lacuna.evaluation.tune import FittedTemperature

    if isinstance(fitted, FittedTemperature):
        return [("temperature", fitted.temperature)]
    groups = ("texts", "numbers", "yes and no")
    thresholds = zip(groups, fitted.tuning.thresholds, strict=True)
    return [
        *((f"no-answer threshold of {group}, in log-odds", value) for group, value in thresholds),
        (f"{measure} without it, %", 100 * fitted.score_before),
        (f"{measure} with it, cross-fitted, %", 100 * fitted.score_after),
    ]
