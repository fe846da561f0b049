"""Formats of other packages stand beside those that come along."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from offered_plugins import offer_plugins

from lacuna.corpus.formats.base import DocumentFormat, format_names, get_format
from lacuna.corpus.formats.detect import context_from, detect_source, open_source
from lacuna.corpus.formats.entries import Entry
from lacuna.corpus.formats.plain import verbatim_page
from lacuna.corpus.open import open_store
from lacuna.corpus.page import Page
from lacuna.corpus.store import Skipped, SourceItem
from lacuna.errors import LacunaError
from lacuna.plugins import PluginGroup
from lacuna.types import Document


def parse_shouts(entry: Entry) -> Iterator[Page | Skipped]:
    text = entry.data.removeprefix(b"SHOUT\0").decode()
    if text:
        yield verbatim_page(entry.name, Path(entry.name).stem, text.upper())
    else:
        yield Skipped(entry.name, "it is silent")


SHOUTS = DocumentFormat(
    "shouts",
    parse=parse_shouts,
    suffixes=(".shout",),
    begins=lambda head: head.startswith(b"SHOUT\0"),
    binary=True,
)
NO_FORMAT = "something else"


@pytest.fixture
def offered(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    return offer_plugins(monkeypatch, PluginGroup.FORMATS, shouts=f"{__name__}:SHOUTS")


def write(path: Path, text: str) -> Path:
    path.write_bytes(b"SHOUT\0" + text.encode())
    return path


def detect_format(path: Path) -> str:
    known = detect_source(path).only
    assert known is not None
    return known.name


def titles(items: Iterator[SourceItem]) -> set[str]:
    return {item.title for item in items if isinstance(item, Document)}


def test_a_plugin_is_detected_by_content_and_by_name(offered: Any, tmp_path: Path) -> None:
    assert detect_format(write(tmp_path / "a.shout", "hey")) == "shouts"
    assert detect_format(write(tmp_path / "a.dat", "hey")) == "shouts"
    (document, *_) = open_source(tmp_path / "a.shout")
    assert isinstance(document, Document)
    assert (document.title, document.text) == ("a", "HEY")
    with pytest.raises(LacunaError, match="its content looks like shouts"):
        detect_format(write(tmp_path / "a.md", "hey"))


def test_its_pages_are_read_beside_others(offered: Any, tmp_path: Path) -> None:
    write(tmp_path / "a.shout", "hey")
    write(tmp_path / "c.shout", "")
    (tmp_path / "b.md").write_text("Some text.")
    items = list(open_source(tmp_path))
    assert titles(iter(items)) == {"a", "b"}
    assert Skipped("c.shout", "it is silent") in items
    assert titles(open_source(tmp_path, "shouts")) == {"a"}
    assert context_from(tmp_path / "a.shout").text == "HEY"


def test_a_corpus_is_read_again_when_a_format_is_added(
    offered: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LACUNA_CACHE", str(tmp_path / "cache"))
    notes = tmp_path / "notes"
    notes.mkdir()
    write(notes / "a.shout", "hey")
    (notes / "b.md").write_text("Some text.")
    value = offered.pop("shouts")
    with open_store(notes) as store:
        assert list(store.titles()) == ["b"]
    offered["shouts"] = value
    with open_store(notes) as store:
        assert sorted(store.titles()) == ["a", "b"]


def test_names(offered: dict[str, str]) -> None:
    assert format_names()[-1] == "shouts"
    assert get_format("shouts") is SHOUTS
    with pytest.raises(LacunaError, match=r"no format 'shout'. Did you mean shouts\? .*markdown"):
        get_format("shout")
    offered["html"] = f"{__name__}:SHOUTS"
    assert get_format("html") is not SHOUTS, "what comes along goes first"


def test_what_is_no_format_is_refused(offered: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "b.md").write_text("Some text.")
    offered["shouts"] = f"{__name__}:NO_FORMAT"
    with pytest.raises(LacunaError, match="not a DocumentFormat"):
        open_source(tmp_path)
    offered["shouts"] = "nowhere_to_be_found:FORMAT"
    with pytest.raises(LacunaError, match="could not be loaded"):
        get_format("shouts")


def parse_badly(entry: Entry) -> Iterator[Page | Skipped]:
    yield from parse_shouts(entry)
    raise RecursionError("too deep")


BAD = DocumentFormat("bad", parse=parse_badly, suffixes=(".bad",))


def test_a_parser_that_fails_costs_one_file(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    offer_plugins(monkeypatch, PluginGroup.FORMATS, bad=f"{__name__}:BAD")
    (tmp_path / "a.bad").write_text("hey")
    (tmp_path / "b.txt").write_text("Some text.")
    items = list(open_source(tmp_path))
    assert {"a", "b"} == titles(iter(items))
    (skipped,) = [item for item in items if isinstance(item, Skipped)]
    assert skipped == Skipped("a.bad", "reading it failed (RecursionError: too deep)")
