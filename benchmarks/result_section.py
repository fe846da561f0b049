"""A section of a page of results, written anew by the benchmark that it belongs to."""

from __future__ import annotations

import re
from pathlib import Path


def replace_section(page: Path, heading: str, body: str) -> None:
    """Put a body under a heading of the second level; a new one comes last."""
    text = page.read_text(encoding="utf-8") if page.exists() else ""
    section = f"## {heading}\n\n{body.strip()}\n"
    found = re.search(rf"^## {re.escape(heading)}\n.*?(?=^## |\Z)", text, re.DOTALL | re.MULTILINE)
    if found is None:
        text = f"{text.rstrip()}\n\n{section}" if text.strip() else section
    else:
        after = text[found.end() :]
        text = text[: found.start()] + section + (f"\n{after}" if after else "")
    page.write_text(text, encoding="utf-8")
