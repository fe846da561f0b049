"""What the verbs that read with a model share: their options, and the reading itself."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lacuna.cli.systems import System

if TYPE_CHECKING:
    from lacuna.datasets.base import Dataset
    from lacuna.datasets.question_file import QuestionFile
    from lacuna.datasets.setting import Setting as DatasetSetting
    from lacuna.metrics.metric import Metric
    from lacuna.metrics.report import Report
    from lacuna.pipeline.result import Result
    from lacuna.types import Prediction

Setting = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="What the model gets to read: iirc oracle-context, retrieved-context, or over a "
        "corpus full or oracle-links; hotpotqa distractor, gold-only, supporting-facts-only, or "
        "over a corpus fullwiki; quac gold-history or predicted-history; openbookqa core-fact or "
        "no-fact; squad may-abstain or always-answer. The first is the default.",
        show_default=False,
    ),
]
Model = Annotated[
    str, typer.Option(metavar="NAME|DIR", help="The model that comes along, or a folder with one.")
]
Threads = Annotated[
    int | None, typer.Option(min=1, help="How many processor cores to use.", show_default=False)
]
OptionalFile = Annotated[
    Path | None,
    typer.Argument(
        metavar="[FILE]",
        help="A file, plain or gzipped. Without one, the demo's questions (iirc, openbookqa) or "
        "dialogs (quac).",
        show_default=False,
    ),
]
Output = Annotated[
    Path | None,
    typer.Option("--output", "-o", metavar="PRED", help="Write the predictions there as well."),
]


@dataclass(frozen=True, slots=True)
class Job:
    """One file to be read by one model."""

    task: str
    file: Path
    setting: str | None
    model: str
    threads: int | None
    skip_bad: bool
    corpus: Path | None = None
    system: System = System.READER
    knowledge: Path | None = None


@dataclass(frozen=True, slots=True)
class Answered:
    """A file and the model's predictions for it; ``results`` where it was asked over a corpus."""

    setting: str
    questions: QuestionFile
    predictions: dict[str, Prediction]
    results: dict[str, Result] | None = None


def tell_left_out(questions: QuestionFile) -> None:
    """Say which broken items of a file were left out; then the exit code is 1."""
    from lacuna.cli.console import report_bad_items

    if questions.bad:
        report_bad_items(questions.bad)
        raise typer.Exit(1)


def answer_all(job: Job, *outputs: Path | None, needs_gold: bool = False) -> Answered:
    """Check everything that can be wrong first, then load the model and read."""
    from lacuna.cli.console import counting_bar
    from lacuna.datasets import get_dataset
    from lacuna.datasets.question_file import QuestionFile
    from lacuna.errors import LacunaError
    from lacuna.files.writing import check_writable
    from lacuna.systems.reading import predict

    dataset = get_dataset(job.task)
    check_system(job)
    setting = dataset.setting(job.setting)
    check_corpus(job.corpus, dataset, setting)
    questions = QuestionFile(dataset, job.file, setting, skip_bad=job.skip_bad)
    if needs_gold and not questions.with_gold:
        raise LacunaError(
            f"{job.file} has no question with an answer, so there is nothing to judge by. Give a "
            "file that holds the answers; `lacuna predict` works without them."
        )
    taken = {job.file.resolve()}
    for output in filter(None, outputs):
        if output.resolve() in taken:
            raise LacunaError(f"{output} is named twice. Give each file that is written its own.")
        taken.add(output.resolve())
        check_writable(output)
    if setting.over_corpus:
        return _asked(job, setting, questions)
    if job.system is System.GAPQA:
        return _filled(job, setting, questions)

    from lacuna.models.reader.reader import ModelReader

    reader = ModelReader.load(job.model, threads=job.threads)
    with counting_bar(f"Reading {job.file.name}", questions.total) as seen:
        predictions = predict(reader, job.task, setting.name, questions, progress=seen)
    return Answered(setting.name, questions, predictions)


def _asked(job: Job, setting: DatasetSetting, questions: QuestionFile) -> Answered:
    from lacuna.cli.console import counting_bar
    from lacuna.models.reader.reader import ModelReader
    from lacuna.pipeline.open_corpus import open_store
    from lacuna.pipeline.pipeline import Pipeline
    from lacuna.systems.asking import ask_all

    with open_store(job.corpus) as store:
        reader = ModelReader.load(job.model, threads=job.threads)
        pipeline = Pipeline(store, reader, mode=setting.mode)
        with counting_bar(f"Asking {job.file.name}", questions.total) as seen:
            results = ask_all(pipeline, setting, questions, progress=seen)
    predictions = {id_: result.prediction for id_, result in results.items()}
    return Answered(setting.name, questions, predictions, results)


def _filled(job: Job, setting: DatasetSetting, questions: QuestionFile) -> Answered:
    from lacuna.cli.console import counting_bar
    from lacuna.cli.systems import opened_gapqa
    from lacuna.systems.gapqa import core_facts, predict_all

    # All facts of the file are kept out: that of one question may answer another.
    hidden = core_facts(questions)
    pipeline = opened_gapqa(job.knowledge, model=job.model, threads=job.threads, hidden=hidden)
    with counting_bar(f"Asking {job.file.name}", questions.total) as seen:
        predictions = predict_all(pipeline, questions, progress=seen)
    return Answered(setting.name, questions, predictions)


def check_system(job: Job) -> None:
    """Refuse what a system has no use for."""
    from lacuna.errors import LacunaError

    if job.system is System.READER:
        if job.knowledge is not None:
            raise LacunaError(
                "The reader looks into no knowledge base, so --knowledge has no use. Add --system "
                "gapqa, or leave it out."
            )
        return
    from lacuna.systems.gapqa import SETTING, TASK

    if job.task != TASK:
        raise LacunaError(
            f"GapQA answers questions with choices and a core fact, and those of {job.task} have "
            f"none. Give {TASK} as the task, or leave out --system gapqa."
        )
    if job.setting not in (None, SETTING):
        raise LacunaError(
            f"GapQA begins at the core fact, so its only setting is {SETTING}. Leave out --setting "
            f"{job.setting}, or --system gapqa."
        )


def check_corpus(corpus: Path | None, dataset: Dataset, setting: DatasetSetting) -> None:
    """Refuse a corpus that a setting would not look into."""
    from lacuna.errors import LacunaError

    if corpus is not None and not setting.over_corpus:
        over_corpus = [name for name, each in dataset.settings.items() if each.over_corpus]
        raise LacunaError(
            f"The setting {setting.name} reads what the file holds, so --corpus has no use. "
            + (f"Over a corpus: --setting {' or '.join(over_corpus)}." if over_corpus else "")
        )


def demo_file(task: str) -> Path:
    """The questions of that dataset's kind that come along."""
    from lacuna.datasets import every_dataset, get_dataset
    from lacuna.errors import LacunaError

    file = get_dataset(task).demo_questions
    if file is None:
        others = ", ".join(dataset.name for dataset in every_dataset() if dataset.demo_questions)
        raise LacunaError(f"Give a file of {task}; only {others} have questions that come along.")
    return file


def judge(task: str, answered: Answered) -> tuple[Metric, Report]:
    """The official scores of what was answered, per label of the dataset too."""
    from lacuna.datasets import get_dataset
    from lacuna.metrics.report import score_predictions

    dataset = get_dataset(task)
    metric = dataset.metric()
    questions, predictions = answered.questions, answered.predictions
    return metric, score_predictions(metric, questions, predictions, facets=dataset.facets)
