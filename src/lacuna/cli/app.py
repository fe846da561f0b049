"""All verbs together; only the one that is asked for is loaded, for the others take time."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from importlib import import_module
from typing import Annotated

import typer

from lacuna.version import __version__

VERBS = (
    *("ask", "chat", "serve"),
    *("train", "export", "tune", "predict", "evaluate", "find-threshold"),
    *("score", "index", "search", "knowledge", "info"),
)
GROUPS = {
    "data": ("Check, convert and fetch datasets.", ("check", "convert", "fetch")),
    "corpus": (
        "Look into a corpus, and mine it for questions.",
        (
            *("info", "show", "links", "path", "export", "remove"),
            *("seeds", "pairs", "distractors", "sections"),
        ),
    ),
}


def make_app(arguments: Sequence[str]) -> typer.Typer:
    """The command line for these arguments; with every verb, where they do not begin with one."""
    app = typer.Typer(
        name="lacuna",
        help="Answer questions that the text at hand only partly answers, and score such answers.",
        no_args_is_help=True,
        pretty_exceptions_enable=False,
    )
    app.callback()(_options)
    asked, *rest = arguments or ("",)
    for verb in _wanted(VERBS, asked, (*VERBS, *GROUPS)):
        _add(app, verb, verb)
    for name in _wanted(GROUPS, asked, (*VERBS, *GROUPS)):
        about, verbs = GROUPS[name]
        group = typer.Typer(help=about, no_args_is_help=True)
        for verb in _wanted(verbs, rest[0] if rest and asked == name else "", verbs):
            _add(group, verb, f"{name}_{verb}")
        app.add_typer(group, name=name)
    return app


def _wanted(names: Iterable[str], asked: str, all_names: Iterable[str]) -> list[str]:
    return [name for name in names if asked == name or asked not in all_names]


def _add(app: typer.Typer, verb: str, module: str) -> None:
    file, function = (name.replace("-", "_") for name in (module, verb))
    app.command(verb)(getattr(import_module(f"lacuna.cli.{file}"), function))


def _version(wanted: bool) -> None:
    if wanted:
        print(__version__)
        raise typer.Exit


def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    return
