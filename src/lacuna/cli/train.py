"""``lacuna train``: train a model after a recipe."""

from __future__ import annotations

import math
import os
import time
from pathlib import Path
from typing import Annotated

import typer


def train(
    recipe: Annotated[Path, typer.Argument(metavar="RECIPE", help="A recipe in TOML.")],
    data: Annotated[Path, typer.Option(metavar="DIR", help="The folder with the datasets.")],
    out: Annotated[Path, typer.Option(metavar="DIR", help="Where the run keeps everything.")],
    encoder: Annotated[
        str | None,
        typer.Option(metavar="DIR|NAME", help="Another place to take the recipe's encoder from."),
    ] = None,
    teacher: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="A trained model to learn from, besides the labels."),
    ] = None,
    knowledge: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="For a recipe of GapQA: a base made by `lacuna knowledge`.",
            show_default=False,
        ),
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option(min=1, help="Processes that label and tokenise.", show_default=False),
    ] = None,
    stop_after: Annotated[
        float | None,
        typer.Option(
            metavar="SECONDS", help="Keep a checkpoint then and stop; run again to go on."
        ),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what would happen, and do nothing.")
    ] = False,
) -> None:
    """Train a model after a recipe: the reader on all datasets together, or GapQA on OpenBookQA.

    A run that was stopped or killed goes on where it last kept a checkpoint, when the same
    command is given again. Data is tokenised once, into a cache in the run's folder.
    """
    from lacuna.cli.console import counting_bar, notify, print_table
    from lacuna.cli.training import needs_training
    from lacuna.errors import LacunaError

    until = math.inf if stop_after is None else time.monotonic() + stop_after
    with needs_training():
        from lacuna.train import run
        from lacuna.train.gapqa.recipe import is_gapqa
        from lacuna.train.trainer import End
    if is_gapqa(recipe):
        from lacuna.cli.train_gapqa import train_gapqa

        if teacher is not None:
            raise LacunaError("GapQA is trained without a teacher. Leave out --teacher.")
        train_gapqa(recipe, data, knowledge, out, encoder=encoder, until=until, dry_run=dry_run)
        return
    if knowledge is not None:
        raise LacunaError("Only a recipe of GapQA reads knowledge. Leave out --knowledge.")
    planned = run.plan_run(recipe, data, out, encoder=encoder, teacher=teacher)
    if dry_run:
        print_table(
            f"{planned.recipe.name}: what would happen", ("step", "what"), planned.described()
        )
        return
    with counting_bar("Tokenising", None) as seen:
        report = run.prepare(planned, workers or os.cpu_count() or 1, seen)
    if run.in_main_process():
        rows = [(name, *_counts(counts)) for name, counts in report.items()]
        print_table("Training data", ("source", "questions", "inputs", "left out"), rows)
    with counting_bar("Asking the teacher", None) as seen:
        scores = run.taught(planned, seen, until=until)
    if scores is not None and not scores.complete:
        said = f"the teacher has scored {scores.filled:,} of {scores.batches:,} batches"
        notify(f"{said}; give the same command to go on.", "Stopped")
        return
    training = run.begin(planned, scores)
    with counting_bar("Training", training.steps, training.done) as seen:
        ended = run.learn(planned, training, lambda step, *_: seen(step), until=until)
    if run.in_main_process():
        said = f"{ended.steps:,} of {training.steps:,} steps, loss {ended.loss:.3f}, {ended.why}"
        if ended.why is End.LATE:
            notify(f"{said}; give the same command to go on.", "Stopped")
        else:
            notify(f"{said}; the model is in {out}.", "Done")


def _counts(counts: dict[str, int]) -> tuple[int, int, int]:
    rest = {name: count for name, count in counts.items() if name not in ("questions", "inputs")}
    return counts["questions"], counts["inputs"], sum(rest.values())
