"""``lacuna index``: read documents into a corpus."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from lacuna.cli.options import Json

COLUMNS = ("source", "documents", "replaced", "removed", "redirects", "skipped")


def index(
    sources: Annotated[
        list[Path],
        typer.Argument(
            metavar="SOURCE…",
            help="Folders, archives or files of documents; dumps; or other corpora.",
            show_default=False,
        ),
    ],
    out: Annotated[Path, typer.Option("--out", "-o", metavar="DIR", help="The corpus to fill.")],
    source_format: Annotated[
        str | None,
        typer.Option("--format", help="What the sources are; detected unless given."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Read documents, with their links, into a corpus that can be searched.

    Documents are added to a corpus that exists already. Of a source that it has, what changed is
    read again, and what is gone is taken out. An interrupted run continues where it stopped.
    """
    from lacuna.cli.console import counting_bar, notify, print_json, print_table
    from lacuna.cli.outputs import check_output_folder
    from lacuna.cli.skipped import skipped_line
    from lacuna.corpus.open import file_count
    from lacuna.corpus.refresh import check_source, refresh_source
    from lacuna.corpus.store import Store

    for path in sources:
        check_source(path, source_format)  # before anything is written
    check_output_folder(out, reads=sources, may_be_corpus=True)
    rows = []
    with Store.create(out) as store:
        with store.writer() as writer:
            for path in sources:
                with counting_bar(f"Reading {path.name}", file_count(path)) as update:
                    added = refresh_source(
                        writer,
                        path,
                        source_format,
                        lambda added, update=update: update(added.items),  # type: ignore[misc]
                    )
                if not added.changed:
                    notify(f"{path} is in {out} already, and has not changed.")
                    continue
                counts = (added.documents, added.replaced, added.removed, added.redirects)
                rows.append((str(path), *counts, added.skipped))
        documents = len(store)
        skipped = skipped_line(store, [out])
    if as_json:
        counts_by_source = [dict(zip(COLUMNS, row, strict=True)) for row in rows]
        print_json({"corpus": str(out), "documents": documents, "sources": counts_by_source})
    else:
        print_table(f"{out}: {documents:,} documents", COLUMNS, rows)
        if skipped:
            notify(skipped)
