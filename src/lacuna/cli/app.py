"""All verbs together; only the requested one is loaded, since the others take time to import."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from importlib import import_module
from inspect import cleandoc
from keyword import iskeyword
from typing import Annotated, Any, NoReturn

import typer

from lacuna.cli.cleaning import safe_same_length
from lacuna.cli.console import say
from lacuna.version import __version__

EVALUATION = ("tune", "predict", "evaluate", "evaluate-retrieval", "find-threshold", "score")
VERBS = {
    "ask": "ask",
    "chat": "chat.chat",
    "serve": "serve",
    "mcp": "agents.mcp",
    "config": "settings.config",
    **{verb: f"training.{verb}" for verb in ("train", "export")},
    **{verb: f"evaluation.{verb.replace('-', '_')}" for verb in EVALUATION},
    **{verb: f"papers.{verb}" for verb in ("describe", "reproduce")},
    "release": "collect.release",
    **{verb: verb for verb in ("index", "search", "knowledge", "info")},
}
"""Each verb, and its module in this folder."""
GROUPS = {
    "data": (
        "Check, convert, mix and fetch datasets.",
        {
            **dict.fromkeys(("check", "convert", "fetch"), "data"),
            "mix": "papers.mix",
            "feedback": "feedback",
        },
    ),
    "corpus": (
        "Look into a corpus, keep it safe, and mine it for questions.",
        {
            **dict.fromkeys(
                ("info", "show", "links", "path", "export", "remove"), "corpus.inspect"
            ),
            **dict.fromkeys(("check", "repair", "backup"), "corpus.keep"),
            "copy": "corpus.copy",
            **dict.fromkeys(("seeds", "pairs", "distractors", "sections"), "corpus.mine"),
        },
    ),
    "collect": (
        "A server on which people make such data.",
        {
            **dict.fromkeys(("init", "invite"), "collect.begin"),
            "serve": "collect.serve",
            "bonuses": "collect.bonuses",
            **dict.fromkeys(("simulate", "demo"), "collect.simulate"),
            **dict.fromkeys(("status", "review"), "collect.look"),
            **dict.fromkeys(("export", "import"), "collect.carry"),
            **dict.fromkeys(("backup", "restore"), "collect.keep"),
        },
    ),
    "board": (
        "A board on which systems are compared, by answers that stay hidden.",
        {
            **dict.fromkeys(("init", "add", "human", "team", "withdraw"), "board.make"),
            "serve": "board.serve",
            "submit": "board.submit",
            **dict.fromkeys(("export", "verify"), "board.check"),
        },
    ),
}

WRONGLY_CALLED: Any = typer.BadParameter.__mro__[2]
"""What all mistakes in arguments derive from; typer has it under no name of its own."""


def run(arguments: Sequence[str]) -> NoReturn:
    """Run the verb that the arguments name, and exit."""
    try:
        code = make_app(arguments)(args=arguments, standalone_mode=False)
    except WRONGLY_CALLED as error:
        from typer.rich_utils import rich_format_error

        error.message = safe_same_length(error.message)  # it quotes what was typed
        rich_format_error(error)
        sys.exit(error.exit_code)
    sys.exit(code)


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
        _add(app, verb, VERBS[verb])
    for name in _wanted(GROUPS, asked, (*VERBS, *GROUPS)):
        about, verbs = GROUPS[name]
        group = typer.Typer(help=about, no_args_is_help=True)
        for verb in _wanted(verbs, rest[0] if rest and asked == name else "", verbs):
            _add(group, verb, verbs[verb])
        app.add_typer(group, name=name)
    return app


def _wanted(names: Iterable[str], asked: str, all_names: Iterable[str]) -> list[str]:
    return [name for name in names if asked == name or asked not in all_names]


def _add(app: typer.Typer, verb: str, module: str) -> None:
    name = f"{verb}_" if iskeyword(verb) else verb.replace("-", "_")
    function = getattr(import_module(f"lacuna.cli.{module}"), name)
    app.command(verb, help=_paragraphs(function.__doc__))(function)


def _paragraphs(docstring: str) -> str:
    """A docstring whose lines end where the terminal's do, not where those of the source do."""
    return "\n\n".join(" ".join(part.split()) for part in cleandoc(docstring).split("\n\n"))


def _version(wanted: bool) -> None:
    if wanted:
        say(__version__)
        raise typer.Exit


def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    return
