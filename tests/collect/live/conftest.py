"""People on real sockets, in the project that each file makes for itself."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from live_person import Come, LivePerson
from quac_site import let_in, quac_app
from stand_in import listening

from lacuna_collect.project import CollectProject


@pytest.fixture
def come(project: CollectProject, caplog: pytest.LogCaptureFixture) -> Iterator[Come]:
    people: list[LivePerson] = []
    with listening(quac_app(project)) as address:

        def arrive(name: str) -> LivePerson:
            token, csrf, _ = let_in(project, name)
            people.append(LivePerson(address, token, csrf))
            return people[-1]

        yield arrive
        for one in people:
            one.close()
    told = caplog.get_records("call") + caplog.get_records("teardown")
    assert not [record for record in told if record.levelname == "ERROR"]
