"""How ``lacuna train`` goes about a recipe for GapQA."""

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
    """Make the examples, train with each seed, and say how it went."""
    from lacuna.cli.console import counting_bar, notify, print_table
    from lacuna.train.gapqa.planned import plan_gap
    from lacuna.train.gapqa.run import learn

    planned = plan_gap(recipe, data, knowledge, out, encoder=encoder)
    if dry_run:
        print_table(
            f"{planned.recipe.name}: what would happen", ("step", "what"), planned.described()
        )
        return
    with counting_bar("Looking up knowledge", len(planned.questions)) as seen:
        examples = planned.prepare(seen)
    rows, stopped = [], False
    with counting_bar("Training", None) as seen:
        for seed, ended in learn(planned, examples, seen, until=until):
            rows.append((seed, ended.epochs, ended.held_out))
            stopped = ended.stopped
    if rows:
        print_table("Runs", ("seed", "epochs", "questions kept aside"), rows)
    if stopped:
        notify("give the same command to go on.", "Stopped")
    else:
        notify(f"the models are in {out}, one folder a seed.", "Done")
