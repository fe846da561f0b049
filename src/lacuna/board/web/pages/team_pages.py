"""What a team sees: the way in, the form to send predictions, and what became of them."""

from __future__ import annotations

from collections.abc import Mapping
from xml.etree.ElementTree import Element

from lacuna.board.board import Board
from lacuna.board.keeping.log_chain import shown_time
from lacuna.board.keeping.submissions import Submission
from lacuna.board.keeping.teams import Team
from lacuna.board.web.pages.layout import board_page, button, field
from lacuna.server.html_tree import Child, el, table


def login_page(board: Board, problem: str = "") -> str:
    """A team comes in with its key."""
    key = el("input", name="key", type="password", autocomplete="current-password", required=True)
    form = el(
        "form",
        el("p", problem, class_="note problem", role="alert") if problem else None,
        field("Your team's key", key, "Whoever runs the board gives it to you."),
        el("button", "Log in", class_="primary", type="submit"),
        method="post",
        action="/login",
    )
    about = "Everybody can look at the tables. Sending predictions takes a team's key."
    return board_page(
        board, "Log in", el("h1", "Log in"), el("p", about), el("div", form, class_="card"),
        here="/login",
    )  # fmt: skip


def submit_page(board: Board, team: Team, given: Mapping[str, str], problem: str = "") -> str:
    """The form to send predictions; what was typed stays where something is refused."""
    settings = board.settings
    tables = board.tables.all()
    options = (
        el("option", one.title, value=one.key, selected=one.key == given.get("table"))
        for one in tables
    )

    def line(name: str, **more: object) -> Element:
        return el("input", name=name, type="text", value=given.get(name, ""), **more)

    def text(name: str) -> Element:
        return el("textarea", given.get(name, ""), name=name, rows="4")

    is_private = given.get("shown") == "private"
    form = el(
        "form",
        el("p", problem, class_="note problem", role="alert") if problem else None,
        field("Table", el("select", options, name="table")),
        field("Name of the system", line("name", required=True, maxlength=80)),
        field("Description", text("description"), "How it answers, in a few sentences."),
        field("Code", line("code"), "An address that begins with https://, if there is one."),
        field("Parameters", text("parameters"), "Size, hyperparameters, what it was trained on."),
        field(
            "Predictions",
            el("input", name="predictions", type="file", required=True),
            f"The official format, plain or gzipped: at most {settings.upload_mb} MB, and "
            f"{settings.unpacked_mb} MB unpacked. Every question has to be in it, once.",
        ),
        el(
            "fieldset",
            el("legend", "Who sees it"),
            _choice("public", "Everybody, when it is scored", not is_private),
            _choice("private", "Only your team, until you make it public", is_private),
        ),
        el("button", "Send", class_="primary", type="submit"),
        method="post",
        action="/submit",
        enctype="multipart/form-data",
    )
    hint = (
        f"{settings.a_week} submissions to each table within seven days are scored. What is sent "
        "cannot be changed afterwards."
    )
    main = el("div", form, class_="card") if tables else el("p", "There is no table yet.")
    return board_page(
        board, "Submit", el("h1", "Send predictions"), el("p", hint), main, here="/submit",
        team=team,
    )  # fmt: skip


def team_page(board: Board, team: Team, sent: list[Submission]) -> str:
    """All that a team has sent."""
    rows: list[list[Child]] = [
        [
            _name(board, entry),
            _state(entry),
        ]
        for entry in sent
    ]
    caption = "What your team has sent"
    listed = table(["System", "State"], rows, caption=caption) if rows else None
    return board_page(
        board,
        team.name,
        el("h1", team.name),
        listed if listed is not None else el("p", "Your team has sent nothing yet."),
        el("p", button("Log out", "/logout")),
        here="/team",
        team=team,
    )


def _name(board: Board, entry: Submission) -> Element:
    """On a phone there is room for two columns: where and when it was sent stands below."""
    sent = shown_time(entry.sent_at).replace("T", " ").removesuffix("Z")
    where = f"{board.tables.get(entry.about.table).title}, {sent} UTC"
    link = el("a", entry.about.name, href=f"/entries/{entry.id}")
    return el("span", link, el("span", where, class_="sub"))


def _state(entry: Submission) -> Element:
    told = "" if entry.about.is_public else ", private"
    told = ", taken off the board" if entry.withdrawn else told
    words = entry.withdrawn or entry.problem
    why = el("span", words, class_="sub lines") if words else None
    return el("span", f"{entry.state}{told}", why)


def _choice(value: str, label: str, is_chosen: bool) -> Element:
    control = el("input", type="radio", name="shown", value=value, checked=is_chosen, id=value)
    return el("div", control, el("label", label, for_=value), class_="choice")
