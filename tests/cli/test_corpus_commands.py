"""Indexing a folder of notes and looking into it, as a user types it."""

from __future__ import annotations

import json
from dataclasses import fields
from inspect import signature
from pathlib import Path
from typing import Any

import pytest

from lacuna import demo
from lacuna.corpus.open import open_store
from lacuna.corpus.store import Store
from lacuna_collect.cli.mine import _section_filter, sections
from lacuna_collect.mining import SectionBounds, SectionFilter

NOTES = {
    "Marrow.md": "# The Marrow\n\nThe ferry *Marrow* was launched at [Port Ellery](port-ellery.md) "
    "in 1931. Her first master was [[Ada Quill]], who had sailed with [[Bram Orde|old Orde]].\n",
    "people/Ada Quill.md": "# Ada Quill\n\nQuill learned navigation from her aunt.\n\n"
    "## Later years\n\nShe taught at the pilots' school in [Port Ellery](../port-ellery.md).\n",
    "port-ellery.md": "---\ntitle: Port Ellery\naliases: [the Port]\n---\n"
    "Port Ellery is the largest harbour. Its fleet sank from 14 boats to 5.\n",
}


def write_notes(folder: Path, notes: dict[str, str]) -> Path:
    for name, text in notes.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def corpus(lacuna: Any, tmp_path: Path) -> Path:
    out = tmp_path / "corpus"
    ran = lacuna("index", write_notes(tmp_path / "notes", NOTES), "--out", out, "--json")
    assert ran.code == 0
    assert json.loads(ran.out)["documents"] == 3
    return out


def test_info(lacuna: Any, corpus: Path) -> None:
    found = json.loads(lacuna("corpus", "info", corpus, "--json").out)
    assert (found["documents"], found["links"]) == (3, 3)
    assert found["most_wanted"] == {"Bram Orde": 1}
    assert "Linked to, but not there" in lacuna("corpus", "info", corpus, "--skipped").out


def test_show_finds_a_title_however_it_is_written(lacuna: Any, corpus: Path) -> None:
    for title in ("the marrow", "The_Marrow", "Marrow"):
        assert "launched at Port Ellery" in lacuna("corpus", "show", corpus, title).out
    found = json.loads(lacuna("corpus", "show", corpus, "Ada Quill", "--json").out)
    link = found["links"][0]
    assert found["text"][link["start"] : link["end"]] == "Port Ellery"
    ran = lacuna("corpus", "show", corpus, "Ada Quil")
    assert (ran.code, "Did you mean 'Ada Quill'?" in ran.err) == (2, True)


def test_links_and_path(lacuna: Any, corpus: Path) -> None:
    found = json.loads(lacuna("corpus", "links", corpus, "The Marrow", "--json").out)
    assert sorted(found["out"]) == ["Ada Quill", "Port Ellery"]
    assert (found["in"], found["dangling"]) == ([], ["Bram Orde"])
    assert "Port Ellery" in lacuna("corpus", "links", corpus, "ada quill").out
    assert lacuna("corpus", "path", corpus, "Ada Quill", "the Port").out.split() == [
        "Ada", "Quill", "→", "Port", "Ellery"
    ]  # fmt: skip
    back = lacuna("corpus", "path", corpus, "Port Ellery", "Ada Quill", "--json")
    assert (back.code, json.loads(back.out)) == (1, {"path": None})


@pytest.mark.parametrize("retriever", ["bm25", "hotpot"])
def test_search(lacuna: Any, corpus: Path, retriever: str) -> None:
    arguments = [
        "search",
        "how many boats has the fleet",
        "--corpus",
        corpus,
        "--retriever",
        retriever,
    ]
    hit = json.loads(lacuna(*arguments, "--json").out)["hits"][0]
    assert hit["title"] == "Port Ellery"
    assert "Its fleet sank from 14 boats to 5" in lacuna(*arguments).out


