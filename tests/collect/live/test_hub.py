"""What happens at the same moment in one hub: nobody is ended, told or unseated wrongly."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hub_table import HubTable, Seat, settle
from quac_site import let_in, make_quac_project

from lacuna_collect.live.dialogs import EndedBy
from lacuna_collect.project import CollectProject
from lacuna_collect.refused import RefusedError
from lacuna_collect.tasks.task import DialogRole


@pytest.fixture
def project(tmp_path: Path) -> Iterator[CollectProject]:
    made = make_quac_project(
        tmp_path, reconnect_seconds=60, idle_warning_seconds=120, idle_end_seconds=300
    )
    yield made
    made.close()


def test_who_speaks_at_the_last_moment_has_not_left(project: CollectProject) -> None:
    async def talk() -> None:
        table = HubTable(project)
        student, teacher = await table.pair("Ada", "Ben")
        table.now += 301
        with table.slow("say") as go_on:
            asking = asyncio.create_task(table.ask(student, "q", 0))
            await settle()
            ticking = asyncio.create_task(table.hub.tick())
            await settle()
            go_on.set()
            await asyncio.gather(asking, ticking)
        assert [ack["key"] for ack in student.of("ack")] == ["q"]
        assert not student.of("ended") + teacher.of("ended")
        table.now += 301
        await table.hub.tick()
        await settle()
        assert teacher.of("ended")[0]["by"] == "teacher"  # whose turn it is now

    asyncio.run(talk())


def test_who_comes_back_at_the_last_moment_has_not_left(project: CollectProject) -> None:
    async def talk() -> None:
        table = HubTable(project)
        student, teacher = await table.pair("Ada", "Ben")
        await table.ask(student, "q", 0)
        table.hub.lost(student.line)
        table.now += 61
        with table.slow("say") as go_on:
            answering = asyncio.create_task(table.answer(teacher, "a", 1))
            await settle()
            coming = asyncio.create_task(table.hub.hello(student.line, {}))
            await settle()
            ticking = asyncio.create_task(table.hub.tick())
            await settle()
            go_on.set()
            await asyncio.gather(answering, coming, ticking)
        await settle()
        assert not student.of("ended") + teacher.of("ended")
        assert student.of("dialog")[-1]["last"] == 2

    asyncio.run(talk())


def test_the_end_is_told_once_where_both_leave_at_once(project: CollectProject) -> None:
    async def talk() -> None:
        table = HubTable(project)
        student, teacher = await table.pair("Ada", "Ben")
        await asyncio.gather(table.hub.leave(student.line), table.hub.leave(teacher.line))
        await settle()
        assert [len(one.of("ended")) for one in (student, teacher)] == [1, 1]

    asyncio.run(talk())


def test_who_comes_back_while_it_ends_is_told_of_the_end_alone(project: CollectProject) -> None:
    async def talk() -> None:
        table = HubTable(project)
        student, teacher = await table.pair("Ada", "Ben")
        table.hub.lost(student.line)
        table.now += 61
        with table.slow("leave") as go_on:
            ticking = asyncio.create_task(table.hub.tick())
            await settle()
            coming = asyncio.create_task(table.hub.hello(student.line, {}))
            await settle()
            go_on.set()
            await asyncio.gather(ticking, coming)
        await settle()
        assert [len(one.of("dialog")) for one in (student, teacher)] == [1, 1]
        assert [len(one.of("ended")) for one in (student, teacher)] == [1, 1]

    asyncio.run(talk())


def test_a_dialog_that_cannot_be_ended_stops_nobody_else(
    project: CollectProject, caplog: pytest.LogCaptureFixture
) -> None:
    async def talk() -> None:
        table = HubTable(project)
        stuck, _ = await table.pair("Ada", "Ben")
        other, _ = await table.pair("Cleo", "Dan")
        number, plain = stuck.of("dialog")[0]["dialog"], table.dialogs.leave

        def leave(dialog: int, by: EndedBy) -> Any:
            if dialog == number:
                raise ValueError("This row is broken.")
            return plain(dialog, by)

        table.dialogs.leave = leave  # type: ignore[method-assign]
        table.now += 301
        await table.hub.tick()
        await settle()
        assert not stuck.of("ended")
        assert other.of("ended")

    with caplog.at_level(logging.ERROR):
        asyncio.run(talk())
    assert "This row is broken." in caplog.text


def test_a_simulated_partner_speaks_after_a_restart(
    project: CollectProject, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def talk() -> None:
        table = HubTable(project)
        monkeypatch.setattr(table.dialogs._random, "choice", lambda _: DialogRole.TEACHER)
        number = let_in(project, "Ada")[2]
        table.dialogs.begin_simulated(number)  # and the server ends before anything is said
        await table.hub.start()
        ada = Seat(number)
        await table.hub.hello(ada.line, {})
        await settle()
        assert [event["kind"] for event in ada.of("event")] == ["question"]
        await table.answer(ada, "a", 1)
        await table.hub.stop()

    asyncio.run(talk())


@pytest.mark.parametrize("number", [10**30, 2**63, 0, -1, True, "1", 1.5])
def test_a_dialog_with_a_number_that_none_has(project: CollectProject, number: Any) -> None:
    async def talk() -> None:
        table = HubTable(project)
        ada = await table.seat("Ada", dialog=number)
        assert ada.of("waiting")
        with pytest.raises(RefusedError) as refused:
            await table.hub.report(ada.line, {"dialog": number, "text": "They were rude."})
        assert refused.value.code == "no-such-dialog"

    asyncio.run(talk())


def test_who_has_left_can_still_be_reported(project: CollectProject) -> None:
    async def talk() -> None:
        table = HubTable(project)
        student, teacher = await table.pair("Ada", "Ben")
        await table.ask(student, "q", 0)
        await table.hub.leave(student.line)
        await settle()
        (ended,) = teacher.of("ended")
        assert ended["may_report"] is True
        report = {"dialog": ended["dialog"], "text": "They were rude."}
        for _ in range(2):  # the page was told nothing, and sends it again
            await table.hub.report(teacher.line, report)
        await settle()
        assert [one["dialog"] for one in teacher.of("reported")] == [ended["dialog"]] * 2
        assert len(teacher.of("ended")) == 1
        (kept,) = project.work.reports.all()
        assert "They were rude." in kept.text
        assert f"student (person {student.number})" in kept.text
        with pytest.raises(RefusedError) as refused:
            await table.hub.report(teacher.line, {**report, "text": "And more."})
        assert refused.value.code == "already-reported"
        cleo = await table.seat("Cleo")
        with pytest.raises(RefusedError) as refused:
            await table.hub.report(cleo.line, report)
        assert refused.value.code == "no-such-dialog"
        again = Seat(teacher.number)
        await table.hub.hello(again.line, {"dialog": ended["dialog"]})
        await settle()
        assert again.of("ended")[0]["may_report"] is False

    asyncio.run(talk())


def test_a_report_that_comes_while_the_partner_leaves(project: CollectProject) -> None:
    async def talk() -> None:
        table = HubTable(project)
        student, teacher = await table.pair("Ada", "Ben")
        with table.slow("leave") as go_on:
            leaving = asyncio.create_task(table.hub.leave(student.line))
            await settle()
            said = {"dialog": teacher.of("dialog")[0]["dialog"], "text": "They were rude."}
            reporting = asyncio.create_task(table.hub.report(teacher.line, said))
            await settle()
            go_on.set()
            await asyncio.gather(leaving, reporting)
        await settle()
        assert [end["by"] for end in teacher.of("ended")] == ["student"]
        assert teacher.of("reported")
        assert len(project.work.reports.all()) == 1

    asyncio.run(talk())
