"""``lacuna knowledge``: build a knowledge base for questions with choices."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lacuna.cli.options import Json, OnRay

if TYPE_CHECKING:
    from lacuna.retrieve.knowledge import BaseReport

COLUMNS = ("part", "rows", "kept", "merged", "left out", "of these broken")


def knowledge(
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILE…",
            help="Triples (relation, head, tail, weight, sources, or ConceptNet's assertions) or "
            "sentences (source, sentence), separated by tabs, plain or gzipped.",
            show_default=False,
        ),
    ],
    out: Annotated[Path, typer.Option("--out", "-o", metavar="DIR", help="The base to build.")],
    as_json: Json = False,
    ray: OnRay = None,
) -> None:
    """Build a knowledge base of triples, sentences, or both.

    `lacuna ask --choices` and `--system gapqa` look into it with --knowledge DIR. Sentences that
    are long, negated or noisy are left out, as GapQA's authors did. A part that no file is given
    for stays as it was. Where rows are broken, the exit code is 1. With --ray, sentences are looked
    through on all machines of a cluster.
    """
    from lacuna.cli.cluster import digesting_at
    from lacuna.cli.console import counting_bar, print_json
    from lacuna.cli.outputs import check_output_folder
    from lacuna.retrieve.knowledge import build_base

    check_output_folder(out, reads=[file for file in files if file.is_file()])
    named = f"Reading {files[0].name}" if len(files) == 1 else "Reading"
    with digesting_at(ray) as digest, counting_bar(named, None) as update:
        report = build_base(files, out, progress=update, digest=digest)
    if as_json:
        parts = {name: part.as_json() for name, part in report.parts.items()}
        print_json({"knowledge": str(out), **parts})
    else:
        _show(out, report)
    if report.broken:
        _report_broken(report)
        raise typer.Exit(1)


def _show(out: Path, report: BaseReport) -> None:
    from lacuna.cli.console import print_table

    rows = [
        (name, part.rows, part.kept, part.merged, part.skipped.total(), part.broken)
        for name, part in report.parts.items()
    ]
    print_table(str(out), COLUMNS, rows)
    reasons = [
        (reason, name, count)
        for name, part in report.parts.items()
        for reason, count in part.skipped.most_common()
    ]
    if reasons:
        print_table("Left out", ("reason", "part", "rows"), reasons)


def _report_broken(report: BaseReport) -> None:
    from lacuna.cli.console import notify, warn

    for part in report.parts.values():
        for row in part.broken_examples:
            notify(f"{row.where}: {row.reason}.", "Left out")
    warn(f"{report.broken:,} broken rows were left out.")
