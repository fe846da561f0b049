"""`lacuna board`: run a leaderboard with hidden test answers."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated

import typer

from lacuna.cli.options import DatasetName, Host, HostNames, Port
from lacuna.cli.options import SettingOption as SettingName
from lacuna.cli.settings import server_settings
from lacuna_collect.cli.collect import tell_address

BoardFolder = Annotated[
    Path, typer.Argument(metavar="BOARD", help="The board's folder.", show_default=False)
]


def init(
    board: BoardFolder,
    title: Annotated[str, typer.Option(help="The board's heading.")] = "Board",
) -> None:
    """Make a board in a new folder; its limits, and what it is about, stand in board.toml."""
    from lacuna.cli.console import notify
    from lacuna.cli.options import check_output_folder
    from lacuna_collect.board.board import Board
    from lacuna_collect.board.database import BoardSettings

    check_output_folder(board)
    Board.create(board, BoardSettings(title=title))
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
    from lacuna.cli.console import notify, say
    from lacuna_collect.board.board import Board

    opened = Board.open(board)
    table = opened.tables.add(dataset, gold, setting, title, rank_by)
    say(table.key)
    sheet = board / "tables" / table.key / "datasheet.md"
    notify(f"{table.questions:,} questions, ordered by {table.rank_by}. Fill in {sheet}.", "Done")
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
    from lacuna.cli.console import notify
    from lacuna.metrics.comparison import HumanRow
    from lacuna_collect.board.board import Board

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
    from lacuna.cli.console import say
    from lacuna_collect.board.board import Board

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
    from lacuna.cli.console import notify
    from lacuna_collect.board.board import Board
    from lacuna_collect.board.database import plain_line

    opened = Board.open(board)
    opened.submissions.withdraw(number, plain_line(reason, "The reason", 500))
    notify(f"Entry {number} is off the board.", "Done")


def serve(
    board: BoardFolder,
    host: Host = "127.0.0.1",
    port: Port = 8440,
    allow_host: HostNames = None,
) -> None:
    """Show a board, take predictions and score them.

    Everybody who reaches it may look; sending takes a team's key, which `lacuna board team` makes.
    Ctrl+C ends it, and nothing is lost: what was queued is scored when it runs again.
    """
    from lacuna.web.access import AllowedHosts
    from lacuna_collect.board.app import run_board_server
    from lacuna_collect.board.board import Board

    unsafe = "Teams' keys are sent unencrypted. Put TLS before it, and set LACUNA_HTTPS=1."
    https = server_settings().https
    run_board_server(
        Board.open(board),
        host=host,
        port=port,
        hosts=AllowedHosts.of(host, allow_host or []),
        secure=https,
        ready=lambda address: tell_address(
            "The board is at", address, host, "" if https else unsafe
        ),
    )


@dataclass(frozen=True, slots=True)
class Card:
    """The file of --about: what stands on an entry's page beside its name."""

    description: str = ""
    code: str = ""
    parameters: str = ""


def submit(
    address: Annotated[
        str, typer.Argument(metavar="ADDRESS", help="Where the board is.", show_default=False)
    ],
    predictions: Annotated[
        Path,
        typer.Argument(
            metavar="PRED", help="Predictions in the official format.", show_default=False
        ),
    ],
    table: Annotated[str, typer.Option(metavar="KEY", help="As in the table's address.")],
    name: Annotated[str, typer.Option(help="The name of the system.")],
    key_file: Annotated[
        Path, typer.Option(metavar="FILE", help="A file that holds your team's key.")
    ],
    about: Annotated[
        Path | None,
        typer.Option(
            metavar="TOML",
            help="A file that says more: description (how it answers), code (an address), "
            "parameters (size, hyperparameters, training data).",
            show_default=False,
        ),
    ] = None,
    private: Annotated[
        bool, typer.Option("--private", help="Only your team sees it until you show it.")
    ] = False,
) -> None:
    """Send predictions, wait until they are scored, and print the scores."""
    from lacuna.cli.console import notify, print_table
    from lacuna.files.settings import read_toml, typed
    from lacuna_collect.board.sending import Sending

    said = Card() if about is None else typed(read_toml(about), Card, str(about))
    sent = {"table": table, "name": name, "shown": "private" if private else "public"}
    outcome = Sending(address, key_file).submit(predictions, sent | asdict(said))
    scored = outcome["scores"]
    rows = [
        (measure, value, bounds and f"{bounds[0]:.4f} – {bounds[1]:.4f}")
        for measure, value in scored["scores"].items()
        for bounds in [scored["intervals"][measure]]
        if value is not None
    ]
    shown = [(measure, f"{value:.4f}", bounds) for measure, value, bounds in rows]
    title = f"{scored['questions']:,} questions, official scores"
    print_table(title, ("measure", "score", "95% interval"), shown)
    for note in scored["notes"]:
        notify(note)
    seen = "everybody sees it" if outcome["public"] else "only your team sees it"
    notify(f"It is submission {outcome['submission']}; {seen}.", "Done")


def export(
    board: BoardFolder,
    out: Annotated[Path, typer.Argument(metavar="DIR", help="A new folder.", show_default=False)],
) -> None:
    """Write the whole board as files that anyone can check; nothing hidden is among them."""
    from lacuna.cli.console import notify
    from lacuna.cli.options import check_output_folder
    from lacuna_collect.board.board import Board
    from lacuna_collect.board.export import export_board

    check_output_folder(out, reads=[board])
    entries = export_board(Board.open(board), out)
    notify(f"{entries:,} entries are in {out}. Check it: lacuna board verify {out}", "Done")


def verify(
    folder: Annotated[
        Path, typer.Argument(metavar="DIR", help="What `export` wrote.", show_default=False)
    ],
    board: Annotated[
        Path | None,
        typer.Option(
            metavar="BOARD",
            help="The board itself, for its owner: every entry is scored again.",
            show_default=False,
        ),
    ] = None,
    head: Annotated[
        str | None,
        typer.Option(
            metavar="SUM",
            help="The sum of a record that was noted earlier, which the log must still have.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Check an exported board: its files, its log, its entries, and that scores add up."""
    from lacuna.cli.console import notify, print_table
    from lacuna.errors import LacunaError
    from lacuna_collect.board.board import Board
    from lacuna_collect.board.export import rescore_export, verify_export

    found = verify_export(folder, head=head)
    if board is not None:
        rescore_export(folder, Board.open(board), found)
    print_table("Checked", ("what", "how many"), found.checked.items())
    if found.wrong:
        raise LacunaError(
            f"{folder} does not hold: {'; '.join(found.wrong)}. Get it anew from whoever runs the "
            "board."
        )
    notify("All of it holds.", "Done")
