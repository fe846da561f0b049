"""The project that a verb is about, and what is needed to open one."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lacuna.errors import LacunaError

if TYPE_CHECKING:
    from lacuna.collect.project import CollectProject

ProjectFolder = Annotated[
    Path, typer.Argument(metavar="PROJECT", help="The project's folder.", show_default=False)
]
Database = Annotated[
    str,
    typer.Option(
        metavar="URL",
        help="An empty database of PostgreSQL, as postgresql://user:password@host/name; without "
        "it, the project's folder holds one of SQLite.",
        show_default=False,
    ),
]
NEEDED = ("alembic", "argon2", "pg8000", "sqlalchemy", "websockets")


def check_installed() -> None:
    """Say what to install, where something is missing."""
    if missing := [name for name in NEEDED if find_spec(name) is None]:
        raise LacunaError(
            f"`lacuna collect` needs {', '.join(missing)}. Install all of it with: "
            "pip install 'lacuna-qa[collect]'"
        )


def opened_project(folder: Path) -> CollectProject:
    """The project in a folder."""
    check_installed()
    from lacuna.collect.project import CollectProject

    return CollectProject.open(folder)
