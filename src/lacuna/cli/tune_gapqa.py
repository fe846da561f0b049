"""``lacuna tune --system gapqa``: fit the temperature of a GapQA model."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lacuna.cli.reading import Job


def tune_gapqa(job: Job) -> None:
    """Fit it on a file with answers, save it in the model's folder, and show what it is worth."""
    from lacuna.cli.console import counting_bar, print_table
    from lacuna.cli.reading import check_corpus, tell_left_out
    from lacuna.cli.systems import opened_gapqa
    from lacuna.datasets import get_dataset
    from lacuna.datasets.question_file import QuestionFile
    from lacuna.files.writing import check_writable
    from lacuna.models.model_folder import CONFIG, ModelSystem, find_model
    from lacuna.models.reader.thresholds import check_enough
    from lacuna.systems.fit_temperature import fit_temperature, save_temperature
    from lacuna.systems.gapqa import SETTING, ask_all, core_facts

    dataset = get_dataset(job.task)
    setting = dataset.setting(SETTING)
    check_corpus(job.corpus, dataset, setting)
    folder = find_model(job.model, system=ModelSystem.GAPQA)
    check_writable(folder.path / CONFIG)
    questions = QuestionFile(dataset, job.file, setting, skip_bad=job.skip_bad)
    check_enough(questions.with_gold)
    hidden = core_facts(questions)
    pipeline = opened_gapqa(job.knowledge, model=job.model, threads=job.threads, hidden=hidden)
    with counting_bar(f"Asking {job.file.name}", questions.total) as seen:
        fitted = fit_temperature(ask_all(pipeline, questions, progress=seen))
    save_temperature(folder, fitted.temperature)
    rows = [
        ("temperature", fitted.temperature),
        ("calibration error without it, %", 100 * fitted.error_before),
        ("calibration error with it, cross-fitted, %", 100 * fitted.error_after),
    ]
    title = f"gapqa: fitted on {fitted.questions:,} questions"
    print_table(title, ("what", "value"), rows)
    tell_left_out(questions)
