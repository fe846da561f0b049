"""The pages of a board, made on the server."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any
from xml.etree.ElementTree import Element

from lacuna.metrics.report import ScoreTable, cell
from lacuna.metrics.statistics import PairedTest
from lacuna.web.html_tree import Child, el, table, whole_page
from lacuna_collect.board.board import Board
from lacuna_collect.board.database import START, BoardSettings, LogRecord, shown_time
from lacuna_collect.board.standings import Standings, Tests, kinds_table, scores_table, standings
from lacuna_collect.board.submissions import Submission, SubmissionState, Team


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
        static="/static/",
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
    with board.database.read() as transaction:
        last = transaction.last_record()
    return (last.number, last.sum) if last else (0, START)


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
        static="",
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


WORDS = {
    SubmissionState.QUEUED: "It waits to be scored.",
    SubmissionState.SCORING: "It is being scored.",
    SubmissionState.REFUSED: "It was refused before it was scored, and counts as a file sent, "
    "not as a submission.",
    SubmissionState.TOO_COSTLY: "It could not be scored within the limits, and counts as a "
    "submission.",
    SubmissionState.FAILED: "It could not be scored. Whoever runs the board can see more.",
}


def entry_page(board: Board, entry: Submission, team: Team | None) -> str:
    """An entry as everybody sees it, or as its own team does while it is private or waits."""
    about, is_own = entry.about, team is not None and team.id == entry.team.id
    one = board.tables.get(about.table)
    main: list[Child] = [
        el("h1", about.name),
        el(
            "p",
            f"{entry.team.name}, {shown_time(entry.sent_at)[:10]}, ",
            el("a", one.title, href=f"/tables/{one.key}"),
            class_="lead",
        ),
    ]
    if is_own:
        main.append(_own(entry))
    main.append(el("p", about.description, class_="lines") if about.description else None)
    if about.code:
        link = el("a", about.code, href=about.code, rel="nofollow noopener noreferrer")
        main.append(el("p", "Code: ", link))
    if about.parameters:
        main += [el("h2", "Parameters"), el("p", about.parameters, class_="lines")]
    if entry.scored is not None:
        details = entry.details()
        main += [
            _table(scores_table(one, details)),
            *(el("p", note, class_="hint") for note in entry.scored.notes),
            _table(kinds_table(one, details)),
            el("p", "Kinds with few questions are put together, so that no single question is "
               "told.", class_="hint"),
            el("p", el("a", "Model card", href=f"/entries/{entry.id}/model-card.md"),
               ", with blanks for the team to fill in."),
            el("p", "SHA-256 of the predictions: ", el("code", entry.file_sum), class_="hint"),
        ]  # fmt: skip
    return board_page(board, about.name, *main, team=team)


def _own(entry: Submission) -> Element:
    """What only its own team sees."""
    if entry.state is not SubmissionState.SCORED:
        return el(
            "div",
            el(
                "p",
                el("strong", f"{entry.state.capitalize().replace('-', ' ')}. "),
                WORDS[entry.state],
            ),
            el("p", entry.problem, class_="note problem lines") if entry.problem else None,
            el("p", el("a", "Look again", href=f"/entries/{entry.id}"))
            if entry.state in (SubmissionState.QUEUED, SubmissionState.SCORING)
            else None,
            class_="card",
        )
    if entry.withdrawn:
        said = f"Whoever runs the board has taken it off: {entry.withdrawn}"
        return el("p", said, class_="note problem")
    is_public = entry.about.is_public
    said = "Everybody sees this entry." if is_public else "Only your team sees this entry."
    other = button(
        "Make it private" if is_public else "Make it public",
        f"/entries/{entry.id}/{'private' if is_public else 'public'}",
    )
    return el("div", el("p", said), other, class_="card")


def _table(shown: ScoreTable) -> Element:
    rows = ([cell(value) for value in row] for row in shown.rows)
    return el("div", el("h2", shown.title), table(shown.columns, rows, caption=shown.title))


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
    rows: list[list[Child]] = [[_name(board, entry), _state(entry)] for entry in sent]
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
