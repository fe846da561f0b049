"""What a document costs the process that stores it does not grow with the square of its size."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from doubling import is_quadratic
from hostile_fragments import a_pattern, grown

from lacuna.corpus.refresh import refresh_source
from lacuna.corpus.store import Store

SUFFIXES = {
    "markdown": ".md",
    "html": ".html",
    "text": ".txt",
    "rst": ".rst",
    "org": ".org",
    "asciidoc": ".adoc",
    "table": ".csv",
}
LARGE = 1 << 17
"""Characters; for less, all that is done once takes longer than the document."""


def stored(folder: Path, suffix: str, text: str) -> None:
    """Index one file; reading it is another process's work."""
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "notes").mkdir(parents=True)
    (folder / "notes" / f"page{suffix}").write_text(text)
    with Store.create(folder / "store") as store, store.writer() as writer:
        refresh_source(writer, folder / "notes")


def test_a_document_is_stored_in_linear_time(
    tmp_path: Path, rounds: Callable[[], Iterator[random.Random]]
) -> None:
    stored(tmp_path / "once", ".md", "# Once\n\nSo that all is loaded. It is.\n")
    for rng in rounds():
        name = rng.choice(list(SUFFIXES))
        pattern = a_pattern(name, rng)
        store = partial(stored, tmp_path / "made", SUFFIXES[name])
        assert not is_quadratic(store, partial(grown, pattern), LARGE), (name, pattern)


def test_a_title_as_long_as_the_text(tmp_path: Path) -> None:
    """Every passage was found by all of it."""
    store = partial(stored, tmp_path / "made", ".md")
    store("# Once\n\nSo that all is loaded. It is.\n")
    assert not is_quadratic(store, partial(grown, (["# a"], "")), LARGE)
