"""Boards over the example files."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from board_site import BoardSite


@pytest.fixture
def site(tmp_path: Path) -> BoardSite:
    """A board that scores nothing until it is told to."""
    return BoardSite(tmp_path / "board")


@pytest.fixture
def scoring(site: BoardSite) -> Iterator[BoardSite]:
    """A board that scores what is sent."""
    site.queue.start()
    yield site
    site.queue.close()
