"""All verbs together."""

from __future__ import annotations

from typing import Annotated

import typer

from lacuna.cli import (
    corpus_distractors,
    corpus_export,
    corpus_info,
    corpus_links,
    corpus_pairs,
    corpus_path,
    corpus_remove,
    corpus_sections,
    corpus_seeds,
    corpus_show,
    data_check,
    data_convert,
    data_fetch,
    index,
    info,
    score,
    search,
)
from lacuna.version import __version__

app = typer.Typer(
    name="lacuna",
    help="Answer questions that the text at hand only partly answers, and score such answers.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)
data = typer.Typer(help="Check, convert and fetch datasets.", no_args_is_help=True)

data.command("check")(data_check.check)
data.command("convert")(data_convert.convert)
data.command("fetch")(data_fetch.fetch)
app.add_typer(data, name="data")
corpus = typer.Typer(help="Look into a corpus, and mine it for questions.", no_args_is_help=True)
corpus.command("info")(corpus_info.info)
corpus.command("show")(corpus_show.show)
corpus.command("links")(corpus_links.links)
corpus.command("path")(corpus_path.path)
corpus.command("export")(corpus_export.export)
corpus.command("remove")(corpus_remove.remove)
corpus.command("seeds")(corpus_seeds.seeds)
corpus.command("pairs")(corpus_pairs.pairs)
corpus.command("distractors")(corpus_distractors.distractors)
corpus.command("sections")(corpus_sections.sections)
app.add_typer(corpus, name="corpus")
app.command("index")(index.index)
app.command("search")(search.search)
app.command("score")(score.score)
app.command("info")(info.info)


def _version(wanted: bool) -> None:
    if wanted:
        print(__version__)
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    return
