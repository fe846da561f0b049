"""Dialogs on each kind of database while the server, or its database, is taken away."""

from __future__ import annotations

import json
import signal
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from benchmarks.collecting.killed_server import KilledServer
from live_person import LivePerson, exchange, in_roles
from private_postgres import hang_up, new_postgres_database
from quac_site import let_in, make_quac_project, quac_app
from stand_in import listening

from lacuna_collect.project import CollectProject

PAIRS, MOST = 3, 12
NUMBERS = count()
CUT_ANSWERS = ("A storm", None)


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest) -> str:
    """What a project is told of its database: nothing, or where PostgreSQL is."""
    if request.param == "sqlite":
        return ""
    return new_postgres_database(request.getfixturevalue("postgres"), f"live{next(NUMBERS)}")


def test_the_server_is_killed_during_dialogs(tmp_path: Path, url: str) -> None:
    """Several dialogs, two kills, and every event that anybody was told of is there once."""
    project = make_quac_project(tmp_path, database=url)
    keys = [let_in(project, f"Person {number}") for number in range(2 * PAIRS)]
    server = KilledServer(project.folder, tmp_path / "log")
    server.start()
    address = f"http://127.0.0.1:{server.port}"
    people = [LivePerson(address, token, csrf) for token, csrf, _ in keys]
    try:
        for one in people:
            one.hello()
        for one in people:
            one.get("dialog")
        dialogs = [
            in_roles(*(one for one in people if one.dialog == number))
            for number in sorted({one.dialog or 0 for one in people})
        ]
        assert len(dialogs) == PAIRS
        for turn, cut_answer in enumerate(CUT_ANSWERS):
            for student, teacher in dialogs:
                exchange(student, teacher, f"Question {turn}?", "in 1876")
            for student, _ in dialogs:  # sent, and nobody knows whether it arrived
                student.send(type="say", key=f"cut-{turn}", after=student.last, text="Cut off?")
            server._end(signal.SIGKILL)
            server.start()
            for student, teacher in dialogs:
                for one in (student, teacher):
                    one.reconnect()
                    one.get("dialog")
                if student.ask("Cut off?", key=f"cut-{turn}")["number"] > teacher.last:
                    teacher.get("event", lambda event: event["kind"] == "question")
                teacher.answer(cut_answer)
                student.get("event", lambda event: event["kind"] == "answer")
        for student, teacher in dialogs[1:]:
            exchange(student, teacher, "Question 2?", "in 1876")
            student.send(type="leave")
            assert teacher.get("ended")["pairs"] == 5
        student, teacher = dialogs[0]  # the first goes on to its end
        for turn in range(2, MOST - 2):
            exchange(student, teacher, f"Question {turn}?", "in 1876")
        for one in (student, teacher):
            assert one.get("ended")["by"] == "length"
    finally:
        for one in people:
            one.close()
        server.stop()
    cut = [("Cut off?", "A storm"), ("Cut off?", "CANNOTANSWER")]
    begun = [("Question 0?", "in 1876"), cut[0], ("Question 1?", "in 1876"), cut[1]]
    more = [(f"Question {turn}?", "in 1876") for turn in range(2, MOST - 2)]
    whole = [begun + more, *[begun + more[:1]] * (PAIRS - 1)]
    assert _exported(project, tmp_path) == whole
    paid = sorted(row.cents for row in project.work.ledger.rows())
    assert paid == [130] * 4 + [396] * 2  # 22 + 24 + 26 + 28 + 30, and twelve answers
    project.close()


def test_the_database_hangs_up(tmp_path: Path, postgres: Path) -> None:
    """All connections to PostgreSQL are ended during a dialog, as when it is restarted."""
    name = new_postgres_database(postgres, f"live{next(NUMBERS)}")
    project = make_quac_project(tmp_path, database=name)
    with listening(quac_app(project)) as address:
        people = [LivePerson(address, *let_in(project, one)[:2]) for one in ("Ada", "Ben")]
        people[0].hello()
        people[1].begin()
        people[0].get("dialog")
        student, teacher = in_roles(*people)
        for turn in range(3):
            hang_up(name)
            said: dict[str, Any] = {"key": f"key {turn}", "after": student.last}
            student.send(type="say", text=f"Question {turn}?", **said)
            told = _ack_or_refusal(student)
            if told["type"] == "refused":  # in words, and said again it is kept
                assert told["code"] == "database"
                student.send(type="say", text=f"Question {turn}?", **said)
                student.get("ack")
            teacher.get("event", lambda event: event["kind"] == "question")
            teacher.answer("in 1876")
            student.get("event", lambda event: event["kind"] == "answer")
        student.send(type="leave")
        teacher.get("ended")
        for one in people:
            one.close()
    project.close()
    with CollectProject.open(project.folder) as again:  # its own connections were ended, too
        assert _exported(again, tmp_path) == [[(f"Question {n}?", "in 1876") for n in range(3)]]


def _ack_or_refusal(person: LivePerson) -> Any:
    while True:
        message = json.loads(person.socket.recv(timeout=20))
        if message["type"] in ("ack", "refused"):
            return message


def _exported(project: CollectProject, folder: Path) -> list[list[tuple[str, str]]]:
    """Questions and answers of each dialog, the longest first."""
    project.export(folder / "out")
    data = json.loads((folder / "out" / "train.json").read_text(encoding="utf-8"))["data"]
    dialogs = [
        [(qa["question"], qa["orig_answer"]["text"]) for qa in one["paragraphs"][0]["qas"]]
        for one in data
    ]
    return sorted(dialogs, key=len, reverse=True)
