"""``lacuna tune --system gapqa``: how sure a GapQA model may sound."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lacuna.cli.reading import Job


def tune_gapqa(job: Job) -> None:
    """Fit it on a file with answers, keep it in the model's folder, and tell what it is worth."""
    from lacuna.cli.console import counting_bar, print_table
    from lacuna.cli.reading import check_corpus, tell_left_out
    from lacuna.cli.systems import opened_gapqa
    from lacuna.files.writing import check_writable
    from lacuna.gap.evaluating import SETTING, ask_all, core_facts
    from lacuna.gap.model_files import find_gap_model
    from lacuna.gap.temperature import keep_temperature, temper
    from lacuna.read.model_files import CONFIG
    from lacuna.read.question_file import QuestionFile
    from lacuna.read.tuning import check_enough
    from lacuna.tasks import get_task

    check_corpus(job.corpus, SETTING, ())
    folder = find_gap_model(job.model)
    check_writable(folder.path / CONFIG)
    questions = QuestionFile(get_task(job.task), job.file, SETTING, skip_bad=job.skip_bad)
    check_enough(questions.with_gold)
    hidden = core_facts(questions)
    asker = opened_gapqa(job.knowledge, model=job.model, threads=job.threads, hidden=hidden)
    with counting_bar(f"Asking {job.file.name}", questions.total) as seen:
        tempered = temper(list(ask_all(asker, questions, progress=seen)))
    keep_temperature(folder, tempered.temperature)
    rows = [
        ("temperature", tempered.temperature),
        ("calibration error without it, %", 100 * tempered.error_before),
        ("calibration error with it, cross-fitted, %", 100 * tempered.error_after),
    ]
    title = f"gapqa: fitted on {tempered.questions:,} questions"
    print_table(title, ("what", "value"), rows)
    tell_left_out(questions)