def test_search_narrows_down(lacuna: Any, corpus: Path) -> None:
    def titles(*arguments: str) -> list[str]:
        ran = lacuna("search", *arguments, "--corpus", corpus, "--json")
        return [hit["title"] for hit in json.loads(ran.out)["hits"]]

    assert titles("Port Ellery", "--in", "ada quill") == ["Ada Quill"]
    assert titles('"pilots school"') == ["Ada Quill"]
    assert titles("ferry navigation", "--all-words") == []
    assert "Nothing in" in lacuna("search", "zebra", "--corpus", corpus).err
    assert (
        lacuna("search", "x", "--corpus", corpus, "--retriever", "hotpot", "--all-words").code == 2
    )


def test_a_changed_folder_is_read_again_and_an_unchanged_one_is_not(
    lacuna: Any, corpus: Path, tmp_path: Path
) -> None:
    ran = lacuna("index", tmp_path / "notes", "--out", corpus)
    assert "has not changed" in ran.err
    write_notes(tmp_path / "notes", {"port-ellery.md": "# Port Ellery\n\nA ghost town.\n"})
    assert lacuna("index", tmp_path / "notes", "--out", corpus).code == 0
    assert "A ghost town." in lacuna("corpus", "show", corpus, "Port Ellery").out
    assert json.loads(lacuna("corpus", "info", corpus, "--json").out)["documents"] == 3


def test_remove(lacuna: Any, corpus: Path) -> None:
    assert lacuna("corpus", "remove", corpus, "Port Ellery").code == 0
    found = json.loads(lacuna("corpus", "links", corpus, "The Marrow", "--json").out)
    assert "Port Ellery" not in found["out"]
    assert lacuna("corpus", "remove", corpus, "Port Ellery").code == 2


@pytest.mark.parametrize("name", ["graph.graphml", "graph.parquet"])
def test_export(lacuna: Any, corpus: Path, tmp_path: Path, name: str) -> None:
    assert lacuna("corpus", "export", corpus, tmp_path / name).code == 0
    assert (tmp_path / name).stat().st_size > 100
    assert lacuna("corpus", "export", corpus, tmp_path / "graph.csv").code == 2


def test_mining(lacuna: Any, corpus: Path, tmp_path: Path) -> None:
    seeds = lacuna("corpus", "seeds", corpus, "--links", "2").out.splitlines()
    assert [json.loads(line)["title"] for line in seeds] == ["The Marrow"]
    pairs = tmp_path / "pairs.jsonl"
    assert lacuna("corpus", "pairs", corpus, "--count", "2", "-o", pairs).code == 0
    drawn = [json.loads(line) for line in pairs.read_text().splitlines()]
    assert {pair["kind"] for pair in drawn} == {"bridge"}
    items = tmp_path / "items.json"
    assert lacuna("corpus", "distractors", corpus, pairs, "-o", items).code == 0
    ran = lacuna("data", "check", "hotpotqa", items, "--json")
    assert json.loads(ran.out)["questions"] == 2


def test_sections_by_the_papers_filters(lacuna: Any) -> None:
    def titles(*filters: str) -> list[str]:
        ran = lacuna("corpus", "sections", demo.ARTICLES, *filters)
        assert ran.code == 0, ran.err
        return [json.loads(line)["title"] for line in ran.out.splitlines()]

    assert titles() == []  # a hundred links lead to none of them
    assert "passes these bounds" in lacuna("corpus", "sections", demo.ARTICLES).err
    bounds = ("--set", "tokens=[20,2000]", "--set", "words_a_sentence=[3,60]")
    short = ("--set", "fewest_in_links=0", *bounds)
    everything, people = titles(*short), titles(*short, "--set", "people_only=true")
    assert {"Torrow", "Agnes Penhale"} <= set(everything)
    assert set(people) < set(everything)
    assert "Agnes Penhale" in people
    assert "Torrow" not in people
    assert set(titles(*short, "--set", 'keywords=["poet","island"]')) < set(everything)
    assert titles(*short, "--set", "paragraphs=[50,60]") == []
    for wrong, told in {
        "tokens=[9,5]": "least first",
        "tokens=9": "--set: tokens must be",
        "tokens=[1,2,3]": "--set: tokens must be",
        "token=[1,2]": "Did you mean tokens?",
    }.items():
        refused = lacuna("corpus", "sections", demo.ARTICLES, "--set", wrong)
        assert (refused.code, told in refused.err) == (2, True), refused.err


