"""All commands together; only the requested one is loaded: the others take time to import."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Sequence
from functools import partial
from importlib import import_module
from inspect import cleandoc
from typing import Annotated, Any, NoReturn

import typer
import typer.core

from lacuna.cli.console import safe_same_length, say
from lacuna.errors import LacunaError
from lacuna.plugins import entry_points
from lacuna.version import __version__

Verb = tuple[str, ...]
"""Its words: one, or two where it belongs to a group."""
OWN: dict[Verb, str] = {
    **{(verb,): verb for verb in ("ask", "chat", "index", "serve", "config")},
    **dict.fromkeys((("search",), ("knowledge",)), "index"),
    ("mcp",): "serve",
    ("info",): "config",
    **{
        (verb,): "evaluation"
        for verb in ("score", "evaluate", "evaluate-retrieval", "predict", "tune")
    },
    **{
        ("corpus", verb): "corpus"
        for verb in [
            "info",
            "show",
            "links",
            "path",
            "export",
            "remove",
            "check",
            "repair",
            "backup",
            "copy",
        ]
    },
    **{("data", verb): "data" for verb in ("check", "convert", "fetch", "feedback")},
}
"""Each verb of this package, and its module in this folder."""
OVERVIEW = {
    "Ask": ("ask", "chat", "search"),
    "Documents": ("index", "corpus", "knowledge"),
    "Evaluate": ("evaluate", "predict", "score", "evaluate-retrieval", "describe", "data"),
    "Train": ("train", "export", "tune", "reproduce"),
    "Collect": ("collect", "release", "board"),
    "Serve": ("serve", "mcp", "config", "info"),
}
"""What `lacuna --help` shows, in this order; what other packages add stands below."""
GROUPS = {
    "corpus": "Look into a corpus, check it, copy it.",
    "data": "Check, convert, mix and fetch datasets.",
    "collect": "Run an annotation server.",
    "board": "Run a leaderboard with hidden test answers.",
}
ELSEWHERE: dict[str, tuple[Verb, ...]] = {
    "lab": (
        ("train",), ("export",), ("describe",), ("reproduce",), ("data", "mix"),
        ("data", "second-look"),
    ),
    "collect": (
        ("collect",), ("board",), ("release",), ("corpus", "seeds"), ("corpus", "pairs"),
        ("corpus", "distractors"), ("corpus", "sections"),
    ),
}  # fmt: skip
"""What our other packages bring, by the extra that installs them."""
COMMANDS = "lacuna.commands"
"""The entry points by which packages add verbs; ``collect.init`` is `lacuna collect init`."""

WRONGLY_CALLED: Any = typer.BadParameter.__mro__[2]
"""What all mistakes in arguments derive from; typer has it under no name of its own."""


class Overview(typer.core.TyperGroup):
    """All commands on one screen, in groups, each with the first sentence of its help."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write it, plain where nobody looks at a terminal."""
        head = typer.style("Usage:", bold=True)
        lines = [f"{head} lacuna COMMAND [ARGUMENTS]    (`lacuna COMMAND --help` says more)"]
        lines += ["", self.help or ""]
        shown = {name for names in OVERVIEW.values() for name in names}
        more = tuple(name for name in self.commands if name not in shown)
        for group, names in {**OVERVIEW, "More": more}.items():
            there = [name for name in names if name in self.commands]
            lines += [""] if there else []
            for name in there:
                label = typer.style(f"{'' if name != there[0] else group:<11}", bold=True)
                about = (self.commands[name].help or "").partition("\n\n")[0]
                lines.append(f"{label}{typer.style(f'{name:<20}', fg='cyan')}{about}")
        lines += ["", "Options: --version, --install-completion, --show-completion, --help"]
        formatter.write("\n".join(lines) + "\n")


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
        cls=Overview,
        help="Answer questions that the text at hand only partly answers.",
        no_args_is_help=True,
        pretty_exceptions_enable=False,
    )
    app.callback()(_options)
    groups: dict[str, typer.Typer] = {}
    for (first, *second), load in _wanted(arguments).items():
        if not second:
            _add(app, first, load())
        else:
            if first not in groups:
                groups[first] = typer.Typer(help=GROUPS[first], no_args_is_help=True)
                app.add_typer(groups[first], name=first)
            _add(groups[first], second[0], load())
    return app


def _wanted(arguments: Sequence[str]) -> dict[Verb, Callable[[], Any]]:
    """The one verb that was asked for, those of its group, or all.

    Other packages are looked through only where it is none of ours.
    """
    verbs = {verb: partial(_function, f"lacuna.cli.{module}", verb) for verb, module in OWN.items()}
    asked = (tuple(arguments[:1]), tuple(arguments[:2]))
    for name in asked:
        if name in verbs:
            return {name: verbs[name]}
    every = verbs | {tuple(p.name.split(".")): p.load for p in entry_points(group=COMMANDS)}
    for name in asked:
        if name in every:
            return {name: every[name]}
        _check_installed(name, every)
    return {verb: load for verb, load in every.items() if verb[:1] == asked[0]} or every


def _check_installed(name: Verb, every: Collection[Verb]) -> None:
    for extra, verbs in ELSEWHERE.items():
        if name in verbs and not any(verb[: len(name)] == name for verb in every):
            raise LacunaError(
                f"`lacuna {' '.join(name)}` belongs to a package that is not installed. "
                f"Install it with: pip install 'lacuna-qa[{extra}]'"
            )


def _function(module: str, verb: Verb) -> Any:
    return getattr(import_module(module), verb[-1].replace("-", "_"))


def _add(app: typer.Typer, verb: str, function: Any) -> None:
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
