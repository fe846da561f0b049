"""How much JavaScript the page loads: CONTRIBUTING says how much, and why."""

from __future__ import annotations

import re
from pathlib import Path

import lacuna.web

STATIC = Path(lacuna.web.__file__).parent / "static"
MOST = 142 * 1024
FIRST = re.compile(r'<script[^>]* src="/static/(js/[\w-]+\.js)"')
IMPORTED = re.compile(r'^(?:import|export) [^;]*?from "\./([\w-]+\.js)";', re.MULTILINE)
WHEN_WANTED = re.compile(r'await import\("\./([\w-]+\.js)"\)')
MOST_LATER = 13 * 1024


def loaded(page: str, *, later: bool = False) -> set[str]:
    """The scripts that a page names, and what they import; also what they import later on."""
    to_read = FIRST.findall((STATIC / page).read_text("utf-8"))
    seen: set[str] = set()
    while to_read:
        name = to_read.pop()
        if name not in seen:
            seen.add(name)
            text = (STATIC / name).read_text("utf-8")
            imported = IMPORTED.findall(text) + (WHEN_WANTED.findall(text) if later else [])
            to_read += [f"js/{name}" for name in imported]
    return seen


def test_the_page_loads_no_more_than_was_argued_for() -> None:
    scripts = loaded("index.html")
    assert {"js/main.js", "js/early-theme.js", "js/pieces.js"} <= scripts
    assert size_of(scripts) <= MOST
    assert size_of(loaded("index.html", later=True) - scripts) <= MOST_LATER


def size_of(scripts: set[str]) -> int:
    return sum((STATIC / name).stat().st_size for name in scripts)


def test_no_script_lies_there_unused() -> None:
    used = loaded("index.html", later=True) | loaded("docs.html") | loaded("status.html")
    assert used == {f"js/{file.name}" for file in (STATIC / "js").iterdir()}
