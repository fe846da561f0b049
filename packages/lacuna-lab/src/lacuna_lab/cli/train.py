"""`lacuna train` and `lacuna export`: train a model by a recipe, and write it as one file."""

from __future__ import annotations

import math
import os
import time
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from lacuna.cli.settings import run_settings
from lacuna.errors import needs


def train_gapqa(
    recipe: Path,
    data: Path,
    knowledge: Path | None,
    out: Path,
    *,
    encoder: str | None,
    until: float,
    dry_run: bool,
) -> None:
    """Make the examples, train with each seed, and print how it went."""
    from lacuna.cli.console import counting_bar, notify, print_table
    from lacuna_lab.gapqa.run import learn, plan_gap

    plan = plan_gap(recipe, data, knowledge, out, encoder=encoder)
    if dry_run:
        print_table(f"{plan.recipe.name}: what would happen", ("step", "what"), plan.described())
        return
    with counting_bar("Looking up knowledge", len(plan.questions)) as seen:
        examples = plan.prepare(seen)
    rows, stopped = [], False
    with counting_bar("Training", None) as seen:
        for seed, end in learn(plan, examples, seen, until=until):
            rows.append((seed, end.epochs, end.held_out))
            stopped = end.stopped
    if rows:
        print_table("Runs", ("seed", "epochs", "held-out questions"), rows)
    if stopped:
        notify("give the same command to go on.", "Stopped")
    else:
        notify(f"the models are in {out}, one folder for each seed.", "Done")


def train_paper(
    recipe: Path,
    data: Path,
    out: Path,
    *,
    encoder: str | None,
    knowledge: Path | None,
    until: float,
    dry_run: bool,
) -> None:
    """Make the examples, train with each seed, and print how it went."""
    from lacuna.cli.console import counting_bar, notify, print_table
    from lacuna.evaluation.registry import PAPERS
    from lacuna_lab.papers.run import learn_paper, plan_paper

    plan = plan_paper(recipe, data, out, encoder=encoder, knowledge=knowledge)
    settings = plan.task.recipe
    if dry_run:
        print_table(f"{settings.name}: what would happen", ("step", "what"), plan.described())
        return
    with counting_bar("Reading questions", None) as seen:
        prepared = plan.prepare(seen)
    rows, stopped = [], False
    with counting_bar("Training", None) as seen:
        for seed, end in learn_paper(plan, prepared, seen, until=until):
            rows.append((seed, end.epochs, end.loss, end.held_out))
            stopped = end.stopped
    if rows:
        print_table("Runs", ("seed", "epochs", "loss", "held-out loss"), rows)
    if stopped:
        notify("give the same command to go on.", "Stopped")
    else:
        first = out / f"seed-{settings.seeds[0]}"
        is_system = settings.system in PAPERS  # a stage may be a part of one
        hint = f" Read with one: --system {settings.system}:{first}" if is_system else ""
        notify(f"the models are in {out}, one folder for each seed.{hint}", "Done")


