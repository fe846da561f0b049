"""How much JavaScript the page loads: CONTRIBUTING says how much, and why."""

from __future__ import annotations

import re
from pathlib import Path

import lacuna.web

STATIC = Path(lacuna.web.__file__).parent / "static"
MOST = 142 * 1024
FIRST = re.compile(r'<script[^>]* src="/static/(js/[\w-]+\.js)"')
IMPORTED = re.compile(r'^(?:import|export) [^;]*?from "\./([\w-]+\.js)";', re.MULTILINE)


def loaded(page: str) -> set[str]:
    """The scripts that a page names, and what they import."""
    to_read = FIRST.findall((STATIC / page).read_text("utf-8"))
    seen: set[str] = set()
    while to_read:
        name = to_read.pop()
        if name not in seen:
            seen.add(name)
            text = (STATIC / name).read_text("utf-8")
            to_read += [f"js/{imported}" for imported in IMPORTED.findall(text)]
    return seen


def test_the_page_loads_no_more_than_was_argued_for() -> None:
    scripts = loaded("index.html")
    assert {"js/main.js", "js/early-theme.js", "js/pieces.js"} <= scripts
    assert sum((STATIC / name).stat().st_size for name in scripts) <= MOST


def test_no_script_lies_there_unused() -> None:
    used = loaded("index.html") | loaded("docs.html") | loaded("status.html")
    assert used == {f"js/{file.name}" for file in (STATIC / "js").iterdir()}
