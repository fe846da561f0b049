"""A network that swallows everything: it is noticed by silence, and nothing is lost."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from cut_roads import CutRoad, cut_road
from live_person import LivePerson, exchange, in_roles
from quac_site import let_in, make_quac_project, quac_app
from stand_in import listening

from lacuna.web import listening as server
from lacuna_collect.project import CollectProject

PING = 2.0
"""Seconds instead of ten, so that the tests do not wait for long."""


@pytest.fixture
def project(tmp_path: Path) -> Iterator[CollectProject]:
    made = make_quac_project(tmp_path)
    yield made
    made.close()


@pytest.fixture(params=["proxy", "namespace"])
def talk(
    request: pytest.FixtureRequest, project: CollectProject, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[CutRoad, LivePerson, LivePerson]]:
    """Two who are in a dialog, Ada on a road that can be cut."""
    monkeypatch.setattr(server, "SOCKET_PING", PING)
    with (
        listening(quac_app(project), "0.0.0.0") as address,
        cut_road(request.param, address) as road,
    ):
        ada = LivePerson(address, *let_in(project, "Ada")[:2], road.connect)
        ben = LivePerson(address, *let_in(project, "Ben")[:2])
        ada.hello()
        ben.begin()
        ada.get("dialog")
        try:
            yield road, ada, ben
        finally:
            road.mend()
            for one in (ada, ben):
                one.close()


def test_a_partner_whose_network_is_cut(
    project: CollectProject, tmp_path: Path, talk: tuple[CutRoad, LivePerson, LivePerson]
) -> None:
    road, ada, ben = talk
    student, teacher = in_roles(ada, ben)
    exchange(student, teacher, "What was first?", "The breakwater of Sell")
    if ada is teacher:
        student.ask("When was it begun?")
        teacher.get("event", lambda event: event["number"] == 3)
    road.cut()
    cut_at = time.monotonic()
    lost = ada.socket
    if ada is student:  # in the middle of the turn: sent, and swallowed
        said: dict[str, Any] = {"text": "When was it begun?"}
    else:
        start = teacher.seen["text"].index("in 1876")
        span = {"kind": "span", "start": start, "end": start + len("in 1876")}
        said = {"answer": {**span, "yesno": "x", "followup": "m"}}
    ada.send(type="say", key="swallowed", after=ada.last, **said)
    told = ben.get("partner")
    assert told == {"type": "partner", "is_here": False, "seconds": 60}
    assert time.monotonic() - cut_at > PING / 2, "by silence, not by a close"
    assert '"swallowed"' not in "\n".join(ben.raw)
    road.mend()
    ada.socket = ada._opened()  # the lost one is not closed: what it held back may still arrive
    ada.hello()
    assert ada.get("dialog")["dialog"] == ben.dialog
    assert ben.get("partner")["is_here"] is True
    ada.send(type="say", key="swallowed", after=ada.last, **said)
    number = ada.get("ack", lambda ack: ack["key"] == "swallowed")["number"]
    heard = ben.get("event", lambda event: event["number"] == number)
    assert heard["kind"] == ("question" if ada is student else "answer")
    if ada is student:
        teacher.answer("in 1876")
        student.get("event", lambda event: event["kind"] == "answer")
    exchange(student, teacher, "Was anybody hurt?", None)
    student.send(type="leave")
    assert teacher.get("ended")["pairs"] == 3
    lost.close()
    assert _asked(project, tmp_path) == [
        ["What was first?", "When was it begun?", "Was anybody hurt?"]
    ]


def test_who_comes_back_before_the_server_notices(
    talk: tuple[CutRoad, LivePerson, LivePerson],
) -> None:
    """The page gives up first: the old connection is taken over, and the partner sees nothing."""
    road, ada, ben = talk
    road.cut()
    road.mend()
    ada.socket = ada._opened()
    ada.hello()
    ada.get("dialog")
    exchange(*in_roles(ada, ben), "When?", "in 1876")
    assert not [text for text in ben.raw if '"is_here": false' in text]


def _asked(project: CollectProject, folder: Path) -> list[list[str]]:
    project.export(folder / "out")
    exported = json.loads((folder / "out" / "train.json").read_text())["data"]
    return [[qa["question"] for qa in one["paragraphs"][0]["qas"]] for one in exported]
