"""One table: its entries, what can be downloaded, and two entries side by side."""

from __future__ import annotations

from collections.abc import Mapping
from xml.etree.ElementTree import Element

from lacuna.board.board import Board
from lacuna.board.comparing import Tests
from lacuna.board.keeping.submissions import Submission
from lacuna.board.keeping.teams import Team
from lacuna.board.standings import Standings
from lacuna.board.web.pages.board_page import about_table, standings_table
from lacuna.board.web.pages.layout import board_page, field
from lacuna.metrics.paired_test import PairedTest
from lacuna.server.html_tree import Child, el, table


def table_page(board: Board, shown: Standings, team: Team | None) -> str:
    """A table and the way to compare two of its entries."""
    one = shown.table
    here = f"/tables/{one.key}"
    comparing: list[Child] = []
    if len(shown.entries) > 1:
        comparing = [el("h2", "Two entries side by side"), compare_form(shown)]
    return board_page(
        board,
        one.title,
        el("h1", one.title),
        about_table(shown),
        standings_table(shown, lambda number: f"/entries/{number}"),
        *comparing,
        el("h2", "Taking part"),
        el(
            "p",
            "Download the ",
            el("a", "questions without answers", href=f"{here}/questions", download=True),
            f", write predictions in the official format of {one.dataset}, and ",
            el("a", "send them", href="/submit"),
            ". What is in them is told by the ",
            el("a", "datasheet", href=f"{here}/datasheet.md"),
            ".",
        ),
        el("p", "The answers are hidden; their seal is ", el("code", one.gold_seal), ".",
           class_="hint"),
        team=team,
    )  # fmt: skip


def compare_page(
    board: Board,
    shown: Standings,
    pair: tuple[Submission, Submission] | None,
    tests: Tests,
    problem: str,
    team: Team | None,
) -> str:
    """Two entries, and whether their difference is more than chance."""
    main: list[Child] = [
        el("h1", "Two entries side by side"),
        el("p", el("a", shown.table.title, href=f"/tables/{shown.table.key}"), class_="lead"),
        el("p", problem, class_="note problem") if problem else None,
        compare_form(shown, pair),
    ]
    if pair is not None:
        main += _compared(shown, pair, tests)
    return board_page(board, "Two entries side by side", *main, team=team)


def compare_form(shown: Standings, pair: tuple[Submission, Submission] | None = None) -> Element:
    """A form to choose two entries."""
    entries = [entry for _, entry in shown.entries]
    chosen = pair or (entries[0], entries[1])

    def choice(name: str, label: str, selected: Submission) -> Element:
        options = (
            el("option", f"{entry.about.name} ({entry.team.name})", value=entry.id,
               selected=entry.id == selected.id)
            for entry in entries
        )  # fmt: skip
        return field(label, el("select", options, name=name))

    return el(
        "form",
        choice("first", "First", chosen[0]),
        choice("second", "Second", chosen[1]),
        el("button", "Compare", class_="primary", type="submit"),
        method="get",
        action=f"/tables/{shown.table.key}/compare",
        class_="side",
    )


def _compared(
    shown: Standings, pair: tuple[Submission, Submission], tests: Mapping[str, PairedTest | None]
) -> list[Child]:
    percent = 100 / shown.table.scale
    first, second = pair

    def score(entry: Submission, name: str) -> str:
        value = entry.scored.scores.get(name) if entry.scored else None
        return "–" if value is None else f"{percent * value:.2f}"

    rows: list[list[Child]] = []
    for name, test in tests.items():
        difference = "–" if test is None else f"{percent * test.difference:+.2f}"
        p_value = "–" if test is None else f"{test.p_value:.4f}"
        rows.append([name, score(first, name), score(second, name), difference, p_value])
    columns = ["Measure", first.about.name, second.about.name, "Difference", "p-value"]
    return [
        table(columns, rows, caption="Both entries, with a paired test"),
        el(
            "p",
            "Approximate randomisation over texts or dialogs, two-sided, 10,000 rounds: how often "
            "chance alone gives a difference at least as large. Who compares many pairs will find "
            "small values by chance.",
            class_="hint",
        ),
    ]
