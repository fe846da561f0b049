"""Every verb opens the same: a corpus, a folder, an archive, several of them, or the demo."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from refusing import refused

from lacuna.cli.console import skipped_line
from lacuna.corpus.store import Skipped, Store
from lacuna.types import Document

DEMO = "This asks the demo corpus"
VERBS = {
    "search": ["search", "--json", "kiwi"],
    "info": ["corpus", "info"],
    "show": ["corpus", "show", "Bird"],
    "links": ["corpus", "links", "Bird"],
    "path": ["corpus", "path", "Bird", "Bird"],
    "export": ["corpus", "export", "graph.graphml"],
    "seeds": ["corpus", "seeds"],
    "sections": ["corpus", "sections"],
}


@pytest.fixture
def notes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LACUNA_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "Bird.txt").write_text("The kiwi is a bird.\n")
    return tmp_path / "notes"


def over(verb: str, *corpora: object) -> list[object]:
    """The command of a verb: words first for a search, the corpus first in `lacuna corpus`."""
    if verb == "search":
        return [*VERBS[verb], *(part for corpus in corpora for part in ("--corpus", corpus))]
    return [*VERBS[verb][:2], *corpora, *VERBS[verb][2:]]


@pytest.mark.parametrize("verb", VERBS)
def test_folders_archives_and_corpora(lacuna: Any, notes: Path, verb: str) -> None:
    archive = shutil.make_archive("birds", "zip", notes)
    assert lacuna("index", notes, "--out", "made").code == 0
    said = set()
    for corpus in (notes, archive, "made"):
        ran = lacuna(*over(verb, corpus))
        assert (ran.code, DEMO in ran.err) == (0, False), ran.err
        if verb in ("show", "links", "path", "seeds"):
            said.add(ran.out)
    assert len(said) <= 1


def test_several_are_one_corpus(lacuna: Any, notes: Path, tmp_path: Path) -> None:
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "Fruit.txt").write_text("The kiwi is a fruit.\n")
    both = [notes, tmp_path / "more"]
    hits = json.loads(lacuna(*over("search", *both)).out)["hits"]
    assert {hit["title"] for hit in hits} == {"Bird", "Fruit"}
    assert "is a bird" in lacuna(*over("show", *both)).out
    found = json.loads(lacuna(*over("info", *both), "--json").out)
    roots = [source["root"] for source in found["sources"]]
    assert roots == [str(notes), str(tmp_path / "more")]
    assert [source["files"] for source in found["sources"]] == [1, 1]


def test_without_a_corpus_it_is_the_demo(lacuna: Any) -> None:
    ran = lacuna("search", "summit of Carrow Fell", "--json")
    assert DEMO in ran.err
    assert json.loads(ran.out)["hits"][0]["title"] == "Carrow Fell"
    assert "The demo corpus" in lacuna("corpus", "info").out
    assert "Nothing in the demo corpus matches" in lacuna("search", "qqqq").err


def test_arguments_that_are_missing_or_too_many(lacuna: Any, notes: Path) -> None:
    refused(lacuna("corpus", "show"), "TITLE is missing")
    refused(lacuna("corpus", "path", "Bird"), "TITLE is missing")
    refused(lacuna("corpus", "show", notes, "My", "bird"), "put quotes around a TITLE")
    refused(lacuna("corpus", "show", "kiwi", "bird"), "There is no file or folder kiwi")


@pytest.mark.parametrize("verb", ["ask", "search", "chat"])
def test_words_without_quotes(lacuna: Any, notes: Path, verb: str) -> None:
    ran = lacuna(verb, "Who", "was", "first?", "--corpus", notes)
    refused(ran, 'Put quotes around it: "Who was first?"')
    refused(lacuna(verb, " "), "is empty. Write one, in quotes")


def test_only_what_was_indexed_can_be_changed(lacuna: Any, notes: Path) -> None:
    refused(lacuna("corpus", "remove", notes, "Bird"), "not a corpus made by `lacuna index`")
    refused(lacuna("corpus", "remove", "nowhere", "Bird"), "There is no folder nowhere")
    refused(lacuna("corpus", "remove"), "Name the one corpus")
    lacuna("index", notes, "--out", "made")
    refused(lacuna("corpus", "remove", "made"), "TITLE is missing")
    assert lacuna("corpus", "remove", "made", "Bird").code == 0


def test_what_could_not_be_read_in_one_line(tmp_path: Path) -> None:
    with Store.create(tmp_path / "corpus") as store:
        with store.writer() as writer:
            writer.add([Document("A", "Text.")])
        assert skipped_line(store, []) == ""
        with store.writer() as writer:
            files = [Skipped(f"{number}.xyz", "unknown kind") for number in range(2)]
            reasons = ("x" * 200, "odd\x1b", "bad")
            others = [Skipped(f"{number}", reason) for number, reason in enumerate(reasons)]
            writer.add([*others, *files])
        line = skipped_line(store, [Path("a b"), Path("c")])
    assert line.startswith("5 pages could not be read (2 .xyz: unknown kind; ")
    assert line.endswith("2 more reasons): lacuna corpus info 'a b' c --skipped lists them.")
    assert len(line) < 250


def test_info_tells_of_sources_and_reasons(lacuna: Any, notes: Path) -> None:
    (notes / "a.xyz").write_text("?")
    (notes / "b.xyz").write_text("?")
    told = lacuna("corpus", "info", notes, "--skipped").out
    assert "Skipped, by reason" in told
    assert "a.xyz" in told
    found = json.loads(lacuna("corpus", "info", notes, "--json").out)
    assert list(found["skipped_by_reason"].values()) == [2]
    assert found["sources"][0]["skipped"] == 2
