"""``lacuna tune``: fit a model's doubt and confidence on held-out questions."""

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

    from lacuna.read.reader import Reader
    from lacuna.read.style import Style
    from lacuna.read.tune import Tuned
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

    Both are fitted on a file with answers and kept in the model's folder, for the style of that
    dataset; those of settings over a corpus stand by themselves. GapQA never says "none", so
    only the second is fitted of it. What is told of their worth was measured on questions they were
    not fitted on.
    """
    from lacuna.ask.settings import ASKED
    from lacuna.cli.console import counting_bar, print_table
    from lacuna.files.writing import check_writable
    from lacuna.read.model_files import CONFIG, find_model
    from lacuna.read.question_file import QuestionFile
    from lacuna.read.reader import Reader
    from lacuna.read.settings import resolve
    from lacuna.read.tune_file import tune_on
    from lacuna.read.tuning import ASKING, KEY, check_enough, keep_tuning
    from lacuna.tasks import get_task

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
    over_corpus = ASKED.get(task, ())
    chosen = resolve(task, setting, over_corpus)
    check_corpus(corpus, chosen, over_corpus)
    asked = chosen in over_corpus
    checked = resolve(task, None) if asked else chosen
    source = QuestionFile(get_task(task), file, checked, skip_bad=skip_bad)
    check_enough(source.with_gold)
    folder = find_model(model)
    check_writable(folder.path / CONFIG)
    questions = list(source)
    reader = Reader.load(folder.path, threads=threads)
    with counting_bar(f"Reading {file.name}", len(questions)) as seen:
        if asked:
            style, measure, tuned = _tune_asking(reader, task, chosen, questions, corpus, seen)
        else:
            style, measure, tuned = tune_on(reader, task, chosen, questions, seen)
    keep_tuning(folder, style, tuned.tuning, ASKING if asked else KEY)
    rows = [
        *(
            (f"doubt of {sort}, in log-odds", value)
            for sort, value in zip(
                ("texts", "numbers", "yes and no"), tuned.tuning.doubt, strict=True
            )
        ),
        (f"{measure} without it, %", 100 * tuned.before),
        (f"{measure} with it, cross-fitted, %", 100 * tuned.after),
        ("calibration error without it, %", 100 * tuned.error_before),
        ("calibration error with it, cross-fitted, %", 100 * tuned.error_after),
    ]
    title = f"{style}: fitted on {tuned.questions:,} questions"
    print_table(title, ("what", "value"), rows)
    tell_left_out(source)


def _tune_asking(
    reader: Reader,
    task: str,
    setting: str,
    questions: Sequence[Question],
    corpus: Path | None,
    seen: Callable[[int], None],
) -> tuple[Style, str, Tuned]:
    from lacuna.ask.evaluating import weigh_all
    from lacuna.ask.opening import open_store
    from lacuna.ask.pipeline import Asker
    from lacuna.ask.settings import style_of
    from lacuna.read.tune_file import tune_weighed

    style = style_of(task)
    with open_store(corpus) as store:
        asker = Asker(store, reader, style=style)
        weighed = weigh_all(asker, setting, questions, progress=seen)
    return tune_weighed(task, style, questions, weighed)
