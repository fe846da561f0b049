"""The page of a test's own ``site``, open in a browser."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from browsing import LIGHT, WIDE, opened
from stand_in import Site, listening


@pytest.fixture
def at(site: Site) -> Iterator[str]:
    """Where the page is."""
    with listening(site.app) as address:
        yield address


@pytest.fixture
def notes(browser: Any, at: str, site: Site) -> Iterator[Any]:
    """The page; nothing may go wrong in it."""
    context = browser.new_context(viewport=WIDE, color_scheme=LIGHT)
    page = opened(context, at)
    yield page
    site.stand_in.may_go_on.set()  # a test that fails may have left an answer waiting
    context.close()
    assert page.errors == []
