"""``lacuna tune``: fit a model's no-answer thresholds and confidence on held-out questions."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lacuna.cli.arguments import SkipBad, Task
from lacuna.cli.asking import Corpus
from lacuna.cli.reading import (
    Job,
    OptionalFile,
    Setting,
    Threads,
    check_corpus,
    check_system,
    demo_file,
    tell_left_out,
)
from lacuna.cli.systems import Knowledge, System, SystemName
from lacuna.cli.tune_gapqa import tune_gapqa

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from lacuna.answer_mode import AnswerMode
    from lacuna.datasets.setting import Setting as DatasetSetting
    from lacuna.models.reader.reader import ModelReader
    from lacuna.systems.fit_thresholds import Tuned
    from lacuna.types import Question


def tune(
    task: Task,
    model: Annotated[Path, typer.Option(metavar="DIR", help="The model; its config is rewritten.")],
    file: OptionalFile = None,
    setting: Setting = None,
    system: SystemName = System.READER,
    corpus: Corpus = None,
    knowledge: Knowledge = None,
    threads: Threads = None,
    skip_bad: SkipBad = False,
) -> None:
    """Fit when a model should rather say "none", and how sure it may sound.

    Both are fitted on a file with answers and kept in the model's folder, for the mode of that
    dataset; those of settings over a corpus stand by themselves. GapQA never says "none", so
    only the second is fitted of it. What is told of their worth was measured on questions they were
    not fitted on.
    """
    from lacuna.cli.console import counting_bar, print_table
    from lacuna.datasets import get_dataset
    from lacuna.datasets.question_file import QuestionFile
    from lacuna.files.writing import check_writable
    from lacuna.models.model_folder import CONFIG, find_model
    from lacuna.models.reader.reader import ModelReader
    from lacuna.models.reader.thresholds import KEY, OVER_CORPUS, check_enough, keep_tuning
    from lacuna.systems.tune_reader import tune_on

    file = file or demo_file(task)
    job = Job(
        *(task, file, setting, str(model), threads, skip_bad, corpus),
        system=system,
        knowledge=knowledge,
    )
    check_system(job)
    if system is System.GAPQA:
        tune_gapqa(job)
        return
    dataset = get_dataset(task)
    chosen = dataset.setting(setting)
    check_corpus(corpus, dataset, chosen)
    source = QuestionFile(dataset, file, chosen, skip_bad=skip_bad)
    check_enough(source.with_gold)
    folder = find_model(model)
    check_writable(folder.path / CONFIG)
    questions = list(source)
    reader = ModelReader.load(folder.path, threads=threads)
    with counting_bar(f"Reading {file.name}", len(questions)) as seen:
        if chosen.over_corpus:
            mode, measure, tuned = _tune_asking(reader, task, chosen, questions, corpus, seen)
        else:
            mode, measure, tuned = tune_on(reader, task, chosen.name, questions, seen)
    keep_tuning(folder, mode, tuned.tuning, OVER_CORPUS if chosen.over_corpus else KEY)
    rows = [
        *(
            (f"no-answer threshold of {group}, in log-odds", value)
            for group, value in zip(
                ("texts", "numbers", "yes and no"), tuned.tuning.thresholds, strict=True
            )
        ),
        (f"{measure} without it, %", 100 * tuned.before),
        (f"{measure} with it, cross-fitted, %", 100 * tuned.after),
        ("calibration error without it, %", 100 * tuned.error_before),
        ("calibration error with it, cross-fitted, %", 100 * tuned.error_after),
    ]
    title = f"{mode}: fitted on {tuned.questions:,} questions"
    print_table(title, ("what", "value"), rows)
    tell_left_out(source)


def _tune_asking(
    reader: ModelReader,
    task: str,
    setting: DatasetSetting,
    questions: Sequence[Question],
    corpus: Path | None,
    seen: Callable[[int], None],
) -> tuple[AnswerMode, str, Tuned]:
    from lacuna.pipeline.open_corpus import open_store
    from lacuna.pipeline.pipeline import Pipeline
    from lacuna.systems.asking import score_all
    from lacuna.systems.tune_reader import tune_weighed

    with open_store(corpus) as store:
        pipeline = Pipeline(store, reader, mode=setting.mode)
        weighed = score_all(pipeline, setting, questions, progress=seen)
    return tune_weighed(task, setting.mode, questions, weighed)
