"""The tables of a board, on the server's first page and in an export."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any
from xml.etree.ElementTree import Element

from lacuna.board.board import Board
from lacuna.board.board_file import BoardSettings
from lacuna.board.keeping.log_chain import LogRecord, shown_time
from lacuna.board.keeping.submissions import Submission
from lacuna.board.keeping.teams import Team
from lacuna.board.standings import Standings, standings
from lacuna.board.web.pages.layout import board_page, log_note
from lacuna.server.html_tree import Child, el, table, whole_page


def first_page(board: Board, team: Team | None) -> str:
    """All tables, with the way to each."""
    sections: list[Element] = []
    for one in board.tables.all():
        shown = standings(board, one.key)
        title = el("h2", el("a", one.title, href=f"/tables/{one.key}"))
        sections += [title, about_table(shown), standings_table(shown, lambda n: f"/entries/{n}")]
    if not sections:
        sections = [
            el("p", "There is no table yet: ", el("code", "lacuna board add"), " adds one.")
        ]
    return board_page(
        board, board.settings.title, *_heading(board.settings), sections, here="/", team=team
    )


def exported_page(settings: BoardSettings, tables: Sequence[Standings], last: LogRecord) -> str:
    """The same as a file, which links to the files beside it."""
    sections: list[Element] = []
    for shown in tables:
        files = f"tables/{shown.table.key}/"
        sections += [
            el("h2", shown.table.title),
            about_table(shown),
            standings_table(shown, lambda number: f"entries/{number}/model-card.md"),
            el("p", el("a", "Numbers", href=f"{files}table.json"), " · ",
               el("a", "Datasheet", href=f"{files}datasheet.md"), class_="hint"),
        ]  # fmt: skip
    return whole_page(
        settings.title,
        *_heading(settings),
        sections,
        css=("css/base.css", "css/bar.css", "css/sheet.css"),
        icon="icon.svg",
        home="index.html",
        foot=log_note(last.number, last.sum, "log.jsonl"),
    )


def about_table(shown: Standings) -> Element:
    """What is asked of whom, and how it is scored."""
    one = shown.table
    return el(
        "p",
        f"{one.questions:,} questions of {one.dataset}, setting {one.setting}. Official scores in "
        f"% with 95% intervals, ordered by {one.rank_by}.",
        class_="hint",
    )


def standings_table(shown: Standings, link: Callable[[int], str]) -> Element:
    """The entries, below the rows that are pinned."""
    one = shown.table
    measures = one.measures
    rows: list[list[Child]] = []
    marked: list[str] = []
    if one.human is not None:
        told = f"{one.human.people} people, {one.human.questions:,} questions, {one.human.made}"
        rows.append([_named("Human", told), *scores(shown, one.human.measures, {})])
        marked.append("pinned")
    floor = _named("Always abstain", "what never answering gets")
    rows.append([floor, *scores(shown, one.floor.scores, one.floor.intervals)])
    marked.append("pinned")
    for place, entry in shown.entries:
        rows.append(_entry(shown, place, entry, link(entry.id)))
        marked.append("first" if place == 1 else "")
    columns = ["System", *measures]
    return table(columns, rows, caption=one.title, marked=marked)


def scores(
    shown: Standings, values: Mapping[str, Any], intervals: Mapping[str, Any]
) -> list[Child]:
    """A cell for each measure: the score, and its interval below."""
    percent = 100 / shown.table.scale
    cells: list[Child] = []
    for name in shown.table.measures:
        value, bounds = values.get(name), intervals.get(name)
        below = None
        if bounds is not None:
            below = el("span", f"{percent * bounds[0]:.1f} – {percent * bounds[1]:.1f}",
                       class_="between")  # fmt: skip
        number = "–" if value is None else f"{percent * value:.2f}"
        cells.append(el("span", el("span", number, class_="score"), below))
    return cells


def _entry(shown: Standings, place: int, entry: Submission, href: str) -> list[Child]:
    assert entry.scored is not None
    sent = shown_time(entry.sent_at)[:10]
    name = el(
        "span",
        el("span", f"{place}.", class_="rank"),
        el("a", entry.about.name, href=href),
        el("span", f"{entry.team.name}, {sent}", class_="sub"),
    )
    return [name, *scores(shown, entry.scored.scores, entry.scored.intervals)]


def _named(name: str, told: str) -> Element:
    return el("span", name, el("span", told, class_="sub"))


def _heading(settings: BoardSettings) -> list[Element]:
    about = [el("p", settings.about, class_="lead")] if settings.about else []
    return [el("h1", settings.title), *about]
