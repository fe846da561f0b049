"""What goes wrong on the way: nothing that was acknowledged is lost, and nobody else is harmed."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from live_person import Come, LivePerson, exchange, in_roles
from quac_site import let_in, make_quac_project, quac_app
from stand_in import listening
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from lacuna_collect.project import CollectProject


@pytest.fixture
def project(tmp_path: Path) -> Iterator[CollectProject]:
    made = make_quac_project(tmp_path)
    yield made
    made.close()


@pytest.fixture
def pair(come: Come) -> tuple[LivePerson, LivePerson]:
    one, other = come("Ada"), come("Ben")
    one.hello()
    other.begin()
    one.get("dialog")
    return in_roles(one, other)


def test_what_is_sent_twice_is_kept_once(pair: tuple[LivePerson, LivePerson]) -> None:
    student, teacher = pair
    for _ in range(3):
        assert student.ask("When?", key="the same", after=0)["number"] == 1
    teacher.get("event")
    student.reconnect()
    assert student.ask("When?", key="the same", after=0)["number"] == 1
    teacher.answer("in 1876")
    assert student.get("event", lambda event: event["kind"] == "answer")["number"] == 2
    assert student.ask("When?", key="the same", after=0)["number"] == 1
    assert sum('"question"' in text for text in teacher.raw) == 1


def test_what_comes_out_of_order_is_refused(pair: tuple[LivePerson, LivePerson]) -> None:
    student, teacher = pair
    teacher.send(type="say", key="early", after=0, answer={"kind": "none"})
    assert teacher.get("refused")["code"] == "not-your-turn"
    student.send(type="say", key="second", after=2, text="And then?")  # overtook the first
    assert student.get("refused")["code"] == "out-of-order"
    student.ask("When?", key="first")
    student.send(type="say", key="third", after=1, text="And then?")
    assert student.get("refused")["code"] == "not-your-turn"
    teacher.get("event")
    teacher.answer("in 1876")
    student.get("event", lambda event: event["kind"] == "answer")
    assert student.ask("And then?", key="second")["number"] == 3


def test_a_message_of_a_megabyte(pair: tuple[LivePerson, LivePerson]) -> None:
    student, teacher = pair
    with pytest.raises(ConnectionClosed):
        student.send(type="say", key="k", after=0, text="x" * 1_000_000)
        student.get("ack")
    student.reconnect()
    student.get("dialog")
    exchange(student, teacher, "When?", "in 1876")
    student.send(type="say", key="l", after=2, text="x" * 5_000)
    assert "at most 300" in student.get("refused")["problems"][0]["message"]


def test_a_thousand_messages_a_second(pair: tuple[LivePerson, LivePerson], come: Come) -> None:
    student, teacher = pair
    with pytest.raises(ConnectionClosed):
        for _ in range(20_000):
            student.send(type="typing")
    assert student.closed() == 4008
    assert "too-many" in student.raw[-1]
    others = come("Cleo"), come("Dan")
    others[0].hello()
    others[1].begin()
    others[0].get("dialog")
    exchange(*in_roles(*others), "When?", "in 1876")
    assert teacher.get("partner")["is_here"] is False
    assert sum('"typing"' in text for text in teacher.raw) <= 60
    student.reconnect()
    student.get("dialog")
    exchange(student, teacher, "When?", "in 1876")


def test_what_is_no_message(pair: tuple[LivePerson, LivePerson]) -> None:
    student, teacher = pair
    for text in ("", "nothing", "[]", "3", '{"type": 3}', "[" * 20_000, b"\xff\x00"):
        student.socket.send(text)
        assert student.get("refused")["code"] == "bad-message"
    for question in (None, 3, "", "  ", "a\nb", "\ud800", {"a": 1}):
        student.send(type="say", key="k", after=0, text=question)
        assert student.get("refused")["problems"][0]["field"] == "question"
    for key in (None, 3, "", "x" * 101, "\0", "\ud800"):
        student.send(type="say", key=key, after=0, text="When?")
        assert student.get("refused")["code"] in ("no-text", "too-long")
    exchange(student, teacher, "When?", "in 1876")


def test_a_second_window_takes_over(pair: tuple[LivePerson, LivePerson]) -> None:
    student, teacher = pair
    old = student.socket
    student.socket = student._opened()
    student.hello()
    student.get("dialog")
    student.socket, new = old, student.socket
    student.get("taken-over")
    assert student.closed() == 4001
    student.socket = new
    exchange(student, teacher, "When?", "in 1876")
    assert not [text for text in teacher.raw if '"is_here": false' in text]


def test_people_who_are_gone_while_they_are_told(come: Come) -> None:
    cleo = come("Cleo")
    cleo.hello()
    for _ in range(20):  # closed before the answers are there; the fixture looks at the log
        for _ in range(3):
            cleo.send(type="wait")
        cleo.reconnect(wait=True)
    cleo.get("waiting")


def test_others_get_nothing(project: CollectProject, come: Come) -> None:
    one, other = come("Ada"), come("Ben")
    one.hello()
    other.begin()
    one.get("dialog")
    cleo = come("Cleo")
    cleo.dialog = one.dialog
    cleo.hello(wait=False)
    cleo.send(type="say", key="k", after=0, text="When?")
    assert cleo.get("refused")["code"] == "no-such-dialog"
    assert len(cleo.raw) == 1


@pytest.mark.parametrize(
    ("host", "headers"),
    [("evil.example", {}), ("127.0.0.1", {"Origin": "http://evil.example"})],
)
def test_other_sites_do_not_get_in(
    project: CollectProject, host: str, headers: dict[str, str]
) -> None:
    token, _, _ = let_in(project, "Ada")
    with listening(quac_app(project)) as address:
        port = address.rpartition(":")[2]
        at = f"ws://{host}:{port}/collect/api/live/quac-dialogs"
        given = {"Cookie": f"lacuna-collect-{port}={token}", **headers}
        opened = socket.create_connection(("127.0.0.1", int(port)))
        with (
            pytest.raises(InvalidStatus) as refused,
            connect(at, sock=opened, additional_headers=given),
        ):
            pass
        assert refused.value.response.status_code == 403


@pytest.mark.parametrize("known", [True, False])
def test_only_who_is_logged_in(project: CollectProject, known: bool) -> None:
    token, _, _ = let_in(project, "Ada")
    with listening(quac_app(project)) as address:
        person = LivePerson(address, token if known else "guessed", "no secret")
        if known:
            person.hello()
        assert person.get("refused")["code"] == ("no-csrf" if known else "not-logged-in")
        assert person.closed() == 4003
        person.close()


def test_the_interface_does_not_tell_either(
    project: CollectProject, pair: tuple[LivePerson, LivePerson]
) -> None:
    """Sections are handed out to nobody alone, and a dialog cannot be handed in by hand."""
    token, _, number = let_in(project, "Cleo")
    assert token
    none: Any = project.work.next(number, "quac-dialogs")
    assert none.reason == "live"
