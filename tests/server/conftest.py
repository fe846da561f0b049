"""Servers over a few notes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from browsing import address, anywhere, browser, page
from stand_in import Site

from lacuna.web.limits import Limits

__all__ = ["address", "anywhere", "browser", "page"]


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    """A server in this process."""
    site = Site(tmp_path)
    with site.client:
        yield site


@pytest.fixture
def make_site(tmp_path: Path) -> Iterator[Callable[..., Site]]:
    """The same with other settings."""
    made: list[Site] = []

    def make(**settings: object) -> Site:
        made.append(Site(tmp_path, **settings))
        made[-1].client.__enter__()
        return made[-1]

    yield make
    for site in made:
        site.client.__exit__()


@pytest.fixture
def small_limits() -> Limits:
    """Limits that a test can meet."""
    return Limits(waiting=3, upload=200_000, unpacked=1_000_000, pages=20, corpora=2)