def train(
    recipe: Annotated[Path, typer.Argument(metavar="RECIPE", help="A recipe in TOML.")],
    data: Annotated[Path, typer.Option(metavar="DIR", help="The folder with the datasets.")],
    out: Annotated[Path, typer.Option(metavar="DIR", help="The folder of the run.")],
    encoder: Annotated[
        str | None,
        typer.Option(
            metavar="DIR|NAME|FILE",
            help="Another encoder than the recipe's; a finished run to go on from its network; for "
            "a paper's own network, its encoder, a file of word vectors, or a finished run of it.",
        ),
    ] = None,
    teacher: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="A trained model to learn from, besides the labels."),
    ] = None,
    knowledge: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="For a recipe of GapQA or ker: a base made by `lacuna knowledge`.",
            show_default=False,
        ),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what would happen, and do nothing.")
    ] = False,
) -> None:
    """Train a model by a recipe.

    Recipes train the reader on all datasets together, GapQA on OpenBookQA, or a paper's own network
    (HotpotQA's baseline, QuAC's BiDAF++, IIRC's stages, what GapQA is compared with) on its
    dataset.

    A run that was stopped or killed goes on from its last checkpoint when the same command is given
    again; with LACUNA_STOP_AFTER=SECONDS it saves one then and stops. Data is tokenised once, into
    a cache in the run's folder, and again when a file changes. With LACUNA_RAY=ADDRESS, all
    machines of a Ray cluster label and tokenise the reader's data.
    """
    from lacuna.cli.cluster import labelling_at, ray_address
    from lacuna.cli.console import counting_bar, notify, print_table
    from lacuna.cli.options import check_output_folder, chosen_threads
    from lacuna.errors import LacunaError

    check_output_folder(out)
    seconds = run_settings().stop_after
    until = math.inf if seconds is None else time.monotonic() + seconds
    with needs("lab", "Training"):
        from lacuna_lab.gapqa.recipe import is_gapqa_recipe
        from lacuna_lab.papers.run import is_paper_recipe
        from lacuna_lab.train import run
        from lacuna_lab.train.cache import labelling_here
        from lacuna_lab.train.checkpoint import StopReason, in_main_process
    if is_gapqa_recipe(recipe):
        if teacher is not None:
            raise LacunaError("GapQA is trained without a teacher. Leave out --teacher.")
        train_gapqa(recipe, data, knowledge, out, encoder=encoder, until=until, dry_run=dry_run)
        return
    if is_paper_recipe(recipe):
        if teacher is not None:
            raise LacunaError(
                "A paper's own network is trained without a teacher. Leave out --teacher."
            )
        train_paper(
            recipe,
            data,
            out,
            encoder=encoder,
            knowledge=knowledge,
            until=until,
            dry_run=dry_run,
        )
        return
    if knowledge is not None:
        raise LacunaError("Only recipes of GapQA and ker read knowledge. Leave out --knowledge.")
    plan = run.plan_run(recipe, data, out, encoder=encoder, teacher=teacher)
    if dry_run:
        print_table(f"{plan.recipe.name}: what would happen", ("step", "what"), plan.described())
        return
    labelling = partial(labelling_here, plan.tokenizer, chosen_threads() or os.cpu_count() or 1)
    if (ray := ray_address()) is not None:
        labelling = partial(labelling_at, ray, plan.tokenizer)
    with counting_bar("Tokenising", None) as seen:
        report = run.prepare(plan, labelling, seen)
    if in_main_process():
        rows = [(name, *_counts(counts)) for name, counts in report.items()]
        print_table("Training data", ("source", "questions", "inputs", "left out"), rows)
    with counting_bar("Asking the teacher", None) as seen:
        scores = run.teacher_scores(plan, seen, until=until)
    if scores is not None and not scores.complete:
        done = f"the teacher has scored {scores.filled:,} of {scores.batches:,} batches"
        notify(f"{done}; give the same command to go on.", "Stopped")
        return
    training = run.begin(plan, scores)
    with counting_bar("Training", training.steps, training.done) as seen:
        end = run.learn(plan, training, seen, until=until)
    if in_main_process():
        outcome = f"{end.steps:,} of {training.steps:,} steps, loss {end.loss:.3f}, {end.reason}"
        if end.reason is StopReason.TIME:
            notify(f"{outcome}; give the same command to go on.", "Stopped")
        else:
            notify(f"{outcome}; the model is in {out}.", "Done")


def _counts(counts: dict[str, int]) -> tuple[int, int, int]:
    rest = {name: count for name, count in counts.items() if name not in ("questions", "inputs")}
    return counts["questions"], counts["inputs"], sum(rest.values())


def second_look(
    output: Annotated[
        Path,
        typer.Option(
            "--out",
            "-o",
            metavar="FILE",
            help="Where to write them, gzipped; training looks for DATA/strangers/"
            "second_look.jsonl.gz.",
        ),
    ],
    data: Annotated[
        Path, typer.Option(metavar="DIR", help="The data folder, with the collections.")
    ],
) -> None:
    """Keep the answers of the reader of `lacuna config`, to learn from them which are right.

    They are answers to the questions of the training collections, read where a search finds
    something; the source `second_look` learns from them. Collections that only measure or fit are
    left out. A run that was stopped goes on with the next collection when the same command is given
    again.
    """
    from lacuna.cli.console import counting_bar, notify, warn
    from lacuna.cli.options import check_outputs, chosen_model, chosen_threads
    from lacuna.models.reader.reader import ModelReader
    from lacuna_lab.data.given_answers import write_given_answers
    from lacuna_lab.data.strangers import collection_files, trained_collections

    check_outputs([output], reads=collection_files(data, trained_collections(data)))
    with counting_bar("Reading", None) as seen:
        left_out = write_given_answers(
            data, output, ModelReader.load(chosen_model(), threads=chosen_threads()), seen
        )
    notify(f"{output}, {output.stat().st_size / 1e6:,.1f} MB.", "Done")
    for reason, count in left_out.items():
        warn(f"Left out: {count:,} times {reason}.")


def export(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="A folder that `lacuna train` wrote.")],
    out: Annotated[Path, typer.Argument(metavar="DIR", help="A folder for the model.")],
) -> None:
    """Write a trained model as one small file.

    The file stands beside its tokenizer and needs no torch.

    Weights are rounded to 8 bits, each channel by itself.
    """
    from lacuna.cli.console import notify
    from lacuna.cli.options import check_output_folder
    from lacuna.errors import LacunaError
    from lacuna.models.model_folder import ModelSystem, find_model, is_gapqa, is_of_a_paper

    check_output_folder(out)
    with needs("lab", "Training"):
        from lacuna_lab.gapqa.run import export_gap
        from lacuna_lab.train.export import export_run
    if is_of_a_paper(run):
        raise LacunaError(
            f"the model in {run} is a paper's own network, which is read as it was trained: "
            "--system and --model read it. Only readers and GapQA are exported."
        )
    if is_gapqa(run):
        model = find_model(run, system=ModelSystem.GAPQA)
        weights = export_gap(model, out)
    else:
        weights = export_run(run, out)
    size = weights.stat().st_size / 1e6
    notify(f"{weights}, {size:,.1f} MB. Read with it: --model {out}", "Done")