def test_sections_are_bounded_as_in_the_paper_unless_told_otherwise() -> None:
    assert _section_filter(()) == SectionFilter()
    bounds = signature(sections, eval_str=True).parameters["changed"].annotation
    shown = bounds.__metadata__[0].help
    for each in fields(SectionBounds):
        least, most = getattr(SectionBounds(), each.name)
        assert f"{each.name}=[{least},{most}]" in shown


def test_mined_passages_can_be_read_as_the_dataset_they_become(
    lacuna: Any, corpus: Path, tmp_path: Path
) -> None:
    out = tmp_path / "seeds.jsonl"
    assert lacuna("corpus", "seeds", corpus, "--links", "1", "-o", out).code == 0
    found = json.loads(lacuna("data", "check", "iirc", out, "--json").out)
    assert (found["texts"], found["links"]) == (2, 4)


def test_comparison_pairs_come_from_lists(lacuna: Any, corpus: Path, tmp_path: Path) -> None:
    lists = tmp_path / "lists.tsv"
    lists.write_text("places\tport ellery\nplaces\tThe Marrow\npeople\tAda Quill\n")
    curated = tmp_path / "curated.txt"
    curated.write_text("the port\n")
    arguments = ["corpus", "pairs", corpus, "--lists", lists, "--curated", curated]
    drawn = [json.loads(line) for line in lacuna(*arguments).out.splitlines()]
    bridges = {pair["second"] for pair in drawn if pair["kind"] == "bridge"}
    assert bridges <= {"Port Ellery"}
    groups = {pair["group"] for pair in drawn if pair["kind"] == "comparison"}
    assert groups <= {"places"}
    lists.write_text("places port ellery\n")
    assert "a tab and a title" in lacuna(*arguments).err


def test_wrong_paths_are_refused_before_anything_is_written(lacuna: Any, tmp_path: Path) -> None:
    notes = write_notes(tmp_path / "notes", NOTES)
    out = tmp_path / "corpus"
    for source in (tmp_path / "missing", tmp_path / "notes" / "empty"):
        (tmp_path / "notes" / "empty").mkdir(exist_ok=True)
        ran = lacuna("index", notes, source, "--out", out)
        assert ran.code == 2
        assert ran.err.startswith("Error: ")
    assert "did you mean" in lacuna("index", notes, "--format", "markdwn", "--out", out).err.lower()
    assert not out.exists()
    assert "lies in" in lacuna("index", notes, "--out", notes / "corpus").err
    for verb in (["info"], ["show", "x"], ["links", "x"], ["path", "x", "y"], ["seeds"]):
        ran = lacuna("corpus", verb[0], tmp_path / "nowhere", *verb[1:])
        assert (ran.code, "There is no file or folder" in ran.err) == (2, True)
    assert [path.name for path in tmp_path.iterdir()] == ["notes"]


def test_a_folder_with_other_files_is_never_made_a_corpus(lacuna: Any, tmp_path: Path) -> None:
    notes = write_notes(tmp_path / "notes", NOTES)
    mine = tmp_path / "mine" / "index" / "keep.txt"
    mine.parent.mkdir(parents=True)
    mine.write_text("mine")
    ran = lacuna("index", notes, "--out", tmp_path / "mine")
    assert (ran.code, "holds other files" in ran.err) == (2, True)
    assert mine.read_text() == "mine"


