"""Who waits, for how long, and who gets the next partner."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from hub_table import HubTable, settle
from quac_site import make_quac_project

from lacuna_collect.live.hub import REMEMBERED, WaitingRoom
from lacuna_collect.project import CollectProject


@pytest.fixture
def project(tmp_path: Path) -> Iterator[CollectProject]:
    made = make_quac_project(tmp_path, reconnect_seconds=60)
    yield made
    made.close()


def test_who_was_left_gets_the_next_partner_before_those_who_wait_longer(
    project: CollectProject,
) -> None:
    async def talk() -> None:
        table = HubTable(project)
        ada, ben = await table.pair("Ada", "Ben")
        await table.hub.leave(ada.line)
        await table.hub.wait(ben.line)
        cleo = await table.seat("Cleo")  # who talks with Ben
        await table.hub.wait(ada.line)  # and Ada waits, for anybody but Ben
        table.now += 30
        await table.hub.leave(cleo.line)
        await table.hub.wait(ben.line)
        await settle()
        assert [len(one.of("dialog")) for one in (ada, ben)] == [1, 2]
        dan = await table.seat("Dan")
        assert [len(one.of("dialog")) for one in (ada, ben, dan)] == [1, 3, 1]

    asyncio.run(talk())


def test_the_order_of_the_line() -> None:
    room = WaitingRoom(60)
    for number, person in enumerate((1, 2, 3)):
        room.enter(person, float(number))
    room.enter(4, 9.0, is_first=True)
    assert [one.person for one in room.here()] == [4, 1, 2, 3]
    assert next(room.pairs(10.0)) == (4, 1)
    room.lose(1, 10.0)
    assert [one.person for one in room.here()] == [4, 2, 3]
    room.enter(1, 20.0)  # back within a minute, in the same place
    assert [one.person for one in room.here()] == [4, 1, 2, 3]
    room.lose(1, 20.0)
    room.forget_gone(81.0)
    room.enter(1, 82.0)  # the place was given up
    assert [one.person for one in room.here()] == [4, 2, 3, 1]


def test_the_estimate_is_how_long_it_took_lately() -> None:
    room = WaitingRoom(60)

    def told() -> int | None:
        room.enter(99, 0.0)
        ((_, notice),) = room.notices(5.0, talking=0, after=0)
        assert notice["waited_seconds"] == 5
        estimate: int | None = notice["estimate_seconds"]
        room.leave(99)
        return estimate

    assert told() is None
    for person, seconds in enumerate((10.0, 20.0, 90.0)):
        room.enter(person, 0.0)
        room.paired(person, seconds)
    assert told() == 20
    for person in range(REMEMBERED):
        room.enter(person, 0.0)
        room.paired(person, 4.0)
    assert told() == 4


def test_a_simulated_partner_is_announced_only_where_one_comes() -> None:
    room = WaitingRoom(60)
    room.enter(1, 0.0)
    ((_, never),) = room.notices(20.0, talking=0, after=0)
    ((_, soon),) = room.notices(20.0, talking=0, after=45)
    assert (never["simulated_in_seconds"], soon["simulated_in_seconds"]) == (None, 25)


def test_a_greeting_that_comes_twice_closes_nothing(project: CollectProject) -> None:
    async def talk() -> None:
        table = HubTable(project)
        student, teacher = await table.pair("Ada", "Ben")
        await table.hub.hello(student.line, {"wait": True})
        await settle()
        assert not student.of("taken-over") + student.of("closed")
        await table.ask(student, "q", 0)
        assert teacher.of("event")

    asyncio.run(talk())
