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
    from lacuna.cli.console import notify
    from lacuna.cli.outputs import check_output_folder
    from lacuna.cli.training.needs_training import needs_training
    from lacuna.models.model_folder import ModelSystem, find_model, is_gapqa

    check_output_folder(out)
    with needs_training():
        from lacuna.train.export import export_run
        from lacuna.train.gapqa.export import export_gap
    if is_gapqa(run):
        model = find_model(run, system=ModelSystem.GAPQA)
        weights = export_gap(model, out, int8=not full_precision)
    else:
        weights = export_run(run, out, int8=not full_precision)
    size = weights.stat().st_size / 1e6
    notify(f"{weights}, {size:,.1f} MB. Read with it: --model {out}", "Done")
