"""What all pages of a board have in common."""

from __future__ import annotations

from collections.abc import Iterable
from xml.etree.ElementTree import Element

from lacuna.board.board import Board
from lacuna.board.keeping.log_chain import START
from lacuna.board.keeping.teams import Team
from lacuna.server.html_tree import Child, el, whole_page

CSS = ("/static/css/base.css", "/static/css/bar.css", "/static/css/sheet.css")


def board_page(
    board: Board,
    title: str,
    *main: Child | Iterable[Child],
    here: str = "",
    team: Team | None = None,
) -> str:
    """A page of the server, with the way to all others."""
    heading = board.settings.title
    return whole_page(
        heading if title == heading else f"{title} – {heading}",
        *main,
        css=CSS,
        icon="/static/icon.svg",
        home="/",
        navigation=_navigation(here, team),
        foot=log_note(*_end_of_log(board), "/log.jsonl"),
    )


def log_note(records: int, head: str, log: str) -> list[Element]:
    """The end of the log, to be noted by whoever wants to check the board later."""
    return [
        el("p", el("a", "The log", href=log), f" has {records:,} records. Note the sum of the last "
           "one to be able to show later that nothing before it was changed:"),
        el("p", el("code", head)),
    ]  # fmt: skip


def button(text: str, action: str) -> Element:
    """A form that is nothing but a button."""
    return el(
        "form",
        el("button", text, class_="quiet", type="submit"),
        method="post",
        action=action,
        class_="in-line",
    )


def field(label: str, control: Element, hint: str = "") -> Element:
    """A control with its label and what to know of it."""
    name = control.get("name", "")
    control.set("id", name)
    told = el("span", hint, class_="hint", id=f"{name}-hint") if hint else None
    if hint:
        control.set("aria-describedby", f"{name}-hint")
    return el("div", el("label", label, for_=name), control, told, class_="field")


def _navigation(here: str, team: Team | None) -> list[Element]:
    def link(href: str, text: str, class_: str | None = None) -> Element:
        current = "page" if href == here else None
        return el("a", text, href=href, aria_current=current, class_=class_)

    pages = [link("/", "Tables"), link("/submit", "Submit")]
    if team is None:
        return [*pages, link("/login", "Log in", "last")]
    return [*pages, link("/team", team.name, "last")]


def _end_of_log(board: Board) -> tuple[int, str]:
    with board.database.read() as connection:
        last = connection.execute(
            "SELECT number, sum FROM log ORDER BY number DESC LIMIT 1"
        ).fetchone()
    return (last["number"], last["sum"]) if last else (0, START)
