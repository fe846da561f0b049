"""One entry: what its team says of it, and its scores."""

from __future__ import annotations

from xml.etree.ElementTree import Element

from lacuna.board.board import Board
from lacuna.board.keeping.log_chain import shown_time
from lacuna.board.keeping.submissions import Submission, SubmissionState
from lacuna.board.keeping.teams import Team
from lacuna.board.model_card import kinds_table, scores_table
from lacuna.board.web.pages.layout import board_page, button
from lacuna.metrics.score_tables import ScoreTable, cell
from lacuna.server.html_tree import Child, el, table

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
