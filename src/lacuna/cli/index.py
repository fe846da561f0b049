"""``lacuna index``: read documents into a corpus."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lacuna.cli.options import Json, OnRay

if TYPE_CHECKING:
    from lacuna.corpus.writer import Added, Writer

OUT = "The corpus to fill: a folder, or an address (s3://, gs://, az://, file://)."
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
    out: Annotated[
        Path,
        typer.Option(
            "--out",
            "-o",
            metavar="DIR|ADDRESS",
            help="The corpus to fill: a folder, or an address (s3://, gs://, az://, file://).",
        ),
    ],
    source_format: Annotated[
        str | None,
        typer.Option("--format", help="What the sources are; detected unless given."),
    ] = None,
    as_json: Json = False,
    ray: OnRay = None,
) -> None:
    """Read documents, with their links, into a corpus that can be searched.

    Documents are added to a corpus that exists already. Of a source that it has, what changed is
    read again, and what is gone is taken out. An interrupted run continues where it stopped. With
    --ray, files are parsed on all machines of a cluster, and written by this one; a new corpus of
    dumps at an address is written and indexed by all of them.
    """
    from lacuna.cli.cluster import built_on, reading_at
    from lacuna.cli.console import notify, print_json, print_table
    from lacuna.cli.outputs import check_output_folder
    from lacuna.cli.skipped import skipped_line
    from lacuna.corpus.address import place_text
    from lacuna.corpus.at_place import new_store_at
    from lacuna.corpus.refresh import check_source

    for path in sources:
        check_source(path, source_format)  # before anything is written
    check_output_folder(out, reads=sources, may_be_corpus=True)
    into = place_text(out)
    with reading_at(ray) as cluster, new_store_at(out) as store:
        every = built_on(cluster, store, out, sources, source_format)
        if every is None:
            with store.writer() as writer:
                every = [_refreshed(writer, path, source_format) for path in sources]
        rows = []
        for path, added in zip(sources, every, strict=True):
            if not added.changed:
                notify(f"{place_text(path)} is in {into} already, and has not changed.")
                continue
            counts = (added.documents, added.replaced, added.removed, added.redirects)
            rows.append((place_text(path), *counts, added.skipped))
        documents = len(store)
        skipped = skipped_line(store, [out])
    if as_json:
        counts_by_source = [dict(zip(COLUMNS, row, strict=True)) for row in rows]
        print_json({"corpus": into, "documents": documents, "sources": counts_by_source})
    else:
        print_table(f"{into}: {documents:,} documents", COLUMNS, rows)
        if skipped:
            notify(skipped)


def _refreshed(writer: Writer, path: Path, source_format: str | None) -> Added:
    from lacuna.cli.console import counting_bar
    from lacuna.corpus.open import file_count
    from lacuna.corpus.refresh import refresh_source

    with counting_bar(f"Reading {path.name}", file_count(path)) as update:
        return refresh_source(writer, path, source_format, lambda added: update(added.items))
