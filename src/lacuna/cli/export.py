"""``lacuna export``: a trained model as one file that needs no torch."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def export(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="A folder that `lacuna train` wrote.")],
    out: Annotated[Path, typer.Option(metavar="DIR", help="Where to write the model.")],
    full_precision: Annotated[
        bool, typer.Option("--full-precision", help="32-bit weights: four times the size.")
    ] = False,
) -> None:
    """Write a trained model as one small file, with its tokenizer, that needs no torch.

    Weights are rounded to 8 bits, each channel by itself, unless --full-precision is given.
    """
    from lacuna.cli.console import complain
    from lacuna.cli.training import needs_training
    from lacuna.models.gapqa.gapqa_folder import find_gap_model, is_gap_model

    with needs_training():
        from lacuna.train.export import export_run
        from lacuna.train.gapqa.export import export_gap
    if is_gap_model(run):
        weights = export_gap(find_gap_model(run), out, int8=not full_precision)
    else:
        weights = export_run(run, out, int8=not full_precision)
    size = weights.stat().st_size / 1e6
    complain(f"{weights}, {size:,.1f} MB. Read with it: --model {out}", "Done")
