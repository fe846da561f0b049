"""``lacuna train`` with a recipe for GapQA."""

from __future__ import annotations

from pathlib import Path


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
    from lacuna.train.gapqa.plan import plan_gap
    from lacuna.train.gapqa.run import learn

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
