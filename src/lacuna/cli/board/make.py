"""``lacuna board init|add|human|team|withdraw``: what whoever runs a board does to it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from lacuna.cli.options import DatasetName, SettingName

BoardFolder = Annotated[
    Path, typer.Argument(metavar="BOARD", help="The board's folder.", show_default=False)
]


def init(
    board: BoardFolder,
    title: Annotated[str, typer.Option(help="The board's heading.")] = "Board",
    about: Annotated[str, typer.Option(help="A sentence or two below it.")] = "",
) -> None:
    """Make a board in a new folder; its limits stand in board.toml."""
    from lacuna.board.board import Board
    from lacuna.board.board_file import BoardSettings
    from lacuna.cli.console import notify
    from lacuna.cli.outputs import check_output_folder

    check_output_folder(board)
    Board.create(board, BoardSettings(title=title, about=about))
    notify(f"{board} is made. Add a table with: lacuna board add {board} DATASET GOLD", "Done")


def add(
    board: BoardFolder,
    dataset: DatasetName,
    gold: Annotated[
        Path,
        typer.Argument(
            metavar="GOLD",
            help="The dataset's file with answers, plain or gzipped. It is copied; nobody is sent "
            "an answer of it.",
            show_default=False,
        ),
    ],
    setting: SettingName = None,
    title: Annotated[
        str, typer.Option(help="The table's heading; without it, dataset and setting.")
    ] = "",
    rank_by: Annotated[
        str | None,
        typer.Option(
            metavar="MEASURE",
            help="What entries are ordered by; without it joint_f1, or the dataset's first one.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Add a table: a dataset in one setting, scored by answers that stay hidden.

    People download its questions without answers, and a datasheet, which is for you to fill in.
    """
    from lacuna.board.board import Board
    from lacuna.cli.console import notify, say

    opened = Board.open(board)
    table = opened.tables.add(dataset, gold, setting, title, rank_by)
    say(table.key)
    sheet = board / "tables" / table.key / "datasheet.md"
    notify(
        f"{table.questions:,} questions, ordered by {table.rank_by}. Fill in {sheet}.",
        "Done",
    )
    if not opened.tables.can_be_asked(table.key):
        notify(
            f"In the setting {table.setting}, systems read what only the answers tell. It does not "
            "go out with the questions: choose another --setting, or give it to people yourself.",
            "Warning",
        )
    if table.questions < table.smallest_part:
        notify(
            f"Each score of so few questions tells much of their answers; parts are told from "
            f"{table.smallest_part} questions on."
        )


def human(
    board: BoardFolder,
    row: Annotated[
        Path,
        typer.Argument(
            metavar="FILE",
            help="JSON with dataset, setting, questions, measures, people and made.",
            show_default=False,
        ),
    ],
    key: Annotated[
        str | None,
        typer.Option("--table", help="Its key, where several are of that dataset and setting."),
    ] = None,
) -> None:
    """Pin what people reach to the table of that dataset and setting."""
    from lacuna.board.board import Board
    from lacuna.cli.console import notify
    from lacuna.metrics.human_row import HumanRow

    table = Board.open(board).tables.set_human(HumanRow.read(row), key)
    notify(f"{table.key} has a human row.", "Done")


def team(
    board: BoardFolder,
    name: Annotated[str, typer.Argument(metavar="NAME", help="Its name.", show_default=False)],
    new_key: Annotated[
        bool, typer.Option("--new-key", help="Give a team that is there a new key.")
    ] = False,
) -> None:
    """Make a team and print its key, which cannot be printed again."""
    from lacuna.board.board import Board
    from lacuna.cli.console import say

    teams = Board.open(board).teams
    say(teams.renew(name) if new_key else teams.add(name))


def withdraw(
    board: BoardFolder,
    number: Annotated[
        int, typer.Argument(metavar="NUMBER", help="The entry's number.", show_default=False)
    ],
    reason: Annotated[str, typer.Option(help="Why; its team and the log are told.")],
) -> None:
    """Take an entry off the board."""
    from lacuna.board.board import Board
    from lacuna.board.keeping.plain_words import plain_line
    from lacuna.cli.console import notify

    opened = Board.open(board)
    opened.submissions.withdraw(number, plain_line(reason, "The reason", 500))
    notify(f"Entry {number} is off the board.", "Done")
