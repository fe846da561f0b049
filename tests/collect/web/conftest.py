"""A server over a project with a stand-in task, and people who use it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("sqlalchemy", reason="the extra `collect` is not installed")

from collect_site import CollectSite


@pytest.fixture
def site(tmp_path: Path) -> Iterator[CollectSite]:
    """A server in this process, without anybody."""
    made = CollectSite(tmp_path)
    yield made
    made.close()


@pytest.fixture
def worker(site: CollectSite) -> Any:
    return site.person("worker", "Wanda")


@pytest.fixture
def qualified(site: CollectSite, worker: Any) -> Any:
    """A worker who has passed the test."""
    worker.pass_test()
    return worker


@pytest.fixture
def requester(site: CollectSite) -> Any:
    return site.person("requester", "Rita")
