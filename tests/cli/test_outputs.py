"""Nothing that a verb writes may be what it reads, or lie in a store."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from lacuna.cli.app import GROUPS
from lacuna.cli.options import check_outputs
from lacuna.errors import LacunaError


@pytest.fixture
def squad(tmp_path: Path, examples: Path) -> Path:
    file = tmp_path / "squad.json"
    file.write_bytes((examples / "squad.json").read_bytes())
    return file


@pytest.fixture
def corpus(tmp_path: Path, examples: Path, lacuna: Any) -> Path:
    folder = tmp_path / "corpus"
    assert lacuna("index", examples / "notes", "--out", folder).code == 0
    return folder


def state(folder: Path) -> dict[str, bytes]:
    """What lies in a folder, byte for byte; a lock and SQLite's own side files aside."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.name.endswith(("-shm", "-wal", ".lock"))
    }


def assert_refused(ran: Any, *words: str) -> None:
    assert (ran.code, ran.out) == (2, ""), ran
    assert ran.err.count("\n") == 1
    assert all(word in ran.err for word in words), ran.err


@pytest.mark.parametrize("how", ["same", "symlink", "hard link", "other spelling"])
def test_a_conversion_never_replaces_its_input(
    lacuna: Any, squad: Path, tmp_path: Path, how: str
) -> None:
    before = squad.read_bytes()
    out = squad
    if how == "symlink":
        out = tmp_path / "link.json"
        out.symlink_to(squad)
    elif how == "hard link":
        out = tmp_path / "hard.json"
        os.link(squad, out)
    elif how == "other spelling":
        (tmp_path / "sub").mkdir()
        out = tmp_path / "sub" / ".." / "squad.json"
    ran = lacuna("data", "convert", "squad", squad, "--to", "quac", "-o", out)
    assert squad.read_bytes() == before
    assert_refused(ran, str(out), "is read")


def output_in(verb: str, corpus: Path, examples: Path, out: Path) -> list[str | Path]:
    squad, iirc = examples / "squad.json", examples / "iirc.json"
    commands: dict[str, list[str | Path]] = {
        "seeds": ["corpus", "seeds", corpus, "--links", "1", "-o", out],
        "pairs": ["corpus", "pairs", corpus, "--count", "1", "-o", out],
        "sections": ["corpus", "sections", corpus, "--set", "fewest_in_links=0", "-o", out],
        "export": ["corpus", "export", corpus, out],
        "convert": ["data", "convert", "squad", squad, "--to", "quac", "-o", out],
        "score": ["score", "iirc", iirc, examples / "iirc_predictions.json", "--per-question", out],
        "predict": ["predict", "squad", squad, "--system", "abstain", "-o", out],
        "confidence": [
            *("predict", "squad", squad, "--system", "abstain"),
            *("-o", corpus.parent / "pred.json", "--confidence", out),
        ],
        "evaluate": ["evaluate", "squad", squad, "--system", "abstain", "-o", out],
        "knowledge": ["knowledge", examples / "knowledge.tsv", "--out", out],
        "index": ["index", examples / "notes", "--out", out],
        "backup": ["corpus", "backup", corpus.parent / "other", out],
    }
    return commands[verb]


VERBS = ("seeds", "pairs", "sections", "export", "convert", "score", "predict", "confidence",
         "evaluate", "knowledge", "index", "backup")  # fmt: skip


@pytest.mark.parametrize("verb", VERBS)
def test_nothing_is_written_into_a_store(
    lacuna: Any, corpus: Path, examples: Path, tmp_path: Path, verb: str
) -> None:
    if verb == "backup":
        if verb not in GROUPS["corpus"][1]:
            pytest.skip("there is no such verb here")
        assert lacuna("index", examples / "notes", "--out", corpus.parent / "other").code == 0
    linked = tmp_path / "linked"
    linked.symlink_to(corpus)
    before = state(corpus)
    for out in (
        corpus / "documents.sqlite",
        corpus / "new.graphml",
        corpus / "deeper" / "new.graphml",
        linked / "new.graphml",
    ):
        ran = lacuna(*output_in(verb, corpus, examples, out))
        assert state(corpus) == before, out
        assert_refused(ran, str(out), "corpus")
    assert not (corpus / "deeper").exists()


def test_a_list_of_pairs_is_not_replaced(
    lacuna: Any, corpus: Path, tmp_path: Path, examples: Path
) -> None:
    pairs = tmp_path / "pairs.jsonl"
    assert lacuna("corpus", "pairs", corpus, "--count", "1", "-o", pairs).code == 0
    before = pairs.read_bytes()
    assert_refused(lacuna("corpus", "distractors", corpus, pairs, "-o", pairs), "is read")
    curated = tmp_path / "titles.txt"
    curated.write_text("Ada Quill\n")
    ran = lacuna("corpus", "pairs", corpus, "--curated", curated, "-o", curated)
    assert_refused(ran, "is read")
    assert (pairs.read_bytes(), curated.read_text()) == (before, "Ada Quill\n")


def test_scores_do_not_replace_gold_or_predictions(
    lacuna: Any, tmp_path: Path, examples: Path
) -> None:
    gold, predictions = tmp_path / "gold.json", tmp_path / "pred.json"
    gold.write_bytes((examples / "iirc.json").read_bytes())
    predictions.write_bytes((examples / "iirc_predictions.json").read_bytes())
    before = state(tmp_path)
    for out in (gold, predictions):
        assert_refused(lacuna("score", "iirc", gold, predictions, "--per-question", out), "is read")
    assert state(tmp_path) == before


def test_documents_that_are_asked_are_not_written_over(lacuna: Any, tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "a.md").write_text("# A\n\nSee [[B]].\n")
    (notes / "b.md").write_text("# B\n\nSee [[A]].\n")
    before = state(notes)
    for out in (notes / "a.md", notes / "seeds.jsonl"):
        ran = lacuna("corpus", "seeds", notes, "--links", "1", "-o", out)
        assert state(notes) == before
        assert_refused(ran, "lies in")


def test_a_model_is_not_written_over(lacuna: Any, tmp_path: Path, examples: Path) -> None:
    model = tmp_path / "model"
    model.mkdir()
    (model / "config.json").write_text("{}")
    ran = lacuna("predict", "squad", examples / "squad.json", "--system", model,
                 "-o", model / "config.json")  # fmt: skip
    assert_refused(ran, "lies in")
    assert (model / "config.json").read_text() == "{}"


def test_two_outputs_are_two_files(tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    check_outputs([one, other])
    with pytest.raises(LacunaError, match="named twice"):
        check_outputs([one, tmp_path / "." / "one"])
    one.write_text("")
    os.link(one, other)
    with pytest.raises(LacunaError, match="named twice"):
        check_outputs([one, other])


def test_a_device_may_be_read_and_written(tmp_path: Path) -> None:
    check_outputs([Path("/dev/null")], reads=[Path("/dev/null")])
    check_outputs([tmp_path / "new"], reads=[tmp_path / "missing"])