def test_a_redirect_never_takes_a_documents_place(lacuna: Any, tmp_path: Path) -> None:
    one = write_notes(tmp_path / "a", {"notes.md": "Text about a kiwi.\n"})
    other = write_notes(tmp_path / "b", {"notes.md": "# My Notes\n\nOther text.\n"})
    out = tmp_path / "corpus"
    assert lacuna("index", one, other, "--out", out).code == 0
    hits = json.loads(lacuna("search", "kiwi", "--corpus", out, "--json").out)["hits"]
    assert [hit["title"] for hit in hits] == ["notes"]
    assert "Other text." in lacuna("corpus", "show", out, "My Notes").out


def test_documents_of_one_title_are_all_kept(lacuna: Any, tmp_path: Path) -> None:
    one = write_notes(tmp_path / "a", {"x.md": "# README\n\nMango.\n"})
    other = write_notes(tmp_path / "b", {"y.md": "# README\n\nPapaya.\n"})
    out = tmp_path / "corpus"
    ran = lacuna("index", one, other, "--out", out, "--json")
    assert [source["documents"] for source in json.loads(ran.out)["sources"]] == [1, 1]
    for word, file in (("mango", "x.md"), ("papaya", "y.md")):
        (hit,) = json.loads(lacuna("search", word, "--corpus", out, "--json").out)["hits"]
        assert hit["place"]["file"] == file


def test_documents_that_are_replaced_or_removed_are_counted(lacuna: Any, tmp_path: Path) -> None:
    notes = write_notes(tmp_path / "a", {"x.md": "Mango.\n", "y.md": "Papaya.\n"})
    out = tmp_path / "corpus"
    lacuna("index", notes, "--out", out)
    (notes / "x.md").write_text("Another mango.\n")
    (notes / "y.md").unlink()
    (source,) = json.loads(lacuna("index", notes, "--out", out, "--json").out)["sources"]
    assert (source["documents"], source["replaced"], source["removed"]) == (1, 1, 1)


def test_index_and_ask_read_the_same_of_a_mixed_folder(
    lacuna: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pages = {"page.html": "<p>Text about a kiwi.</p>", "list.txt": "Kiwi.", "rows.jsonl": "{}"}
    notes = write_notes(tmp_path / "notes", {**NOTES, **pages})
    ran = lacuna("index", notes, "--out", tmp_path / "corpus")
    assert "1 of 6 files could not be read (1 .jsonl: " in ran.err
    monkeypatch.setenv("LACUNA_CACHE", str(tmp_path / "cache"))
    with Store.open(tmp_path / "corpus") as indexed, open_store(notes) as asked:
        assert list(indexed.titles()) == list(asked.titles())
        assert {"page", "list"} <= set(indexed.titles())
        assert list(indexed.skipped()) == list(asked.skipped())
        assert [skipped.where for skipped in asked.skipped()] == ["rows.jsonl"]


def test_a_named_format_reads_a_mixed_folder_again(lacuna: Any, tmp_path: Path) -> None:
    notes = write_notes(tmp_path / "notes", {**NOTES, "page.html": "<p>Text about a kiwi.</p>"})
    out = tmp_path / "corpus"
    lacuna("index", notes, "--out", out)
    assert lacuna("index", notes, "--out", out, "--format", "html").code == 0
    assert json.loads(lacuna("search", "kiwi", "--corpus", out, "--json").out)["hits"]


def test_what_was_removed_can_be_indexed_again(lacuna: Any, corpus: Path, tmp_path: Path) -> None:
    lacuna("corpus", "remove", corpus, "Port Ellery")
    lacuna("index", tmp_path / "notes", "--out", corpus)
    assert lacuna("corpus", "show", corpus, "Port Ellery").code == 0


def test_a_huge_k_is_no_more_than_all(lacuna: Any, corpus: Path) -> None:
    ran = lacuna("search", "port", "--corpus", corpus, "-k", "999999999999", "--json")
    assert (ran.code, len(json.loads(ran.out)["hits"]) < 10) == (0, True)
