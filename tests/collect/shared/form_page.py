"""A task's form in a real browser, on a page with nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from barriers import barriers

import lacuna.web
import lacuna_collect
from lacuna_collect.tasks.task import Json

ROOMS = {
    "/static/": Path(lacuna.web.__file__).parent / "static",
    "/collect/static/": Path(lacuna_collect.__file__).parent / "web" / "static",
}
TYPES = {".js": "text/javascript", ".css": "text/css"}
PAGE = """<!doctype html><html lang="en"><head><title>Form</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="/static/css/base.css"></head>
<body><main><h1>Form</h1><div id="root"></div></main>
<div id="announcer" class="unseen" role="status"></div></body></html>"""
SHOW = """async ({name, item, draft, loop}) => {
  const form = await import(`/collect/static/js/forms/${name}.js`);
  window.work = null;
  const ask = async (work, part) => ({message: `asked ${part}: ${work.questions[0].text}`});
  window.handle = form.show(document.getElementById("root"), {
    item, draft, problems: [], loop: loop ? ask : null, change: (work) => { window.work = work; },
  });
}"""


def serve(route: Any) -> None:
    path = "/" + route.request.url.split("/", 3)[3]
    for room, folder in ROOMS.items():
        if path.startswith(room):
            file = folder / path.removeprefix(room)
            route.fulfill(path=file, content_type=TYPES[file.suffix])
            return
    route.fulfill(body=PAGE if path == "/" else "", content_type="text/html")


@pytest.fixture(params=[(1200, 900), (390, 800)], ids=["wide", "phone"])
def form(browser: Any, request: pytest.FixtureRequest) -> Iterator[Any]:
    width, height = request.param
    context = browser.new_context(viewport={"width": width, "height": height})
    page = context.new_page()
    page.shots = request.node.callspec.id
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.route("**/*", serve)
    page.goto("http://forms.test/")
    yield page
    look_for_barriers(page)
    context.close()
    assert errors == []


def look_for_barriers(page: Any) -> None:
    """Nothing is wider than the window, and axe finds nothing."""
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert barriers(page) == []


def show(
    page: Any, name: str, item: Json, draft: Json | None = None, *, loop: bool = False
) -> None:
    page.evaluate(SHOW, {"name": name, "item": item, "draft": draft, "loop": loop})


def work(page: Any) -> Any:
    return page.evaluate("window.work")


def mark(page: Any, problems: Any) -> None:
    told = [{"field": one.field, "message": one.message} for one in problems]
    page.evaluate("(told) => window.handle.mark(told)", told)
