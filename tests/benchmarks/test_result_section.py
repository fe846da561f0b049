"""A page of results keeps everything but the section that is written anew."""

from __future__ import annotations

from pathlib import Path

from benchmarks.result_section import replace_section


def test_only_that_section_changes(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# Page\n\n## One\n\nold\n\n### Part\n\nold\n\n## Two\n\nkept\n")
    replace_section(page, "One", "new\n")
    replace_section(page, "Three", "last")
    assert page.read_text() == "# Page\n\n## One\n\nnew\n\n## Two\n\nkept\n\n## Three\n\nlast\n"
    replace_section(page, "Three", "again")
    assert page.read_text().endswith("## Two\n\nkept\n\n## Three\n\nagain\n")
