"""Links that lead nowhere are told with their place and the reason."""

from __future__ import annotations

from pathlib import Path

from lacuna.corpus.graph import MissingLink, missing_links
from lacuna.corpus.open import open_store


def test_where_they_stand_and_why(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# A\n\nOf [b](b.md).\n\nTo [gone](x/gone.md) and [[Nobody]].\n")
    (tmp_path / "b.md").write_text("# B\n\nTo [the web](https://example.org) and [a](a.md).\n")
    (tmp_path / "c.rst").write_text("C\n=\n\nSee :ref:`the part <nowhere>`.\n")
    with open_store(tmp_path) as store:
        assert list(missing_links(store)) == [
            MissingLink("a.md:5", "gone", "x/gone.md", "there is no such page"),
            MissingLink("a.md:5", "Nobody", "Nobody", "no page is called so"),
            MissingLink("c.rst:4", "the part", "nowhere", "no page has this label"),
        ]
