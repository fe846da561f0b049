"""`lacuna corpus seeds|pairs|distractors|sections`: where questions could be asked."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from lacuna.cli.options import OF_CORPUS, JustCorpus, RecordsOutput

if TYPE_CHECKING:
    from lacuna_collect.mining import SectionFilter

SEED = 13
"""The same pairs are drawn every time."""


def seeds(
    first: JustCorpus = None,
    output: RecordsOutput = None,
    links: Annotated[int, typer.Option(min=1, help="Fewest articles it must link to.")] = 10,
) -> None:
    """List paragraphs that link to many other articles, in IIRC's format without questions."""
    from lacuna.cli.cluster import mining_elsewhere
    from lacuna.cli.console import print_or_write
    from lacuna.cli.options import check_outputs, opened_store, split_corpus
    from lacuna_collect.mining import raw_seed
    from lacuna_collect.mining import seeds as find_seeds

    corpora, _ = split_corpus(first)
    check_outputs([output], reads=corpora)
    with opened_store(corpora) as store, mining_elsewhere(corpora, store) as mining:
        if mining is not None:
            print_or_write(mining.seeds(links), output)
        else:
            print_or_write(map(raw_seed, find_seeds(store, store.resolve, links)), output)


def pairs(
    first: JustCorpus = None,
    curated: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Titles that may be bridges, one a line; else all."),
    ] = None,
    lists: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Similar entities: a JSON object of lists, or lines of list, tab, title.",
        ),
    ] = None,
    count: Annotated[int, typer.Option(min=1, help="How many pairs.")] = 100,
    output: RecordsOutput = None,
) -> None:
    """Draw bridge and comparison pairs in HotpotQA's ratios, one JSON object a line."""
    from itertools import islice

    from lacuna.cli.cluster import mining_elsewhere
    from lacuna.cli.console import print_or_write
    from lacuna.cli.options import check_outputs, opened_store, split_corpus
    from lacuna_collect.mining import (
        bridge_edges,
        comparison_lists,
        raw_pair,
        read_lists,
        read_titles,
        sample_pairs,
    )

    corpora, _ = split_corpus(first)
    check_outputs([output], reads=[*corpora, curated, lists])
    with opened_store(corpora) as store, mining_elsewhere(corpora, store) as mining:
        titles = read_titles(curated) if curated else store.titles()
        bridges = {resolved for title in titles if (resolved := store.resolve(title))}
        if mining is not None:
            edges = mining.bridge_edges(bridges if curated else None)
        else:
            edges = bridge_edges(store, bridges, store.resolve)
        groups = comparison_lists(read_lists(lists), store.resolve) if lists else {}
        drawn = islice(sample_pairs(edges, groups, SEED), count)
        print_or_write(map(raw_pair, drawn), output)


def distractors(
    output: Annotated[
        Path, typer.Option("--out", "-o", metavar="FILE", help="A HotpotQA-format file.")
    ],
    arguments: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[CORPUS] PAIRS",
            help=f"Pairs from `lacuna corpus pairs`. {OF_CORPUS}",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Write HotpotQA items that wait for their question: 2 gold paragraphs, 8 distractors."""
    from lacuna.cli.console import notify
    from lacuna.cli.options import check_outputs, opened_store, split_corpus
    from lacuna.datasets import get_dataset
    from lacuna.datasets.base import Item
    from lacuna.datasets.convert import Summary
    from lacuna.retrieve.hotpotqa import HotpotRetriever
    from lacuna_collect.mining import item_of, read_pairs

    hotpotqa = get_dataset("hotpotqa")
    summary = Summary(hotpotqa)
    corpora, (pairs,) = split_corpus(arguments, "PAIRS")
    check_outputs([output], reads=[*corpora, Path(pairs)])
    with opened_store(corpora) as store:
        retriever = HotpotRetriever(store)

        def titles(query: str, k: int) -> list[str]:
            return [hit.title for hit in retriever.search(query, k)]

        items = (
            Item.of(item_of(pair, store.document, titles, SEED)) for pair in read_pairs(Path(pairs))
        )
        hotpotqa.write(output, summary.counted(items))
    notify(f"{summary.questions:,} items written to {output}.", "Done")


def _section_filter(given: Iterable[str]) -> SectionFilter:
    """QuAC's filters and bounds, with those changed that are given as NAME=VALUE."""
    import json
    from typing import get_type_hints

    from lacuna.errors import no_such
    from lacuna.files.settings import checked
    from lacuna_collect.mining import SectionBounds, SectionFilter

    bounds, filters = get_type_hints(SectionBounds), get_type_hints(SectionFilter)
    types = bounds | {name: kind for name, kind in filters.items() if name != "bounds"}
    changed: dict[str, Any] = {}
    for one in given:
        name, _, text = one.partition("=")
        if name not in types:
            raise no_such("setting", name, list(types))
        try:
            value = json.loads(text)
        except ValueError:
            value = text
        changed[name] = checked(value, types[name], "--set", name)
    within = SectionBounds(**{name: changed.pop(name) for name in bounds if name in changed})
    return SectionFilter(bounds=within, **changed)


def sections(
    first: JustCorpus = None,
    output: RecordsOutput = None,
    changed: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="NAME=VALUE",
            help="Other bounds than QuAC's: paragraphs=[1,12] of a section, tokens=[297,1439] in "
            "it, words_a_sentence=[14.9,40.1] on average, fewest_in_links=100 to the article, "
            'people_only=false, keywords=["poet"] of its first paragraph. Can be given several '
            "times.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """List sections of much-linked articles, in QuAC's format without questions.

    QuAC's authors took people alone (people_only), found by keywords such as celebrity or health.
    """
    from lacuna.cli.cluster import mining_elsewhere
    from lacuna.cli.console import print_or_write
    from lacuna.cli.options import check_outputs, opened_store, split_corpus
    from lacuna_collect.mining import choose_sections, raw_section

    corpora, _ = split_corpus(first)
    check_outputs([output], reads=corpora)
    wanted = _section_filter(changed or ())
    with opened_store(corpora) as store, mining_elsewhere(corpora, store) as mining:
        if mining is not None:
            print_or_write(mining.sections(wanted), output)
        else:
            chosen = choose_sections(store, store.graph(), wanted)
            print_or_write(map(raw_section, chosen), output)
