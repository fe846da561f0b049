"""``lacuna search``: find passages in a corpus."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from lacuna.cli.options import OF_CORPUS, Corpora, Json

if TYPE_CHECKING:
    from lacuna.corpus.store import Store
    from lacuna.retrieve.protocol import Hit
    from lacuna.types import Span


BM25 = "bm25"


def search(
    arguments: Annotated[
        list[str] | None,
        typer.Argument(metavar="[CORPUS] QUERY", help=OF_CORPUS, show_default=False),
    ] = None,
    corpus: Corpora = None,
    k: Annotated[int, typer.Option("-k", min=1, help="How many hits.")] = 10,
    retriever: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="bm25; hybrid, which ranks by like words too; hotpotqa (or hotpot), HotpotQA's "
            "own over first paragraphs; or one from another package.",
        ),
    ] = BM25,
    all_words: Annotated[
        bool, typer.Option("--all-words", help="Every word must be there (bm25).")
    ] = False,
    within: Annotated[
        list[str] | None,
        typer.Option("--in", metavar="TITLE", help="Only in this document (bm25); repeatable."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Search a corpus; "quoted words" must stand together, stop words aside (bm25)."""
    from lacuna.cli.console import notify, print_json
    from lacuna.cli.corpus_arguments import split_corpus
    from lacuna.cli.opening import opened_store
    from lacuna.errors import LacunaError

    corpora, (query,) = split_corpus(arguments, corpus, "QUERY")
    with opened_store(corpora, as_json=as_json) as store:
        if retriever == BM25:
            hits = _bm25(store, query, k, all_words, within or [])
        elif all_words or within:
            raise LacunaError(
                f"--all-words and --in belong to bm25. Leave them out for {retriever}."
            )
        else:
            from lacuna.retrieve.registry import open_retriever

            hits = open_retriever(retriever, store).search(query, k)
        if as_json:
            print_json({"query": query, "hits": [_as_json(store, hit) for hit in hits]})
        elif hits:
            _show(store, hits)
        else:
            from lacuna.corpus.address import place_text

            where = " or ".join(map(place_text, corpora)) or "the demo corpus"
            notify(f"Nothing in {where} matches {query!r}.")


def _bm25(store: Store, query: str, k: int, all_words: bool, within: list[str]) -> list[Hit]:
    from lacuna.retrieve.bm25 import Bm25Retriever, split_phrases

    words, phrases = split_phrases(query)
    titles = [store.document(title).title for title in within]
    return Bm25Retriever(store).search(
        words, k, all_words=all_words, phrases=phrases, documents=titles, snippets=True
    )


def _as_json(store: Store, hit: Hit) -> dict[str, Any]:
    from lacuna.cli.places import place_of_hit

    place = place_of_hit(store, hit)
    return {**asdict(hit), "place": place.as_json() if place else None}


def _show(store: Store, hits: list[Hit]) -> None:
    from rich.text import Text

    from lacuna.cli.cleaning import safe, safe_same_length
    from lacuna.cli.console import console_for_results
    from lacuna.cli.places import linked, place_of_hit
    from lacuna.cli.terminal.wrapping import print_hanging

    console = console_for_results()
    for rank, hit in enumerate(hits, 1):
        heading = " › ".join(map(safe, hit.section or (hit.title,)))
        lead = Text(f"{rank:>2}. ", "dim")
        line = Text.assemble((heading, "bold"), f"  {hit.score:.2f}")
        if place := place_of_hit(store, hit):
            line.append("  ").append_text(linked(place, "cyan"))
        print_hanging(console, lead, line)
        start = hit.start
        marks: tuple[Span, ...] = ()
        whole = store.document(hit.title).text[hit.start : hit.end]
        if hit.snippet:
            start, marks, whole = hit.snippet.start, hit.snippet.marks, hit.snippet.text
        shown = Text(safe_same_length(whole))  # so that the marks hold
        for mark in marks:
            shown.stylize("bold yellow", mark.start - start, mark.end - start)
        blank = len(shown.plain) - len(shown.plain.lstrip())
        print_hanging(console, Text("    "), shown[blank:])
