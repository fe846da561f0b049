"""Submissions go from state to state, and are limited."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from board_site import GOOD, HUMAN, IIRC, BoardSite, answers
from sqlalchemy import text

from lacuna.errors import LacunaError
from lacuna_collect.board.board import Board
from lacuna_collect.board.database import (
    BOARD_METADATA,
    DATABASE_FILE,
    BoardDatabase,
    BoardTransaction,
)
from lacuna_collect.board.scored_file import score_file
from lacuna_collect.board.submissions import ATTEMPTS, WEEK, SubmissionState
from lacuna_collect.database.engine import CollectDatabase, sqlite_url


def test_what_breaks_off_is_tried_again_and_not_for_ever(site: BoardSite) -> None:
    number = site.send(GOOD).json()["submission"]
    submissions = site.board.submissions
    for attempt in range(1, ATTEMPTS + 1):
        claimed = submissions.claim()
        assert claimed is not None
        assert (claimed.state, claimed.attempts) == (SubmissionState.SCORING, attempt)
        assert submissions.claim() is None
        submissions.broke_off(number, "")
    assert submissions.get(number).state is SubmissionState.FAILED
    assert "3 times" in submissions.get(number).problem


def test_a_server_that_was_ended_is_gone_on_from(site: BoardSite) -> None:
    number = site.send(GOOD).json()["submission"]
    site.board.submissions.claim()
    assert site.board.submissions.pick_up() == 1
    assert site.board.submissions.get(number).state is SubmissionState.QUEUED
    again = site.board.submissions.claim()
    assert again is not None
    site.board.submissions.give_back(number)
    assert site.board.submissions.get(number).attempts == 1


def test_a_team_is_limited_by_week_and_table(site: BoardSite, monkeypatch: Any) -> None:
    for _ in range(3):
        assert site.send(answers()).status_code == 202
    got = site.send(answers())
    assert (got.status_code, got.json()["code"]) == (429, "sent-enough")
    assert "3 submissions to this table" in got.json()["message"]
    site.team("Others")
    assert site.send(answers(), "Others").status_code == 202
    site.board.submissions.was_refused(1, "not so")
    assert site.send(answers()).status_code == 202, "what is refused does not count"
    site.board.submissions.was_too_costly(2, "It took too long.")
    assert site.send(answers()).status_code == 429, "what takes too much does"
    page = site.client.get("/entries/2", headers=site.bearer())
    assert "Too costly. " in page.text
    later = site.board.database.clock.now() + WEEK
    monkeypatch.setattr(site.board.database.clock, "now", lambda seen=0.0: later)
    assert site.send(answers()).status_code == 202


def test_files_that_are_refused_are_limited_too(site: BoardSite) -> None:
    for number in range(1, 31):
        assert site.send(answers()).status_code == 202
        site.board.submissions.was_refused(number, "not so")
    got = site.send(answers())
    assert got.status_code == 429
    assert "30 files" in got.json()["message"]


def test_two_at_once_do_not_pass_the_limit_together(site: BoardSite) -> None:
    site.send(answers())
    site.send(answers())
    codes: list[int] = []
    senders = [
        threading.Thread(target=lambda: codes.append(site.send(answers()).status_code))
        for _ in range(6)
    ]
    for sender in senders:
        sender.start()
    for sender in senders:
        sender.join()
    assert sorted(codes) == [202, *[429] * 5]
    assert len(list((site.board.folder / "submissions").iterdir())) == 3
    assert list((site.board.folder / "arriving").iterdir()) == []


def test_all_or_nothing_when_the_database_fails(site: BoardSite, monkeypatch: Any) -> None:
    number = site.send(GOOD).json()["submission"]
    site.board.submissions.claim()
    tables = site.board.tables
    scored, _ = score_file("iirc", tables.gold(IIRC), site.board.submissions.predictions(1), 10)

    def fails(*_: object) -> None:
        raise RuntimeError("killed here")

    monkeypatch.setattr(BoardTransaction, "log", fails)
    with pytest.raises(RuntimeError):
        site.board.submissions.was_scored(number, scored)
    monkeypatch.undo()
    assert site.board.submissions.get(number).state is SubmissionState.SCORING
    site.board.submissions.was_scored(number, scored)
    assert site.board.submissions.get(number).scored == scored


def test_a_database_of_another_version_is_refused(site: BoardSite) -> None:
    with site.board.database.begin() as transaction:
        transaction.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(LacunaError, match="board's database was made by a newer version"):
        BoardDatabase.in_folder(site.board.folder)


def test_migrations_make_the_tables_of_this_version(site: BoardSite) -> None:
    with site.board.database.engine.connect() as connection:
        found = compare_metadata(MigrationContext.configure(connection), BOARD_METADATA)
    assert found == []


def test_a_board_from_before_migrations_is_gone_on_with(site: BoardSite) -> None:
    number = site.send(GOOD).json()["submission"]
    with site.board.database.begin() as transaction:
        transaction.execute(text("DROP TABLE alembic_version"))
    again = Board.open(site.board.folder)
    assert again.submissions.get(number) == site.board.submissions.get(number)
    assert again.tables.get(IIRC).human == HUMAN


def test_a_project_s_database_is_no_board_s(tmp_path: Path) -> None:
    CollectDatabase.open(sqlite_url(tmp_path / DATABASE_FILE), create=True).close()
    with pytest.raises(LacunaError, match="newer version"):
        BoardDatabase.in_folder(tmp_path)
