"""``lacuna train`` with a recipe for a paper's own network."""

from __future__ import annotations

from pathlib import Path


def train_paper(
    recipe: Path,
    data: Path,
    out: Path,
    *,
    vectors: str | None,
    knowledge: Path | None,
    until: float,
    dry_run: bool,
) -> None:
    """Make the examples, train with each seed, and print how it went."""
    from lacuna.cli.console import counting_bar, notify, print_table
    from lacuna.train.papers.run import learn_paper, plan_paper

    plan = plan_paper(recipe, data, out, vectors=vectors, knowledge=knowledge)
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
        notify(
            f"the models are in {out}, one folder for each seed. Read with one: --system "
            f"{settings.system} --model {out / f'seed-{settings.seeds[0]}'}",
            "Done",
        )
