"""All verbs together."""

from __future__ import annotations

from typing import Annotated

import typer

from lacuna.cli import data_check, data_convert, data_fetch, info, score
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
