"""``lacuna data mix``: questions that need no link among those of IIRC that do."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from lacuna.cli.options import Corpora, File, Json, Seed


def mix(
    file: File,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE", help="Where to write it.")
    ],
    squad: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A file of SQuAD 2.0 to take from.")
    ] = None,
    drop: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A file of DROP to take from.")
    ] = None,
    share: Annotated[
        float, typer.Option(min=0.01, max=0.9, help="The share of all questions that is theirs.")
    ] = 0.2,
    corpus: Corpora = None,
    seed: Seed = 1,
    as_json: Json = False,
) -> None:
    """Mix questions of SQuAD and DROP, three to one, into a file of IIRC (its section 5).

    Their passages get links to the documents of --corpus that they name, and no question of theirs
    needs one: so a model has to tell whether anything is missing at all. The field `source` of a
    question says where it is from.
    """
    from lacuna.cli.console import notify, print_json, print_table, warn
    from lacuna.cli.outputs import check_outputs
    from lacuna.corpus.open import open_store
    from lacuna.errors import LacunaError
    from lacuna.reproduce.combined.mixing import mix as write_mixed

    added = {name: path for name, path in (("squad", squad), ("drop", drop)) if path is not None}
    if not added:
        raise LacunaError("There is nothing to mix in. Give --squad FILE, --drop FILE, or both.")
    check_outputs([output], reads=[file, *added.values(), *(corpus or ())])
    with open_store(corpus) as store:
        counts = write_mixed(file, added, store.known, output, share=share, seed=seed)
    if as_json:
        every = {"iirc": counts.own, **counts.mixed_in}
        print_json({"questions": every, "links": counts.links, "output": str(output)})
    else:
        rows = [("iirc", counts.own), *counts.mixed_in.items()]
        print_table(str(output), ("from", "questions"), rows)
        notify(f"{counts.links:,} links were found in what was mixed in.", "Done")
    if counts.without_passage:
        warn(f"Left out of {file}, for want of a passage: {counts.without_passage:,} questions.")
    for name in counts.short:
        had, wanted = counts.mixed_in[name], counts.wanted[name]
        warn(f"{name} has only {had:,} of the {wanted:,} questions that were wanted.")
